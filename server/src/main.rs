//! The program `avatars`: reads the command line and hands over to [`server::commands`].

use std::process::ExitCode;

fn main() -> ExitCode {
    server::commands::main()
}
