//! The binary `avatars`, run for one command or as a server.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc,
};

use tempfile::TempDir;

use super::Client;

const PROGRAM: &str = env!("CARGO_BIN_EXE_avatars");

/// A data folder, and commands run on it.
pub(crate) struct Studio {
    folder: TempDir,
}

/// What a command printed and how it ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Studio {
    /// An empty one.
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// One with the batch `spring` of the family `reed`, subject `ida`: `count` different pictures; an admin `ada`,
    /// and `rowan`, who reviews.
    pub(crate) fn with_batch(count: u32) -> Self {
        let studio = Self::new();
        let pictures = studio.path("incoming");
        super::write_pictures(&pictures, 0..count);
        studio.ok(&["import", pictures.to_str().unwrap(), "--family", "reed", "--subject", "ida", "--batch", "spring"]);
        studio.account("ada", &["--admin"]);
        studio.account("rowan", &[]);
        studio.ok(&["grant", "rowan", "reviewer", "reed"]);
        studio
    }

    /// Adds an account; its password is its name and `-password`.
    pub(crate) fn account(&self, name: &str, flags: &[&str]) {
        let ran = self.run_with_input(&[&["account", "add", name], flags].concat(), &format!("{name}-password\n"));
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.path("data")
    }

    /// Runs a command to its end.
    pub(crate) fn run(&self, words: &[&str]) -> Ran {
        self.run_with_input(words, "")
    }

    pub(crate) fn run_with_input(&self, words: &[&str], input: &str) -> Ran {
        Self::finish(self.command(PROGRAM, words), input)
    }

    /// Runs a command where no other program can be found.
    pub(crate) fn run_alone(&self, words: &[&str]) -> Ran {
        let mut command = self.command(PROGRAM, words);
        command.env("PATH", "");
        Self::finish(command, "")
    }

    fn finish(mut command: Command, input: &str) -> Ran {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // A program that ends without reading its input is no fault of the test's.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        Ran {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs a command that must succeed; returns what it printed.
    pub(crate) fn ok(&self, words: &[&str]) -> String {
        let ran = self.run(words);
        assert_eq!(ran.code, Some(0), "avatars {words:?}: {ran:?}");
        ran.stdout
    }

    /// Serves with these settings; returns once it listens.
    pub(crate) fn serve(&self, settings: &[(&str, &str)]) -> Server {
        self.serve_through(PROGRAM, &[], settings)
    }

    /// Serves under a limit of open files.
    pub(crate) fn serve_with_open_files(&self, limit: u32, settings: &[(&str, &str)]) -> Server {
        let script = format!("ulimit -n {limit} && exec {PROGRAM} serve");
        self.serve_through("sh", &["-c", &script], settings)
    }

    fn serve_through(&self, program: &str, words: &[&str], settings: &[(&str, &str)]) -> Server {
        let words: &[&str] = if words.is_empty() { &["serve"] } else { words };
        let mut command = self.command(program, words);
        command.env("AVATARS_LISTEN", "127.0.0.1:0").envs(settings.iter().copied());
        Server::start(command)
    }

    fn command(&self, program: &str, words: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(words).current_dir(self.folder.path()).env("AVATARS_DATA", self.data());
        command
    }
}

/// A running server; it is killed when it is dropped.
pub(crate) struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let (send, receive) = mpsc::channel();
        let stdout = child.stdout.take().unwrap();
        // Reads on after the address: a full pipe would stop the server.
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if let Some((_, address)) = line.split_once("http://") {
                    let _ = send.send(address.trim().to_owned());
                }
            }
        });
        let address = receive.recv_timeout(std::time::Duration::from_secs(60)).expect("the server prints its address");
        Self { child, address }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// A client that is nobody.
    pub(crate) fn stranger(&self) -> Client {
        Client::new(self.url(""))
    }

    /// A client signed in as an account made by [`Studio::account`].
    pub(crate) async fn client(&self, name: &str) -> Client {
        let client = self.stranger();
        client.sign_in(name, &format!("{name}-password")).await;
        client
    }

    /// How many files the server has open.
    pub(crate) fn open_files(&self) -> usize {
        std::fs::read_dir(Path::new("/proc").join(self.child.id().to_string()).join("fd")).unwrap().count()
    }

    /// The most memory that was ever resident, in bytes. The kernel notes it only now and then: a moment later it may tell
    /// of less.
    pub(crate) fn peak_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap() << 10
    }

    /// Ends it at once, as a power cut would.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Asks it to end; returns its exit code.
    pub(crate) fn terminate(mut self) -> Option<i32> {
        rustix::process::kill_process(rustix::process::Pid::from_child(&self.child), rustix::process::Signal::TERM)
            .unwrap();
        self.child.wait().unwrap().code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
