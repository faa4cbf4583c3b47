//! A real clamd of a test's own: a folder, a Unix socket and a port, and signatures written by hand, since the
//! official ones cannot be had where tests run. The tests of the scanner use this file, too.
//!
//! It ends with the test, even one that is killed: a shell waits for the end of a pipe that the test holds.

use std::{
    env, fs,
    net::{TcpListener, TcpStream},
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use tempfile::TempDir;

/// Whatever holds this is infected, wherever it stands: `Avatars.Test`.
pub(crate) const MARK: &[u8] = b"this is where a worm would be";

const SERVER: &str = r#"
"$CLAMD" --foreground --config-file="$FOLDER/clamd.conf" >"$FOLDER/output" 2>&1 &
clamd=$!
cat >/dev/null
kill -9 $clamd
"#;

pub(crate) struct Clamd {
    folder: TempDir,
    port: u16,
    shell: Option<Child>,
}

impl Clamd {
    /// With these lines in its configuration; nothing, said on standard error, where clamd is not installed.
    pub(crate) fn start(settings: &str) -> Option<Self> {
        // EICAR only at the beginning of a file, as in the official signatures; the mark anywhere.
        let eicar = ["X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-", "STANDARD-ANTIVIRUS-TEST-FILE!$H+H*"].concat();
        let signatures = format!("Eicar-Test:0:0:{}\nAvatars.Test:0:*:{}\n", hex(eicar.as_bytes()), hex(MARK));
        Self::start_with_signatures(settings, &signatures)
    }

    pub(crate) fn start_with_signatures(settings: &str, signatures: &str) -> Option<Self> {
        if program().is_none() {
            let wanted = env::var_os("AVATARS_TEST_CLAMD").is_some();
            assert!(!wanted, "AVATARS_TEST_CLAMD is set, but there is no clamd in PATH or /usr/sbin");
            eprintln!("clamd is not installed (Debian: clamav-daemon): this test proves nothing");
            return None;
        }
        let folder = tempfile::Builder::new().prefix("avatars-clamd-").tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).display().to_string();
        fs::create_dir(at("signatures")).unwrap();
        fs::write(at("signatures/test.ndb"), signatures).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let configuration = format!(
            "LocalSocket {}\nTCPSocket {port}\nTCPAddr 127.0.0.1\nDatabaseDirectory {}\nTemporaryDirectory {}\n{settings}\n",
            at("socket"),
            at("signatures"),
            folder.path().display(),
        );
        fs::write(at("clamd.conf"), configuration).unwrap();
        let mut clamd = Self { folder, port, shell: None };
        clamd.start_again();
        Some(clamd)
    }

    /// After [`Self::stop`]: the same clamd at the same address.
    pub(crate) fn start_again(&mut self) {
        let shell = Command::new("sh")
            .args(["-c", SERVER])
            .env("CLAMD", program().unwrap())
            .env("FOLDER", self.folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("a shell for clamd");
        self.shell = Some(shell);
        let deadline = Instant::now() + Duration::from_secs(60);
        let socket = self.folder.path().join("socket");
        while UnixStream::connect(&socket).is_err() || TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            let output = fs::read_to_string(self.folder.path().join("output")).unwrap_or_default();
            assert!(Instant::now() < deadline, "clamd did not start: {output}");
            sleep(Duration::from_millis(20));
        }
    }

    /// Ends it at once, in the middle of whatever it does.
    pub(crate) fn stop(&mut self) {
        if let Some(mut shell) = self.shell.take() {
            drop(shell.stdin.take());
            shell.wait().unwrap();
        }
    }

    /// As the setting `AVATARS_CLAMD` takes it.
    pub(crate) fn address(&self) -> String {
        format!("unix://{}", self.folder.path().join("socket").display())
    }

    pub(crate) fn tcp_address(&self) -> String {
        format!("tcp://127.0.0.1:{}", self.port)
    }
}

impl Drop for Clamd {
    fn drop(&mut self) {
        self.stop();
    }
}

fn program() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain([Path::new("/usr/sbin").to_owned()]);
    folders.map(|folder| folder.join("clamd")).find(|program| program.is_file())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
