use clap::{Args as _, Command, FromArgMatches as _};

use super::*;

fn settings(words: &[&str]) -> Settings {
    let command = Settings::augment_args(Command::new("avatars"));
    let matches = command.get_matches_from([&["avatars"], words].concat());
    Settings::from_arg_matches(&matches).unwrap()
}

fn refused(words: &[&str]) -> String {
    Config::resolve(&settings(words)).unwrap_err().to_string()
}

#[test]
fn the_defaults_resolve() {
    let config = Config::resolve(&settings(&[])).unwrap();
    assert_eq!(config.media.concurrency, 8);
    assert_eq!(config.upload_limit, 50 << 20);
    assert_eq!(config.write_idle, Duration::from_secs(15));
    assert!(config.memory_budget >= 256 << 20);
}

#[test]
fn fewer_than_one_slot_counts_as_one() {
    let config = Config::resolve(&settings(&["--media-concurrency", "0"])).unwrap();
    assert_eq!(config.media.concurrency, 1);
}

#[test]
fn a_value_that_does_not_parse_is_named_with_what_it_takes() {
    assert_eq!(refused(&["--write-idle", "soon"]), "--write-idle: \"soon\" is not a time such as 500ms, 15s or 2m");
    assert_eq!(refused(&["--media-cache", "yes"]), "--media-cache: \"yes\" is not one of no-store, revalidate");
}

#[test]
fn an_upload_larger_than_the_budget_cannot_work() {
    let reason = refused(&["--upload-limit", "2GiB", "--memory-budget", "1GiB"]);
    assert!(reason.contains("no file of that size"), "{reason}");
}

#[test]
fn scanning_needs_to_know_where_clamd_is() {
    assert_eq!(Config::resolve(&settings(&["--clamd", "unix:///run/clamd"])).unwrap().clamd, None, "it is off");
    let on = Config::resolve(&settings(&["--scan", "clamd", "--clamd", "tcp://scanner:3310"])).unwrap();
    assert_eq!(on.clamd.unwrap().to_string(), "tcp://scanner:3310");
    assert_eq!(on.scan_deadline, Duration::from_secs(10));
    assert!(refused(&["--scan", "clamd"]).contains("AVATARS_CLAMD"));
    assert!(refused(&["--clamd", "scanner:3310"]).contains("tcp://127.0.0.1:3310"));
    assert_eq!(refused(&["--scan", "yes"]), "--scan: \"yes\" is not one of off, clamd");
}

#[test]
fn presets_are_checked_at_the_start() {
    let reason = refused(&["--presets", "banner=cover 1500x500 jpeg"]);
    assert!(reason.starts_with("--presets: ") && reason.contains("for banner"), "{reason}");
    let reason = refused(&["--presets", "huge=cover 16000 png", "--memory-budget", "1GiB"]);
    assert!(reason.contains("huge takes at least") && reason.contains("could never be made"), "{reason}");
}

#[test]
fn a_file_gives_what_flags_do_not_and_an_unknown_key_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("avatars.toml");
    std::fs::write(&file, "media_queue = 7\nlisten = \"127.0.0.1:1\"\n").unwrap();
    let path = file.to_str().unwrap();

    let given = settings(&["--config", path, "--listen", "127.0.0.1:2"]).with_file().unwrap();
    let config = Config::resolve(&given).unwrap();
    assert_eq!((config.media.queue, config.listen.port()), (7, 2));

    std::fs::write(&file, "[presets]\nbanner = \"cover 1500x500 webp\"\ntiny = \"inside 32 png\"\n").unwrap();
    let config = Config::resolve(&settings(&["--config", path]).with_file().unwrap()).unwrap();
    assert_eq!(config.presets, Presets::with("tiny=inside 32 png; banner=cover 1500x500 webp 90").unwrap());

    std::fs::write(&file, "[presets]\nbanner = 7\n").unwrap();
    let error = settings(&["--config", path]).with_file().unwrap_err();
    assert!(error.to_string().contains("presets.banner is not a text"), "{error}");

    std::fs::write(&file, "media_que = 7\n").unwrap();
    let error = settings(&["--config", path]).with_file().unwrap_err();
    assert!(error.to_string().contains("there is no setting called \"media_que\""), "{error}");
}
