//! Against a real clamd, with signatures written by hand.

use std::sync::Arc;

use tokio::task::JoinSet;

use super::{
    Address, PATIENT, Scanner, Standing, Verdict,
    clamd::{Clamd, MARK},
    file, scan,
};

const MIB: usize = 1 << 20;

fn scanner(clamd: &Clamd, largest: usize) -> Scanner {
    Scanner::new(clamd.address().parse().unwrap(), PATIENT, largest as u64)
}

fn infected(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Infected { signature } if signature.starts_with("Avatars.Test"))
}

#[tokio::test(flavor = "multi_thread")]
async fn clean_and_infected_are_told_apart_over_both_kinds_of_socket() {
    let Some(clamd) = Clamd::start("") else { return };
    for address in [clamd.address(), clamd.tcp_address()] {
        let scanner = Scanner::new(address.parse().unwrap(), PATIENT, 50 << 20);
        assert_eq!(scan(&scanner, b"").await, Verdict::Clean);
        assert_eq!(scan(&scanner, b"a face").await, Verdict::Clean);
        assert!(infected(&scan(&scanner, MARK).await));
        // At the very end of a large file, over the borders of what is sent at a time.
        let mut large = vec![7; 3 * MIB];
        large.extend_from_slice(MARK);
        assert!(infected(&scan(&scanner, &large).await));
        assert_eq!(scanner.standing().trouble(), None);
        assert_eq!(scanner.version().await.unwrap().signatures, None);
        let tally = scanner.tally();
        assert_eq!((tally.clean, tally.infected, tally.failed), (2, 2, 0));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_byte_over_the_stream_limit_is_too_large_and_never_clean() {
    let Some(clamd) = Clamd::start("StreamMaxLength 1M") else { return };
    let scanner = scanner(&clamd, 8 * MIB);
    let trouble = scanner.test().await.trouble().unwrap();
    assert!(trouble.contains("8388608 bytes") && trouble.contains("StreamMaxLength"), "{trouble}");
    for _ in 0..20 {
        assert_eq!(scan(&scanner, &vec![7; MIB]).await, Verdict::Clean, "exactly at the limit");
        assert_eq!(scan(&scanner, &vec![7; MIB + 1]).await, Verdict::TooLarge);
        assert_eq!(scan(&scanner, &vec![7; 6 * MIB]).await, Verdict::TooLarge);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clamd_that_calls_large_files_clean_without_looking_is_not_believed() {
    // Above MaxFileSize clamd answers OK.
    for setting in ["MaxFileSize 1M", "MaxFileSize 1M\nAlertExceedsMax yes"] {
        let Some(clamd) = Clamd::start(setting) else { return };
        let scanner = scanner(&clamd, 8 * MIB);
        let mut marked = vec![7; 2 * MIB];
        marked.extend_from_slice(MARK);
        assert_eq!(scan(&scanner, &marked).await, Verdict::TooLarge, "{setting}");
        assert_eq!(scan(&scanner, &vec![7; MIB]).await, Verdict::Clean, "{setting}");
        assert_eq!(scan(&scanner, &vec![7; MIB + 1]).await, Verdict::TooLarge, "{setting}");
        assert!(matches!(scanner.standing(), Standing::Passed(_)));
        assert!(scanner.standing().trouble().is_some());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_signatures_nothing_is_clean() {
    let Some(clamd) = Clamd::start_with_signatures("", "Nothing.Of.Use:0:*:00112233445566778899aabbccddeeff\n") else {
        return;
    };
    let Verdict::Away { reason } = scan(&scanner(&clamd, MIB), b"a face").await else { panic!("it was not asked") };
    assert!(reason.contains("does not find the EICAR test file"), "{reason}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_scans_at_once_over_tcp_are_all_told_right() {
    let Some(clamd) = Clamd::start("") else { return };
    let scanner = Scanner::new(clamd.tcp_address().parse().unwrap(), PATIENT, 50 << 20);
    // As large as an office's photographs in every tenth case: a thousand of those take a slow machine many minutes.
    let noise = |bytes: usize, seed: u32| -> Vec<u8> {
        let mut state = seed | 1;
        let next = |_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        b"\xff\xd8\xff\xe0\0\x10JFIF\0".iter().copied().chain((0..bytes).map(next)).collect()
    };
    let (small, large) = (Arc::new(file(&noise(200 << 10, 3))), Arc::new(file(&noise(7 * MIB, 5))));
    let mut marked = noise(200 << 10, 7);
    marked.extend_from_slice(MARK);
    let marked = Arc::new(file(&marked));
    let mut scans = JoinSet::new();
    for number in 0..1000 {
        let (file, expected) = match number % 10 {
            0 => (&large, false),
            5 => (&marked, true),
            _ => (&small, false),
        };
        let (file, scanner) = (Arc::clone(file), scanner.clone());
        let bytes = file.as_file().metadata().unwrap().len();
        scans.spawn(async move {
            let verdict = scanner.scan(file.path(), bytes).await;
            assert_eq!(infected(&verdict), expected, "{verdict:?}");
            assert!(expected || verdict == Verdict::Clean, "{verdict:?}");
        });
    }
    while let Some(scanned) = scans.join_next().await {
        scanned.unwrap();
    }
    let tally = scanner.tally();
    assert_eq!((tally.clean, tally.infected, tally.too_large, tally.failed), (900, 100, 0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clamd_that_is_killed_and_started_again_is_never_taken_for_a_yes() {
    let Some(mut clamd) = Clamd::start("") else { return };
    let scanner = Scanner::new(clamd.tcp_address().parse().unwrap(), PATIENT, 50 << 20);
    assert!(!scanner.test().await.is_down());
    let large = Arc::new(file(&vec![7; 40 * MIB]));
    let scan = {
        let (scanner, large) = (scanner.clone(), Arc::clone(&large));
        tokio::spawn(async move { scanner.scan(large.path(), 40 << 20).await })
    };
    tokio::task::yield_now().await;
    clamd.stop();
    let verdict = scan.await.unwrap();
    // Either it was quick, or there is no verdict; the next one has none for certain.
    assert!(matches!(verdict, Verdict::Clean | Verdict::Failed { .. } | Verdict::Away { .. }), "{verdict:?}");
    assert!(matches!(super::scan(&scanner, b"a face").await, Verdict::Away { .. }));
    clamd.start_again();
    let deadline = tokio::time::Instant::now() + std::time::Duration::from_secs(60);
    while super::scan(&scanner, b"a face").await != Verdict::Clean {
        assert!(tokio::time::Instant::now() < deadline);
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
}

#[test]
fn addresses_are_told_from_what_is_none() {
    for text in ["tcp://127.0.0.1:3310", "tcp://clamav:3310", "tcp://[::1]:3310", "unix:///run/clamav/clamd.ctl"] {
        assert_eq!(text.parse::<Address>().unwrap().to_string(), text);
    }
    for wrong in [
        "",
        "clamav:3310",
        "tcp://",
        "tcp://clamav",
        "tcp://clamav:0",
        "tcp://clamav:99999",
        "tcp://:3310",
        "tcp://::1:3310",
        "tcp://a/b:1",
        "tcp://user@host:1",
        "unix://",
        "unix:///",
        "unix://relative",
        "http://clamav:3310",
    ] {
        assert!(wrong.parse::<Address>().is_err(), "{wrong}");
    }
}
