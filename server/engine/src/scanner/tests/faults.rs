//! Whatever clamd does wrong, no file is clean by it.

use std::time::Duration;

use super::{
    Address, PATIENT, Patience, Scanner, Standing, Verdict,
    false_clamd::{FalseClamd, Manner},
    reason, scan,
};

/// More than sockets hold on the way.
const LARGE: usize = 16 << 20;

async fn told(manner: Manner, content: &[u8], patience: Patience) -> Verdict {
    let clamd = FalseClamd::start(manner).await;
    let scanner = Scanner::new(clamd.address.clone(), patience, 32 << 20);
    scan(&scanner, content).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_answer_after_the_whole_file_is_a_verdict() {
    let told = async |answer| told(Manner::Says(answer), &[7; 200_000], PATIENT).await;
    assert_eq!(told(b"stream: OK\0").await, Verdict::Clean);
    assert_eq!(told(b"stream: Worm FOUND\0").await, Verdict::Infected { signature: "Worm".to_owned() });
    assert_eq!(told(b"INSTREAM size limit exceeded. ERROR\0").await, Verdict::TooLarge);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_is_cut_off_or_garbled_is_none() {
    for answer in [
        &b""[..],
        b"stream: O",
        b"stream: OK",
        b"stream: OK\n",
        b"stream: OK\0stream: Worm FOUND\0",
        b"\0",
        b"OK\0",
        b"stream: Worm",
        b"stream: \xff FOUND\0",
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"stream: something went wrong ERROR\0",
    ] {
        let verdict = told(Manner::Says(answer), b"a face", PATIENT).await;
        let answer = String::from_utf8_lossy(answer);
        match verdict {
            Verdict::Failed { .. } => {}
            // A letter that is none is shown as one, and it is still a name.
            Verdict::Infected { .. } if answer.contains("FOUND") => {}
            other => panic!("{answer:?}: {other:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_comes_before_the_end_of_the_file_is_none_but_for_its_limit() {
    let early = async |answer| told(Manner::SaysEarly(answer), &vec![7; LARGE], PATIENT).await;
    assert_eq!(reason(early(b"stream: OK\0").await), "clamd answered before it had the whole file");
    assert_eq!(reason(early(b"stream: Worm FOUND\0").await), "clamd answered before it had the whole file");
    assert_eq!(early(b"INSTREAM size limit exceeded. ERROR\0").await, Verdict::TooLarge);
    assert_eq!(reason(early(b"stream: O").await), "clamd's answer was cut off");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_is_closed_in_the_middle_is_no_verdict() {
    let verdict = told(Manner::Closes, &vec![7; LARGE], PATIENT).await;
    let reason = reason(verdict);
    assert!(reason.contains("broke off") || reason.contains("cut off"), "{reason}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_says_nothing_takes_nothing_or_never_ends_is_left() {
    let short = Duration::from_millis(300);
    let patience = Patience { stall: short, answer: short, ..PATIENT };
    let silent = reason(told(Manner::KeepsSilent, b"a face", patience).await);
    assert_eq!(silent, "clamd does not answer within 0.3 s");
    let stalled = reason(told(Manner::StopsReading, &vec![7; LARGE], patience).await);
    assert!(stalled.starts_with("clamd took no more of the file after"), "{stalled}");
    let endless = reason(told(Manner::NeverEnds, b"a face", PATIENT).await);
    assert!(endless.starts_with("clamd's answer makes no sense: \"stream: stream"), "{endless}");
}

#[tokio::test(flavor = "multi_thread")]
async fn where_nobody_listens_every_scan_fails_at_once_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let address = Address::Unix(folder.path().join("nobody"));
    let scanner = Scanner::new(address, PATIENT, 1 << 20);
    assert!(matches!(scanner.standing(), Standing::Untested));
    let Verdict::Away { reason } = scan(&scanner, b"a face").await else { panic!("it is away") };
    assert!(reason.starts_with("cannot connect to clamd at unix:///"), "{reason}");
    assert!(scanner.standing().is_down());
    assert!(scanner.standing().trouble().unwrap().contains("cannot connect"));
    assert!(scanner.version().await.unwrap_err().contains("cannot connect"));
    assert_eq!(scanner.tally().failed, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_break_clamd_proves_itself_anew() {
    let clamd = FalseClamd::start(Manner::Closes).await;
    let scanner = Scanner::new(clamd.address.clone(), PATIENT, 1 << 20);
    assert!(!scanner.test().await.is_down());
    reason(scan(&scanner, b"a face").await);
    assert!(matches!(scanner.standing(), Standing::Untested));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clamd_that_finds_nothing_is_believed_nothing() {
    // Whatever it is asked about, the self-test included, it says that it is clean.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = Address::Tcp(listener.local_addr().unwrap().to_string());
    let serving = tokio::spawn(async move {
        loop {
            let (mut socket, _) = listener.accept().await.unwrap();
            tokio::spawn(async move {
                let mut all = Vec::new();
                use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
                while !all.ends_with(&[0; 4]) {
                    if socket.read_buf(&mut all).await.unwrap_or(0) == 0 {
                        return;
                    }
                }
                drop(socket.write_all(b"stream: OK\0").await);
            });
        }
    });
    let scanner = Scanner::new(address, PATIENT, 1 << 20);
    let Verdict::Away { reason } = scan(&scanner, b"a face").await else { panic!("it was not asked") };
    assert_eq!(reason, "clamd does not find the EICAR test file: its signatures are not loaded");
    serving.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_shorter_or_longer_than_was_said_is_not_scanned() {
    let clamd = FalseClamd::start(Manner::Says(b"stream: OK\0")).await;
    let scanner = Scanner::new(clamd.address.clone(), PATIENT, 1 << 20);
    let content = super::file(b"a face");
    for bytes in [5, 7] {
        let reason = reason(scanner.scan(content.path(), bytes).await);
        assert!(reason.contains(&format!("where it had {bytes}")), "{reason}");
    }
    let gone = scanner.scan("/nowhere/at/all".as_ref(), 6).await;
    assert!(reason(gone).starts_with("the file cannot be read"));
}
