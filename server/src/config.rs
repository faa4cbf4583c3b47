//! Every setting, parsed once and checked together.
//!
//! A setting is a flag, an environment variable or a key of `avatars.toml`, in this order; [`SETTINGS`] is the one
//! list of them. Nothing else in the server reads an environment variable.

mod memory;
mod settings;
mod values;

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use reqwest::Url;
use secrecy::SecretString;

pub(crate) use self::settings::{SETTINGS, Settings};
use self::values::{bytes, count, duration, list, word};
use crate::{
    intake::{InsideHost, WatchedFolder},
    pictures::Presets,
    scanner::{Address, NotAnAddress},
};

/// Why the configuration cannot be used. The program ends with exit code 2.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigError {
    #[error("{source_name}: \"{text}\" {reason}")]
    Value { source_name: String, text: String, reason: String },
    #[error("{file}: {reason}")]
    File { file: String, reason: String },
    #[error("{0}")]
    Together(String),
}

/// What the browser may keep of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MediaCache {
    /// `private, no-store`.
    NoStore,
    /// `private, no-cache` with an entity tag: kept, but asked for again, and authorized, each time.
    Revalidate,
}

/// How the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LogFormat {
    Text,
    Json,
}

/// The media slots: how many, who may wait for one, and how long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MediaConfig {
    pub(crate) concurrency: usize,
    pub(crate) queue: usize,
    pub(crate) wait: Duration,
    pub(crate) cache: MediaCache,
}

/// An authority elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct AuthorityConfig {
    pub(crate) url: Url,
    /// Exchanges at once, all callers together.
    pub(crate) connections: usize,
}

/// The whole configuration, as the program runs with it.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// Database, originals, thumbnail cache and temporary files.
    pub(crate) data: PathBuf,
    pub(crate) listen: SocketAddr,
    pub(crate) media: MediaConfig,
    /// After so long without a byte taken of a pending response, the connection is closed.
    pub(crate) write_idle: Duration,
    /// Bytes that uploads, decodes and renders may hold together.
    pub(crate) memory_budget: u64,
    pub(crate) memory_wait: Duration,
    /// Bytes of one file.
    pub(crate) upload_limit: u64,
    /// Hosts of one's own network that pictures may be fetched from.
    pub(crate) fetch_hosts: Vec<InsideHost>,
    /// Folders whose files are taken in for as long as the server runs.
    pub(crate) watch: Vec<WatchedFolder>,
    /// Width × height × frames.
    pub(crate) pixel_limit: u64,
    /// The longest video; zero: none is taken in.
    pub(crate) duration_limit: Duration,
    /// Bytes of the renditions on the disk.
    pub(crate) cache_limit: u64,
    pub(crate) presets: Presets,
    /// `None`: SQLite in the data folder.
    pub(crate) database_url: Option<SecretString>,
    /// `None`: the built-in one.
    pub(crate) authority: Option<AuthorityConfig>,
    /// `None`: nothing is scanned.
    pub(crate) clamd: Option<Address>,
    /// How long a sender waits for the scanner's verdict.
    pub(crate) scan_deadline: Duration,
    /// Bytes that files may take while they wait for the scanner.
    pub(crate) quarantine_limit: u64,
    /// Whether people reach the studio over https.
    pub(crate) https: bool,
    /// Where people reach it, as told; for links and for the origin that may change state.
    pub(crate) public_url: Option<String>,
    pub(crate) log: String,
    pub(crate) log_format: LogFormat,
}

