//! A PostgreSQL of the tests' own: one server for each test program, one schema for each test.
//!
//! It lives in a temporary folder, listens on a socket there and nowhere else, and ends with the program, even one
//! that is killed: a shell waits for the end of a pipe that the program holds.

use std::{
    env,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
};

use sqlx::{ConnectOptions as _, Connection as _, postgres::PgConnectOptions};

/// Runs as who owns the server, which must not be root. Prints the folder when the server answers.
const SERVER: &str = r#"
set -e
folder=$(mktemp -d /tmp/avatars-postgres-XXXXXX)
stop() { "$BIN/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1 || true; rm -rf "$folder"; }
trap stop EXIT
"$BIN/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --no-sync >"$folder/log" 2>&1
"$BIN/pg_ctl" -D "$folder/data" -w -l "$folder/log" \
    -o "-c listen_addresses='' -k $folder -c fsync=off -c max_connections=400" start >/dev/null 2>&1
echo "$folder"
cat >/dev/null
"#;

struct Server {
    folder: String,
    /// Its standard input is the pipe: it must stay open.
    _shell: Child,
}

/// The address of a fresh schema; nothing, said once on standard error, where PostgreSQL is not installed.
pub(super) async fn schema() -> Option<String> {
    static SERVER: OnceLock<Option<Server>> = OnceLock::new();
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let server = SERVER.get_or_init(start).as_ref()?;
    let name = format!("test_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
    let address = format!("postgres://postgres@localhost/postgres?host={}", server.folder);
    let options: PgConnectOptions = address.parse().unwrap();
    let mut connection = options.connect().await.unwrap();
    sqlx::query(sqlx::AssertSqlSafe(format!("create schema {name}"))).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    Some(format!("{address}&options=-csearch_path%3D{name}"))
}

fn start() -> Option<Server> {
    let Some(binaries) = binaries() else {
        assert!(
            env::var_os("AVATARS_TEST_POSTGRES").is_none(),
            "AVATARS_TEST_POSTGRES is set, but no initdb was found in /usr/lib/postgresql/*/bin or PATH"
        );
        eprintln!("PostgreSQL is not installed (Debian: postgresql): these tests run on SQLite alone");
        return None;
    };
    let root = Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout == b"0\n");
    let mut command = if root {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "sh", "-c", SERVER]);
        command
    } else {
        let mut command = Command::new("sh");
        command.args(["-c", SERVER]);
        command
    };
    let mut shell = command
        .current_dir("/")
        .env("BIN", &binaries)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a shell for PostgreSQL");
    let mut folder = String::new();
    BufReader::new(shell.stdout.take().unwrap()).read_line(&mut folder).unwrap();
    let folder = folder.trim().to_owned();
    assert!(!folder.is_empty(), "PostgreSQL in {} did not start", binaries.display());
    Some(Server { folder, _shell: shell })
}

fn binaries() -> Option<PathBuf> {
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let mut versions: Vec<PathBuf> = debian.flatten().map(|version| version.path().join("bin")).collect();
    versions.sort();
    let path = env::var_os("PATH").unwrap_or_default();
    let paths: Vec<PathBuf> = env::split_paths(&path).collect();
    let has_initdb = |folder: &&Path| folder.join("initdb").is_file();
    versions.iter().rev().chain(&paths).map(PathBuf::as_path).find(has_initdb).map(Path::to_owned)
}
