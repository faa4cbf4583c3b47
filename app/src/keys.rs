//! The one registry of keys: what the page listens to and what the sheet shows come from the same lines.

/// What a person can do by key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Approve,
    Reject,
    Undecide,
    Undo,
    Left,
    Right,
    Up,
    Down,
    First,
    Last,
    PageUp,
    PageDown,
    Open,
    Toggle,
    SelectAll,
    Clear,
    Zoom,
    Info,
    Play,
    Retry,
    Keys,
}

/// Where a key is listened to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Grid,
    Viewer,
    Both,
}

impl Place {
    fn holds(self, place: Place) -> bool {
        self == Place::Both || self == place
    }
}

/// The modifiers that count; with any other the key belongs to the browser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Held {
    /// Control, or Command on a Mac.
    pub(crate) ctrl: bool,
    pub(crate) alt: bool,
}

/// A key and what it does.
pub(crate) struct Binding {
    /// As in `KeyboardEvent.key`; letters in lower case.
    pub(crate) key: &'static str,
    /// Whether Control is held.
    pub(crate) ctrl: bool,
    pub(crate) place: Place,
    pub(crate) command: Command,
    /// What is printed on the cap.
    #[cfg_attr(not(feature = "ssr"), expect(dead_code, reason = "read where the sheet of keys is rendered"))]
    pub(crate) cap: &'static str,
}

/// A line of the sheet: what the bindings of these commands do, in words.
#[cfg(feature = "ssr")]
pub(crate) struct Line {
    pub(crate) commands: &'static [Command],
    pub(crate) says: &'static str,
}

const fn on(place: Place, key: &'static str, cap: &'static str, command: Command) -> Binding {
    Binding { key, ctrl: false, place, command, cap }
}

const fn ctrl(place: Place, key: &'static str, cap: &'static str, command: Command) -> Binding {
    Binding { key, ctrl: true, place, command, cap }
}

pub(crate) const BINDINGS: &[Binding] = &[
    on(Place::Both, "p", "P", Command::Approve),
    on(Place::Both, "x", "X", Command::Reject),
    on(Place::Both, "u", "U", Command::Undecide),
    on(Place::Both, "z", "Z", Command::Undo),
    ctrl(Place::Both, "z", "Ctrl Z", Command::Undo),
    on(Place::Both, "ArrowLeft", "←", Command::Left),
    on(Place::Both, "ArrowRight", "→", Command::Right),
    on(Place::Grid, "ArrowUp", "↑", Command::Up),
    on(Place::Grid, "ArrowDown", "↓", Command::Down),
    on(Place::Both, "Home", "Home", Command::First),
    on(Place::Both, "End", "End", Command::Last),
    on(Place::Grid, "PageUp", "Page ↑", Command::PageUp),
    on(Place::Grid, "PageDown", "Page ↓", Command::PageDown),
    on(Place::Grid, "Enter", "Enter", Command::Open),
    on(Place::Grid, " ", "Space", Command::Open),
    on(Place::Grid, "s", "S", Command::Toggle),
    ctrl(Place::Grid, "a", "Ctrl A", Command::SelectAll),
    on(Place::Grid, "Escape", "Esc", Command::Clear),
    on(Place::Viewer, "+", "+", Command::Zoom),
    on(Place::Viewer, "=", "+", Command::Zoom),
    on(Place::Viewer, "-", "−", Command::Zoom),
    on(Place::Viewer, "i", "I", Command::Info),
    on(Place::Viewer, " ", "Space", Command::Play),
    on(Place::Grid, "r", "R", Command::Retry),
    on(Place::Both, "?", "?", Command::Keys),
];

/// The sheet's groups, in the order of use.
#[cfg(feature = "ssr")]
pub(crate) const GROUPS: &[(&str, &[Line])] = &[
    (
        "Decide",
        &[
            Line { commands: &[Command::Approve], says: "Approve" },
            Line { commands: &[Command::Reject], says: "Reject" },
            Line { commands: &[Command::Undecide], says: "Back to undecided" },
            Line { commands: &[Command::Undo], says: "Undo the last act" },
        ],
    ),
    (
        "Move",
        &[
            Line {
                commands: &[Command::Left, Command::Right, Command::Up, Command::Down],
                says: "From picture to picture",
            },
            Line { commands: &[Command::First, Command::Last], says: "First, last" },
            Line { commands: &[Command::PageUp, Command::PageDown], says: "A screen up, down" },
            Line { commands: &[Command::Open], says: "Open large" },
        ],
    ),
    (
        "Select",
        &[
            Line { commands: &[Command::Toggle], says: "Select this picture; Shift + arrows select a range" },
            Line { commands: &[Command::SelectAll], says: "Select all on screen" },
            Line { commands: &[Command::Clear], says: "Clear the selection" },
        ],
    ),
    (
        "Large view",
        &[
            Line { commands: &[Command::Zoom], says: "Original size and back" },
            Line { commands: &[Command::Info], says: "Details and history" },
            Line { commands: &[Command::Play], says: "Play or pause a video" },
        ],
    ),
    (
        "Help",
        &[
            Line { commands: &[Command::Retry], says: "Load a missing preview again" },
            Line { commands: &[Command::Keys], says: "Show these keys" },
        ],
    ),
];

/// What `key` does at `place`, if anything. Shift is free: it extends a selection, and some keys need it to be typed.
pub(crate) fn command(key: &str, held: Held, place: Place) -> Option<Command> {
    if held.alt {
        return None;
    }
    BINDINGS
        .iter()
        .find(|binding| {
            binding.key.eq_ignore_ascii_case(key) && binding.ctrl == held.ctrl && binding.place.holds(place)
        })
        .map(|binding| binding.command)
}

/// The caps that lead to any of `commands`, each once: some keys are printed alike.
#[cfg(feature = "ssr")]
pub(crate) fn caps(commands: &'static [Command]) -> Vec<&'static str> {
    let mut caps: Vec<_> =
        BINDINGS.iter().filter(|binding| commands.contains(&binding.command)).map(|binding| binding.cap).collect();
    caps.dedup();
    caps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_decides_in_either_case() {
        assert_eq!(command("p", Held::default(), Place::Grid), Some(Command::Approve));
        assert_eq!(command("P", Held::default(), Place::Viewer), Some(Command::Approve));
    }

    #[test]
    fn with_control_or_alt_a_letter_belongs_to_the_browser() {
        let ctrl = Held { ctrl: true, alt: false };
        assert_eq!(command("p", ctrl, Place::Grid), None, "Ctrl+P prints");
        assert_eq!(command("x", ctrl, Place::Grid), None, "Ctrl+X cuts");
        assert_eq!(command("z", ctrl, Place::Grid), Some(Command::Undo));
        assert_eq!(command("a", ctrl, Place::Grid), Some(Command::SelectAll));
        assert_eq!(command("z", Held { ctrl: true, alt: true }, Place::Grid), None);
    }

    #[test]
    fn no_two_bindings_claim_one_key_at_one_place() {
        for (at, one) in BINDINGS.iter().enumerate() {
            for other in &BINDINGS[at + 1..] {
                let same_place = one.place.holds(other.place) || other.place.holds(one.place);
                assert!(!(one.key == other.key && one.ctrl == other.ctrl && same_place), "{} is bound twice", one.key);
            }
        }
    }

    #[test]
    fn the_overlay_explains_every_binding() {
        for binding in BINDINGS {
            let told = GROUPS.iter().flat_map(|(_, lines)| *lines).any(|line| line.commands.contains(&binding.command));
            assert!(told, "{:?} is not in the overlay", binding.command);
        }
    }
}
