//! Exit codes, and one clear line on standard error.

use crate::support::Studio;

#[test]
fn a_wrong_usage_ends_with_two_and_one_line() {
    let studio = Studio::new();
    for words in [
        &["no-such-command"][..],
        &["import"],
        &["import", "x", "--family", "UPPER", "--subject", "s", "--batch", "b"],
        &["grant", "rowan", "emperor", "reed"],
        &["serve", "--listen", "nowhere"],
        &["serve", "--media-wait", "soon"],
        &["serve", "--upload-limit", "2GiB", "--memory-budget", "1GiB"],
        &["serve", "--presets", "banner=cover 1500x500 gif"],
        &["serve", "--scan", "clamd"],
    ] {
        let ran = studio.run(words);
        assert_eq!(ran.code, Some(2), "avatars {words:?}: {ran:?}");
        assert_eq!(ran.stderr.lines().count(), 1, "avatars {words:?}: {ran:?}");
        assert_eq!(ran.stdout, "");
    }
}

#[test]
fn every_command_has_help() {
    let studio = Studio::new();
    for command in ["serve", "demo", "import", "account", "grant", "revoke", "token", "verify", "gc"] {
        assert!(studio.ok(&[command, "--help"]).contains("Usage: avatars"), "{command}");
    }
}

#[test]
fn what_cannot_be_done_ends_with_one() {
    let studio = Studio::new();
    studio.account("ada", &["--admin"]);
    for words in [
        &["account", "disable", "nobody"][..],
        &["grant", "nobody", "viewer", "reed"],
        &["grant", "ada", "viewer", "no-such-family"],
        &["revoke", "ada", "reed"],
        &["token", "revoke", "nothing"],
    ] {
        let ran = studio.run(words);
        assert_eq!(ran.code, Some(1), "avatars {words:?}: {ran:?}");
        assert_eq!(ran.stderr.lines().count(), 1, "avatars {words:?}: {ran:?}");
    }
    let again = studio.run_with_input(&["account", "add", "ada"], "x-password\n");
    assert_eq!(again.code, Some(1), "{again:?}");
    let empty = studio.run_with_input(&["account", "add", "rowan"], "\n");
    assert_eq!(empty.code, Some(1), "an empty password: {empty:?}");
}

#[test]
fn accounts_are_listed_with_their_grants() {
    let studio = Studio::with_batch(1);
    studio.ok(&["account", "disable", "ada"]);
    let list = studio.ok(&["account", "list"]);
    let line = |name: &str| list.lines().find(|line| line.contains(name)).unwrap().to_owned();
    assert!(line("ada").contains("disabled"), "{list}");
    assert!(line("rowan").contains("reviewer reed"), "{list}");
}

#[test]
fn a_server_that_is_asked_to_end_ends_with_zero() {
    let studio = Studio::new();
    assert_eq!(studio.serve(&[]).terminate(), Some(0));
}

#[test]
fn the_doctor_says_whether_each_part_answers() {
    let studio = Studio::new();
    let told = studio.ok(&["doctor"]);
    for part in ["database", "authority", "store"] {
        assert!(told.lines().any(|line| line.starts_with(&format!("  ok      {part}"))), "{part} in {told}");
    }
    // A port that nobody listens on any more.
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let ran = studio.run(&["doctor", "--authority-url", &format!("http://{nobody}/")]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("failed  authority"), "{ran:?}");
}
