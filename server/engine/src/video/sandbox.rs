//! Runs a program that works on somebody else's file: bounded in time, memory and output, and killed when it is over.
//!
//! `prlimit` of util-linux sets the limits of the kernel before the program begins. What is left open to it: reading
//! files of this account, which its own arguments narrow down to one.

use std::{
    ffi::OsString,
    io::{self, Read},
    os::unix::process::{CommandExt as _, ExitStatusExt as _},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process_group, nice};
use tokio::{
    task::{JoinError, spawn_blocking},
    time::{sleep, timeout},
};

/// Address space that the code of a program and its libraries takes; it is mapped, not filled.
const MAPPED: u64 = 512 << 20;
/// How much of its complaints is kept.
const COMPLAINT: u64 = 4096;
/// How far it stands back behind what answers requests, in steps of niceness.
const STEPS_BACK: i32 = 5;
/// Files that it may have open: itself, its libraries one after the other, the video, three streams.
const FILES: u32 = 64;

/// What one run may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// Bytes of memory.
    pub(super) memory: u64,
    /// Bytes on standard output.
    pub(super) output: u64,
    /// Time by the clock; so much processor time, too.
    pub(super) wall: Duration,
}

/// How a program ended.
#[derive(Debug)]
pub(super) struct Ran {
    pub(super) success: bool,
    pub(super) output: Vec<u8>,
    /// The beginning of what it wrote to standard error.
    pub(super) complaint: String,
}

/// Why it did not end by itself.
#[derive(Debug)]
pub(super) enum Broken {
    TooSlow,
    /// It wrote more than it may, or the kernel killed it at one of its limits.
    TooMuch,
    Failed(String),
}

impl From<io::Error> for Broken {
    fn from(error: io::Error) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<JoinError> for Broken {
    fn from(error: JoinError) -> Self {
        Self::Failed(error.to_string())
    }
}

/// Runs `program` to its end, or to the end of its bounds. Dropping the future kills it. `guard` is held for as long as there
/// is a process, also where nobody waits for it any more.
pub(super) async fn run<G: Send + 'static>(
    prlimit: &Path,
    program: &Path,
    arguments: &[OsString],
    bounds: Bounds,
    guard: G,
) -> Result<Ran, Broken> {
    let seconds = bounds.wall.as_secs().max(1);
    let mut command = Command::new(prlimit);
    command
        .arg(format!("--as={}", MAPPED.saturating_add(bounds.memory)))
        .arg(format!("--cpu={seconds}"))
        .args(["--fsize=0", "--core=0"])
        .arg(format!("--nofile={FILES}"))
        .arg(program)
        .args(arguments)
        .env_clear()
        // One heap for all threads, so that the address space is used for something.
        .env("MALLOC_ARENA_MAX", "1")
        .env("LC_ALL", "C")
        .current_dir("/")
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    // Owned from its first moment: whoever asked may be gone before it has begun.
    let start = move || spawn_behind(command).map(|child| Running { child, _guard: guard });
    let mut running = spawn_blocking(start).await??;
    let (stdout, stderr) = (running.child.stdout.take(), running.child.stderr.take());
    let output = spawn_blocking(move || at_most(stdout, bounds.output));
    let complaint = spawn_blocking(move || beginning(stderr));
    let work = async {
        let output = output.await??.ok_or(Broken::TooMuch)?;
        let complaint = complaint.await??;
        let status = running.ended().await?;
        if status.signal().is_some() {
            return Err(Broken::TooMuch);
        }
        Ok(Ran { success: status.success(), output, complaint })
    };
    timeout(bounds.wall, work).await.unwrap_or(Err(Broken::TooSlow))
}

/// Starts it at a lower priority, like renders: requests are answered first.
fn spawn_behind(mut command: Command) -> io::Result<Child> {
    // A process takes the priority of the thread that starts it, and a thread of the pool must keep its own.
    thread::scope(|scope| {
        let spawn = move || {
            // At the priority of requests it would be right, too, only less kind.
            let _ = nice(STEPS_BACK);
            command.spawn()
        };
        scope.spawn(spawn).join().unwrap_or_else(|_| Err(io::Error::other("the thread that starts it panicked")))
    })
}

/// A process that does not outlive its owner.
struct Running<G> {
    child: Child,
    _guard: G,
}

impl<G> Running<G> {
    /// Its streams are closed: it has as good as ended.
    async fn ended(&mut self) -> io::Result<ExitStatus> {
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            sleep(Duration::from_millis(2)).await;
        }
    }
}

impl<G> Drop for Running<G> {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(Some(_))) {
            return;
        }
        // It leads a group of its own: whatever it has started goes with it. Killed, it is gone within the moment.
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        let _ = self.child.wait();
    }
}

/// All that comes, or nothing where it is more than `most`.
fn at_most(stream: Option<impl Read>, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut content = Vec::new();
    if let Some(stream) = stream {
        stream.take(most.saturating_add(1)).read_to_end(&mut content)?;
    }
    Ok((content.len() as u64 <= most).then_some(content))
}

