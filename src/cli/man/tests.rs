//! Tests of `man`.

use super::*;

fn plain(page: &str) -> String {
    page.replace("\\-", "-").replace("\\fB", "").replace("\\fR", "").replace("\\fI", "")
}

#[test]
fn every_option_of_every_command_stands_in_its_page() {
    let mut definition = super::super::definition();
    definition.build();
    let mut options = 0;
    for command in pages(&definition) {
        let page = plain(&text(command).unwrap());
        for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
            let Some(long) = argument.get_long() else { continue };
            options += 1;
            assert!(page.contains(&format!("--{long}")), "{}: {long}", page_name(command));
        }
        assert!(page.contains(".SH \"EXIT STATUS\""), "{page}");
    }
    assert!(options > 60, "{options}");
}

#[test]
fn the_programs_page_has_keys_files_variables_and_commands() {
    let mut definition = super::super::definition();
    definition.build();
    let page = plain(&text(&definition).unwrap());
    for binding in BINDINGS {
        // At the beginning of a line an apostrophe or a dot would be a request.
        assert!(page.contains(&binding.help.replace('\'', "\\*(Aq")), "{}", binding.help);
    }
    for (name, _) in FILES.iter().chain(ENVIRONMENT) {
        assert!(page.contains(name), "{name}");
    }
    for owner in pages(&definition) {
        let page = plain(&text(owner).unwrap());
        let listed = |it: &&Command| !it.is_hide_set() && it.get_name() != "help";
        for command in owner.get_subcommands().filter(listed) {
            assert!(page.contains(page_name(command)), "{page}");
        }
    }
    assert!(page.contains("fps: 30,") && !page.contains("bench-case"));
}