impl Config {
    /// Parses and checks what was given.
    ///
    /// # Errors
    /// A [`ConfigError`] that names the setting, where it came from, and what it takes instead.
    pub(crate) fn resolve(settings: &Settings) -> Result<Self, ConfigError> {
        let public_url = settings.optional("public_url").map(str::to_owned);
        let config = Self {
            data: PathBuf::from(settings.text("data")),
            listen: settings.parse("listen", |text| {
                text.parse().map_err(|_| "is not an address such as 127.0.0.1:3000".to_owned())
            })?,
            media: MediaConfig {
                concurrency: settings.parse("media_concurrency", count)?.max(1),
                queue: settings.parse("media_queue", count)?,
                wait: settings.parse("media_wait", duration)?,
                cache: settings.parse("media_cache", |text| {
                    word(text, &[("no-store", MediaCache::NoStore), ("revalidate", MediaCache::Revalidate)])
                })?,
            },
            write_idle: settings.parse("write_idle", duration)?,
            memory_budget: match settings.optional("memory_budget") {
                Some(_) => settings.parse("memory_budget", bytes)?,
                None => memory::default_budget(),
            },
            memory_wait: settings.parse("memory_wait", duration)?,
            upload_limit: settings.parse("upload_limit", bytes)?,
            fetch_hosts: settings.parse("fetch_hosts", list)?,
            watch: settings.parse("watch", list)?,
            pixel_limit: settings.parse("pixel_limit", |text| count(text).map(|number| number as u64))?,
            duration_limit: settings.parse("duration_limit", duration)?,
            cache_limit: settings.parse("cache_limit", bytes)?,
            presets: settings.parse("presets", |text| Presets::with(text).map_err(|error| error.to_string()))?,
            database_url: settings.optional("database_url").map(SecretString::from),
            authority: authority(settings)?,
            clamd: clamd(settings)?,
            scan_deadline: settings.parse("scan_deadline", duration)?,
            quarantine_limit: settings.parse("quarantine_limit", bytes)?,
            https: public_url.as_deref().is_some_and(|url| url.starts_with("https://")),
            public_url,
            log: settings.text("log").to_owned(),
            log_format: settings
                .parse("log_format", |text| word(text, &[("text", LogFormat::Text), ("json", LogFormat::Json)]))?,
        };
        settings.refuse_unbuilt()?;
        config.check()?;
        Ok(config)
    }

    fn check(&self) -> Result<(), ConfigError> {
        if self.upload_limit > self.memory_budget {
            return Err(ConfigError::Together(format!(
                "AVATARS_UPLOAD_LIMIT ({}) is more than AVATARS_MEMORY_BUDGET ({}): no file of that size could ever be taken in",
                values::show_bytes(self.upload_limit),
                values::show_bytes(self.memory_budget),
            )));
        }
        if let Some((name, bytes)) = self.presets.heaviest_of_own().filter(|(_, bytes)| *bytes > self.memory_budget) {
            return Err(ConfigError::Together(format!(
                "AVATARS_PRESETS: {name} takes at least {}, more than AVATARS_MEMORY_BUDGET ({}): it could never be made",
                values::show_bytes(bytes),
                values::show_bytes(self.memory_budget),
            )));
        }
        if let Some(url) = &self.public_url
            && !(url.starts_with("https://") || url.starts_with("http://"))
        {
            return Err(ConfigError::Together(format!(
                "AVATARS_PUBLIC_URL: \"{url}\" is not an address that begins with https:// or http://"
            )));
        }
        Ok(())
    }
}

fn authority(settings: &Settings) -> Result<Option<AuthorityConfig>, ConfigError> {
    if settings.optional("authority_url").is_none() {
        return Ok(None);
    }
    let url = settings.parse("authority_url", |text| match text.parse::<Url>() {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => Ok(url),
        _ => Err("is not an address that begins with http:// or https://".to_owned()),
    })?;
    let connections = settings.parse("authority_connections", |text| match count(text)? {
        0 => Err("is too few: at least one is needed".to_owned()),
        connections => Ok(connections),
    })?;
    Ok(Some(AuthorityConfig { url, connections }))
}

fn clamd(settings: &Settings) -> Result<Option<Address>, ConfigError> {
    // An address that cannot be one is wrong even while nothing is scanned.
    let address = match settings.optional("clamd") {
        Some(_) => Some(settings.parse("clamd", |text| text.parse().map_err(|error: NotAnAddress| error.to_string()))?),
        None => None,
    };
    match (settings.parse("scan", |text| word(text, &[("off", false), ("clamd", true)]))?, address) {
        (false, _) => Ok(None),
        (true, Some(address)) => Ok(Some(address)),
        (true, None) => Err(ConfigError::Together(
            "AVATARS_SCAN is clamd, but AVATARS_CLAMD does not say where it is, such as unix:///run/clamav/clamd.ctl"
                .to_owned(),
        )),
    }
}

#[cfg(test)]
impl Config {
    /// The defaults, on a data folder.
    pub(crate) fn for_tests(data: &std::path::Path) -> Self {
        let config = Self::resolve(&Settings::default()).unwrap();
        Self { data: data.to_owned(), ..config }
    }
}

#[cfg(test)]
mod tests;
