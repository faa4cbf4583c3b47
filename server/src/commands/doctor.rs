//! `avatars doctor`: the configuration as it is in force, the descriptor plan, and whether what is needed answers.

use super::{Failure, open, plan};
use crate::{
    clock::Clock,
    config::{Config, SETTINGS, Settings},
    scanner::Scanner,
    video::Tools,
};

pub(super) async fn run(config: Config, settings: &Settings) -> Result<(), Failure> {
    println!("Settings");
    for setting in SETTINGS {
        let (text, source) = settings.get(setting);
        let shown = match text {
            "" => "-",
            _ if setting.secret => "(hidden)",
            text => text,
        };
        println!("  {:<30} {shown:<24} {source}", setting.variable());
    }
    println!("  memory budget in force: {}", bytesize::ByteSize(config.memory_budget).display().iec());

    println!("  export presets in force:");
    for (name, definition) in config.presets.definitions() {
        println!("    {name:<28} {definition}");
    }

    println!("\nOpen files");
    let mut failed = 0;
    match plan::descriptors(&config) {
        Ok(descriptors) => println!("{}", descriptors.plan),
        Err(error) => {
            failed += 1;
            println!("  {error}");
        }
    }

    println!("\nParts");
    let mut tell = |part: &str, answer: Result<String, String>| {
        let (mark, text) = match answer {
            Ok(text) => ("ok", text),
            Err(text) => {
                failed += 1;
                ("failed", text)
            }
        };
        println!("  {mark:<7} {part:<10} {text}");
    };
    match open::store(&config).await {
        Ok(store) => {
            let answer = store.ping().await.map(|()| "answers".to_owned()).map_err(|error| error.to_string());
            tell("database", answer);
            match open::authority(&config, &store) {
                Ok(authority) => tell("authority", authority.probe().await),
                Err(error) => tell("authority", Err(error.to_string())),
            }
            store.close().await;
        }
        Err(error) => tell("database", Err(error.to_string())),
    }
    let originals = open::originals(&config).and_then(|originals| originals.probe().map_err(Failure::from_error));
    tell("store", originals.map(|()| "can be written".to_owned()).map_err(|error| error.to_string()));
    match open::scanner(&config) {
        None => println!("  {:<7} {:<10} nothing is scanned", "off", "scanner"),
        Some(scanner) => tell("scanner", scan(&scanner, &config).await),
    }
    for watched in &config.watch {
        tell("watch", watched.probe());
    }
    let (mark, text) = match Tools::find().await {
        _ if config.duration_limit.is_zero() => ("off", "videos are not taken in (AVATARS_DURATION_LIMIT)".to_owned()),
        Ok(tools) => ("ok", tools.version().to_owned()),
        Err(missing) => ("off", format!("videos are refused: {missing}")),
    };
    println!("  {mark:<7} {:<10} {text}", "ffmpeg");
    if failed == 0 { Ok(()) } else { Err(Failure::Told) }
}

/// Which scanner it is, how old its signatures are, and whether it finds what it must.
async fn scan(scanner: &Scanner, config: &Config) -> Result<String, String> {
    let version = scanner.version().await?;
    let signatures = match version.signatures {
        None => "signatures of one's own".to_owned(),
        Some(signatures) => match signatures.made {
            None => format!("signatures {}", signatures.version),
            Some(made) => {
                let hours = Clock::system().now().unix_timestamp().saturating_sub(made).max(0) / 3600;
                format!("signatures {} of {} d {} h ago", signatures.version, hours / 24, hours % 24)
            }
        },
    };
    match scanner.test().await.trouble() {
        Some(trouble) => Err(format!("{}, {signatures}: {trouble}", version.engine)),
        None => {
            let largest = bytesize::ByteSize(config.upload_limit).display().iec();
            Ok(format!("{}, {signatures}; finds EICAR alone and at the end of {largest}", version.engine))
        }
    }
}
