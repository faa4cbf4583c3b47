//! The program `avatars`: reads the command line and hands over to [`server::commands`].

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Gives back to the system what large pictures and password hashes have taken: the C library's allocator keeps blocks of
/// theirs for each thread that once had one. `make load` shows what is left after storms.
#[global_allocator]
static MEMORY: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    server::commands::main()
}