/// The beginning of what comes. The rest is read, too: a full pipe would stop the program.
fn beginning(stream: Option<impl Read>) -> io::Result<String> {
    let mut content = Vec::new();
    if let Some(mut stream) = stream {
        stream.by_ref().take(COMPLAINT).read_to_end(&mut content)?;
        io::copy(&mut stream, &mut io::sink())?;
    }
    Ok(String::from_utf8_lossy(&content).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds { memory: 64 << 20, output: 1 << 20, wall: Duration::from_secs(60) };

    async fn shell(script: &str, bounds: Bounds) -> Result<Ran, Broken> {
        let arguments = ["-c".into(), script.into()];
        run(Path::new("/usr/bin/prlimit"), Path::new("/bin/sh"), &arguments, bounds, ()).await
    }

    #[tokio::test]
    async fn what_a_program_says_comes_back_and_it_sees_nothing_of_ours() {
        let ran = shell("pwd; echo \"$HOME$AVATARS_DATA$CARGO_MANIFEST_DIR.\"; cat; echo no >&2; exit 3", BOUNDS).await;
        let Ran { success, output, complaint } = ran.unwrap();
        assert_eq!((success, output.as_slice(), complaint.as_str()), (false, &b"/\n.\n"[..], "no\n"));
    }

    #[tokio::test]
    async fn who_takes_too_long_is_killed() {
        let folder = tempfile::tempdir().unwrap();
        let mark = folder.path().display().to_string();
        let bounds = Bounds { wall: Duration::from_millis(300), ..BOUNDS };
        let script = format!("while :; do sleep 1; done # {mark}");
        assert!(matches!(shell(&script, bounds).await, Err(Broken::TooSlow)));
        assert!(!runs(&mark));
    }

    #[tokio::test]
    async fn who_is_not_waited_for_any_more_is_killed() {
        let folder = tempfile::tempdir().unwrap();
        let mark = folder.path().display().to_string();
        let script = format!("while :; do sleep 1; done # {mark}");
        let held = std::sync::Arc::new(());
        let guard = held.clone();
        let asking = tokio::spawn(async move {
            let arguments = ["-c".into(), script.into()];
            run(Path::new("/usr/bin/prlimit"), Path::new("/bin/sh"), &arguments, BOUNDS, guard).await.map(drop)
        });
        while !runs(&mark) {
            tokio::task::yield_now().await;
        }
        asking.abort();
        assert!(asking.await.unwrap_err().is_cancelled());
        let gone = async {
            while runs(&mark) || std::sync::Arc::strong_count(&held) > 1 {
                tokio::task::yield_now().await;
            }
        };
        timeout(BOUNDS.wall, gone).await.unwrap();
    }

    /// Whether a shell runs whose script has this in it.
    fn runs(mark: &str) -> bool {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        processes
            .filter_map(|process| std::fs::read(process.path().join("cmdline")).ok())
            .any(|line| String::from_utf8_lossy(&line).contains(mark))
    }

    #[tokio::test]
    async fn who_says_too_much_is_killed() {
        assert!(matches!(shell("while :; do echo more; done", BOUNDS).await, Err(Broken::TooMuch)));
        let exactly = shell("printf 12345", Bounds { output: 5, ..BOUNDS }).await.unwrap();
        assert_eq!(exactly.output, b"12345");
        assert!(matches!(shell("printf 123456", Bounds { output: 5, ..BOUNDS }).await, Err(Broken::TooMuch)));
    }

    #[tokio::test]
    async fn who_complains_without_end_is_not_stopped_by_a_full_pipe() {
        let ran =
            shell("i=0; while [ $i -lt 9999 ]; do echo complaint $i >&2; i=$((i+1)); done", BOUNDS).await.unwrap();
        assert!(ran.success);
        assert_eq!(ran.complaint.len() as u64, COMPLAINT);
    }

    #[tokio::test]
    async fn processor_time_memory_and_files_are_bounded_by_the_kernel() {
        let bounds = Bounds { wall: Duration::from_secs(60), ..BOUNDS };
        let limits = shell("ulimit -v; ulimit -t; ulimit -f; ulimit -c; ulimit -n", bounds).await.unwrap();
        let limits = String::from_utf8(limits.output).unwrap();
        let space = ((MAPPED + BOUNDS.memory) / 1024).to_string();
        assert_eq!(limits.lines().collect::<Vec<_>>(), [&space, "60", "0", "0", "64"]);

        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("written");
        let written = shell(&format!("echo something > {}", target.display()), BOUNDS).await;
        assert!(!written.is_ok_and(|ran| ran.success));
        assert_eq!(std::fs::metadata(&target).map_or(0, |data| data.len()), 0);
        // Doubled until there is no more: a shell keeps its variables in memory.
        let hungry = shell("a=aaaaaaaaaaaaaaaa; while :; do a=$a$a; done", BOUNDS).await;
        assert!(!hungry.is_ok_and(|ran| ran.success));
    }
}
