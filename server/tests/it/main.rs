//! The program from outside: the real binary, a real socket, real files.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panic")]

mod accounts;
mod archives;
mod authority;
mod command_line;
mod decisions;
mod failing;
mod fetch;
mod gc;
mod import;
mod media;
mod missing;
mod pages;
mod photographs;
mod quarantine;
mod scanning;
mod security;
mod storms;
mod support;
mod uploads;
mod verify;
mod video;
mod watched;
