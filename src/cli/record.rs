//! `record`: plays a script of keys into a recording, without a terminal.

use std::io::{self, BufWriter, IntoInnerError, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::Failure;
use super::options::{Against, Casting, Fields, Screen};
use super::output;
use super::progress::by_share;
use super::study;
use super::watch::{DEFAULT_SCENARIO, STUDIES, run_of};
use crate::files::{self, Draft, Fence};
use crate::recording::{demos, script};
use crate::text;
use crate::tui::bindings::Keymap;
use crate::tui::film::{self, FPS, FilmError, Form, SIZE};
use crate::tui::{self, Shelf};

/// The arguments of `record`.
#[derive(Args, Debug)]
#[command(
    after_help = "Colours are dark and of 24 bits unless --theme and --color say otherwise: the \
                        environment has no say. A .cast has 15 frames per second unless --fps or its \
                        script says otherwise, an .svg eight. `flitscope guide recording` lists the \
                        commands of a script."
)]
pub(super) struct Record {
    /// A scenario file, a saved session, the name of a built-in scenario, or the folder of a study
    /// [default: the one that the script names]
    #[arg(value_name = "SCENARIO")]
    scenario: Option<String>,
    /// The script of keys, a file or `-` for standard input
    #[arg(long, value_name = "SCRIPT", required_unless_present = "demo")]
    keys: Option<String>,
    /// A demonstration that comes with the program
    #[arg(long, value_name = "NAME", conflicts_with = "keys", value_parser = demo_names())]
    demo: Option<String>,
    /// Print the script and make no film: a beginning for one with words of your own
    #[arg(long)]
    print_script: bool,
    /// The file of the film: an animated picture if it ends in .svg, else an asciicast; `-` is standard
    /// output
    #[arg(long, short, value_name = "FILE", required_unless_present = "print_script")]
    output: Option<String>,
    /// Columns and rows [default: those of the script, or 120x40]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    size: Option<(u16, u16)>,
    /// The folder below which the script may write: stills, and what its keys save [default: that of
    /// the recording]; with --force, stills there are replaced. A demonstration makes stills only
    /// where this is given
    #[arg(long, value_name = "FOLDER")]
    stills: Option<PathBuf>,
    #[command(flatten)]
    fields: Fields,
    #[command(flatten)]
    against: Against,
    #[command(flatten)]
    screen: Screen,
    #[command(flatten)]
    casting: Casting,
}

impl Record {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let (name, text) = self.script()?;
        let script = film::script(&name, &text)?;
        let Some(output) = self.output.as_deref().filter(|_| !self.print_script) else {
            return output::print(&text);
        };
        let form = Form::of(output).ok_or_else(|| {
            let what = format!("`{output}`: films are made as .svg or as .cast");
            let help = ".svg moves in a browser; other programs make a GIF or a video of a .cast";
            Failure::usage(what, help)
        })?;
        let name = self.scenario.as_deref().or(script.scenario.as_deref());
        let name = name.unwrap_or(DEFAULT_SCENARIO);
        let study = study::open(name, Path::new(STUDIES), &self.fields.overrides())?;
        let (scenario, session) = match &study {
            Some(folder) => (study::first_of(folder)?, None),
            None => run_of(self.fields.open_any(name)?, name),
        };
        if study.is_some() && self.against.is_given() {
            return Err(study::no_run());
        }
        let size = self.size.or(script.size).unwrap_or(SIZE);
        let fps = Some(self.screen.fps.or(script.fps).unwrap_or(FPS));
        let screen = Screen { fps, ..self.screen }.with_themes(&[])?;
        // A film must not depend on the files present.
        let shelf = Shelf::default();
        let against = self.against.open(&scenario, &self.fields)?;
        let fence = Fence { folder: self.folder(output) };
        // `--force` applies to the recording, and to stills if their folder was named.
        let replace = self.casting.force && self.stills.is_some();
        let options = tui::Options {
            fence: Some(fence.clone()),
            session,
            study,
            header: self.casting.header(),
            against,
            ..screen.options(shelf, Keymap::default())
        };
        let mut stills: Vec<String> = Vec::new();
        let still = |name: &str, content: &[u8]| {
            // Stills of a demonstration were not requested.
            if self.demo.is_some() && self.stills.is_none() {
                return Ok(());
            }
            fence.write(name, content, replace)?;
            stills.push(name.to_owned());
            Ok(())
        };
        let film = |out: &mut dyn Write| {
            let played = by_share((output, "film"), false, |share| {
                let options = tui::Options { progress: Some(Arc::clone(share)), ..options };
                film::record(options, scenario, size, &script, form, out, still)
            });
            played.map_err(|spoilt| match spoilt {
                FilmError::Io(error) => Failure::from(error),
                FilmError::Script(problem) => (*problem).into(),
            })
        };
        if output == "-" {
            return film(&mut io::stdout().lock()).map(drop);
        }
        let draft = Draft::begin(Path::new(output), self.casting.force)?;
        let mut out = BufWriter::new(draft);
        let takes = film(&mut out)?;
        // Writes a whole film or nothing: a previous file remains until then.
        let draft = out.into_inner().map_err(IntoInnerError::into_error)?;
        draft.keep()?;
        let frames = text::count(takes.frames as usize, "frame", "frames");
        let seconds = takes.length as f64 / 1e6;
        let and = if stills.is_empty() { "" } else { "; stills: " };
        let rest = format!(": {seconds:.1} s in {frames}{and}{}", stills.join(", "));
        output::remark_on(Path::new(output), &rest);
        Ok(())
    }

    fn script(&self) -> Result<(String, String), Failure> {
        let demo = self.demo.as_deref().and_then(demos::find);
        if let Some(demo) = demo {
            return Ok((demo.name.to_owned(), demo.text.to_owned()));
        }
        let name = self.keys.as_deref().unwrap_or("-");
        Ok(files::read_script(name)?)
    }

    /// The folder for all files written by the script.
    fn folder(&self, output: &str) -> PathBuf {
        let beside = Path::new(output).parent().map(Path::to_path_buf);
        self.stills.clone().or(beside).unwrap_or_default()
    }
}

fn demo_names() -> PossibleValuesParser {
    PossibleValuesParser::new(demos::ALL.iter().map(|demo| demo.name))
}

fn size(text: &str) -> Result<(u16, u16), String> {
    let wanted = "this must be columns and rows from 1 to 1000 each, as in 120x40";
    script::size(text).ok_or_else(|| wanted.to_owned())
}
