//! A real clamd where one is installed, and a false one for what a real one cannot be made to do.

#[path = "../../../tests/it/support/clamd.rs"]
mod clamd;
mod false_clamd;
mod faults;
mod real;

use std::{io::Write as _, time::Duration};

use tempfile::NamedTempFile;

use super::{Address, Patience, Scanner, Standing, Verdict};

/// What a test can wait for, on a machine that does much else.
const PATIENT: Patience = Patience {
    connect: Duration::from_secs(30),
    stall: Duration::from_secs(60),
    short_answer: Duration::from_secs(60),
    answer: Duration::from_secs(120),
};

fn file(content: &[u8]) -> NamedTempFile {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(content).unwrap();
    file
}

async fn scan(scanner: &Scanner, content: &[u8]) -> Verdict {
    scanner.scan(file(content).path(), content.len() as u64).await
}

fn reason(verdict: Verdict) -> String {
    match verdict {
        Verdict::Failed { reason } => reason,
        other => panic!("{other:?}"),
    }
}
