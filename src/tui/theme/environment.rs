//! Reads the description of the terminal from the environment.

use super::{Depth, Kind};

/// Values of `TERM` for terminals with 24-bit colours; unlike `COLORTERM`, `TERM` is passed over
/// ssh.
const TRUE_TERMS: [&str; 8] =
    ["-direct", "alacritty", "contour", "foot", "ghostty", "kitty", "rio", "wezterm"];
/// Programs with 24-bit colours, identified by their own variables.
const TRUE_PROGRAMS: [&str; 8] =
    ["ghostty", "Hyper", "iTerm.app", "mintty", "rio", "vscode", "WezTerm", "WT_SESSION"];

/// The environment's description of a terminal.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// `NO_COLOR`, if set and not empty.
    pub no_color: bool,
    /// `COLORTERM`.
    pub colorterm: String,
    /// `TERM`.
    pub term: String,
    /// `TERM_PROGRAM`, or `WT_SESSION` if set.
    pub program: String,
    /// `COLORFGBG`: numbers of foreground and background, if provided by the terminal.
    pub colorfgbg: String,
    /// True for a light background, as reported by the terminal.
    pub light: Option<bool>,
    /// True if the terminal reported support of 24-bit colours.
    pub all_colours: bool,
    /// `VTE_VERSION`, set by terminals of GNOME and others.
    pub vte: String,
    /// `LC_ALL`, otherwise `LC_CTYPE`, otherwise `LANG`.
    pub locale: String,
}

impl Environment {
    /// Reads the process's environment.
    pub fn read() -> Self {
        let read = |name| std::env::var(name).unwrap_or_default();
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
            .into_iter()
            .map(read)
            .find(|value| !value.is_empty())
            .unwrap_or_default();
        Self {
            no_color: !read("NO_COLOR").is_empty(),
            colorterm: read("COLORTERM"),
            term: read("TERM"),
            program: if read("WT_SESSION").is_empty() {
                read("TERM_PROGRAM")
            } else {
                "WT_SESSION".to_owned()
            },
            colorfgbg: read("COLORFGBG"),
            light: None,
            all_colours: false,
            vte: read("VTE_VERSION"),
            locale,
        }
    }

    /// True if the terminal supports neither queries about colours nor window titles.
    pub fn is_plain(&self) -> bool {
        ["dumb", "linux", "vt52", "vt100", "vt102", "vt220"].contains(&self.term.as_str())
    }

    /// The default look.
    pub fn kind(&self) -> Kind {
        if self.no_color || self.is_plain() && self.term != "linux" {
            return Kind::Mono;
        }
        let told = self.colorfgbg.rsplit(';').next().and_then(|back| back.parse::<u8>().ok());
        let light = self.light.or(told.map(|back| matches!(back, 7 | 9..=15)));
        if light == Some(true) { Kind::Light } else { Kind::Dark }
    }

    /// The number of colours claimed by the terminal.
    pub fn depth(&self) -> Depth {
        let says = |names: &[&str], said: &str| names.iter().any(|name| said.contains(name));
        if self.all_colours
            || self.colorterm == "truecolor"
            || self.colorterm == "24bit"
            || says(&TRUE_TERMS, &self.term)
            || says(&TRUE_PROGRAMS, &self.program)
        {
            Depth::True
        } else if self.term.contains("256color") {
            Depth::Xterm
        } else {
            Depth::Sixteen
        }
    }

    /// True if the terminal is known to support hyperlinks (OSC 8). A multiplexer, which may drop
    /// hyperlinks, is recognised by its `TERM`.
    pub fn knows_links(&self) -> bool {
        let term = self.term.as_str();
        let between = ["tmux", "screen", "dumb", "linux"].iter().any(|it| term.starts_with(it));
        let by_name = TRUE_TERMS.iter().filter(|&&it| it != "-direct").any(|it| term.contains(it));
        let by_program = TRUE_PROGRAMS.iter().any(|it| self.program.contains(it));
        // Supported since version 0.50.
        let by_version = self.vte.parse::<u32>().is_ok_and(|version| version >= 5000);
        !between && (by_name || by_program || by_version)
    }

    /// True if only ASCII is safe.
    pub fn ascii(&self) -> bool {
        let locale = self.locale.to_ascii_lowercase();
        self.term == "linux" || !(locale.contains("utf-8") || locale.contains("utf8"))
    }
}
