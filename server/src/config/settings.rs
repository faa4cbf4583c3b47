//! The one list of settings, and where the value of each came from.

use std::{collections::BTreeMap, fmt, fs, path::Path};

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, parser::ValueSource};

use super::ConfigError;

/// One setting: `AVATARS_<KEY>` in the environment, `<key>` in `avatars.toml`, `--<key>` on the command line.
#[derive(Debug)]
pub(crate) struct Setting {
    /// Lower case, with underscores.
    pub(crate) key: &'static str,
    /// Empty: there is none, or it is worked out.
    pub(crate) default: &'static str,
    pub(crate) help: &'static str,
    /// Never shown.
    pub(crate) secret: bool,
}

const fn setting(key: &'static str, default: &'static str, help: &'static str) -> Setting {
    Setting { key, default, help, secret: false }
}

/// Every setting, in the order in which the README explains them.
pub(crate) const SETTINGS: &[Setting] = &[
    setting("data", "./data", "Data folder: database, originals, thumbnail cache, temporary files"),
    setting("listen", "127.0.0.1:3000", "Address to listen on"),
    setting("media_concurrency", "8", "Media slots; below 1 counts as 1"),
    setting("media_queue", "4096", "Requests that may wait for a slot; one more is answered 503"),
    setting("media_wait", "60s", "Longest wait for a slot; past it the answer is 503"),
    setting("write_idle", "15s", "A connection that takes no byte of a pending response for so long is closed"),
    setting("memory_budget", "", "Bytes that uploads, decodes and renders may hold together [a quarter of memory]"),
    setting("memory_wait", "5s", "Longest wait for budget; past it the work is refused"),
    setting("upload_limit", "50MiB", "Largest file that is taken in"),
    setting("fetch_hosts", "", "Internal hosts, as host or host:port, that pictures may be fetched from by address"),
    setting("watch", "", "Watched folders: folder=family/subject/batch, several with commas between them"),
    setting("pixel_limit", "100000000", "Width × height × frames that may be decoded"),
    setting("scan", "off", "off, or clamd: nothing unscanned is ever served"),
    setting("clamd", "", "Where clamd listens: tcp://host:port or unix:///path"),
    setting("scan_deadline", "10s", "From receipt to verdict; past it a file is held back, never let through"),
    setting("quarantine_limit", "10GiB", "Bytes that files may take on the disk while they wait for the scanner"),
    setting("duration_limit", "60s", "Longest video that is taken in; 0s: none. Videos need ffmpeg on the server"),
    setting("cache_limit", "10GiB", "Bytes that the cache of renditions may take on the disk"),
    setting(
        "presets",
        "",
        "Presets of exports beside the defaults, such as \"banner=cover 1500x500 webp; tiny=inside 32 png\"",
    ),
    setting("authority_url", "", "An outside authority that every decision asks; empty: the built-in one"),
    setting("authority_connections", "16", "Connections to the outside authority, all callers together"),
    Setting {
        key: "database_url",
        default: "",
        help: "postgres://… ; without it, SQLite in the data folder",
        secret: true,
    },
    setting("store_url", "", "An outside store of originals; none in this version"),
    setting("media_cache", "no-store", "no-store, or revalidate: browsers keep pictures but ask each time"),
    setting("public_url", "", "The address that people use; https makes cookies Secure"),
    setting("log", "info", "Log filter, such as info or server=debug"),
    setting("log_format", "text", "text, or json for a JSON object a line"),
];

/// Settings that are named but not built: taking them silently would promise what is not kept.
const UNBUILT: &[(&str, &str)] = &[("store_url", "")];

impl Setting {
    /// The environment variable.
    pub(crate) fn variable(&self) -> String {
        format!("AVATARS_{}", self.key.to_ascii_uppercase())
    }
}

/// Where a value came from; a later one gives way to an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Flag,
    Environment,
    File,
    Default,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Flag => "flag",
            Self::Environment => "environment",
            Self::File => "avatars.toml",
            Self::Default => "default",
        })
    }
}

/// The text of each setting, unparsed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    given: BTreeMap<&'static str, (String, Source)>,
    file: Option<String>,
}

impl Settings {
    /// Reads `avatars.toml` (or the file named with `--config`) for what neither flag nor environment gave.
    ///
    /// # Errors
    /// A named file that is not there, one that is not TOML, or a key that is no setting.
    pub(crate) fn with_file(mut self) -> Result<Self, ConfigError> {
        let file = self.file.clone().unwrap_or_else(|| "avatars.toml".to_owned());
        if self.file.is_none() && !Path::new(&file).exists() {
            return Ok(self);
        }
        let wrong = |reason: String| ConfigError::File { file: file.clone(), reason };
        let text = fs::read_to_string(&file).map_err(|error| wrong(error.to_string()))?;
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| wrong(error.message().to_owned()))?;
        for (key, value) in table {
            let setting = SETTINGS.iter().find(|setting| setting.key == key);
            let setting = setting.ok_or_else(|| wrong(format!("there is no setting called \"{key}\"")))?;
            let text = match value {
                toml::Value::String(text) => text,
                toml::Value::Integer(number) => number.to_string(),
                toml::Value::Table(table) if setting.key == "presets" => presets(table).map_err(wrong)?,
                other => return Err(wrong(format!("{key} is {}, not text or a number", other.type_str()))),
            };
            self.given.entry(setting.key).or_insert((text, Source::File));
        }
        Ok(self)
    }

    /// The text in force and where it came from. An empty text counts as not given.
    pub(crate) fn get(&self, setting: &'static Setting) -> (&str, Source) {
        match self.given.get(setting.key) {
            Some((text, source)) if !text.is_empty() => (text, *source),
            _ => (setting.default, Source::Default),
        }
    }

    pub(super) fn text(&self, key: &str) -> &str {
        self.optional(key).unwrap_or_default()
    }

    pub(super) fn optional(&self, key: &str) -> Option<&str> {
        let setting = SETTINGS.iter().find(|setting| setting.key == key)?;
        Some(self.get(setting).0).filter(|text| !text.is_empty())
    }

    pub(super) fn parse<T>(&self, key: &str, parse: impl Fn(&str) -> Result<T, String>) -> Result<T, ConfigError> {
        let text = self.text(key);
        parse(text).map_err(|reason| self.wrong(key, reason))
    }

    pub(super) fn refuse_unbuilt(&self) -> Result<(), ConfigError> {
        match UNBUILT.iter().find(|(key, only)| self.text(key) != *only) {
            Some((key, _)) => Err(self.wrong(key, "cannot be had in this version".to_owned())),
            None => Ok(()),
        }
    }

    fn wrong(&self, key: &str, reason: String) -> ConfigError {
        let source_name = match self.given.get(key) {
            Some((_, Source::Flag)) => format!("--{}", key.replace('_', "-")),
            Some((_, Source::File)) => format!("avatars.toml: {key}"),
            _ => format!("AVATARS_{}", key.to_ascii_uppercase()),
        };
        ConfigError::Value { source_name, text: self.text(key).to_owned(), reason }
    }
}

/// The table `[presets]`, a line for each, in the one text that the environment has them in.
fn presets(table: toml::Table) -> Result<String, String> {
    let line = |(name, definition): (String, toml::Value)| match definition {
        toml::Value::String(definition) if !definition.contains([';', '=']) => Ok(format!("{name}={definition}")),
        _ => Err(format!("presets.{name} is not a text such as \"cover 1500x500 webp\"")),
    };
    Ok(table.into_iter().map(line).collect::<Result<Vec<_>, _>>()?.join("; "))
}

impl FromArgMatches for Settings {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut settings = Self::default();
        settings.update_from_arg_matches(matches)?;
        Ok(settings)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for setting in SETTINGS {
            let source = match matches.value_source(setting.key) {
                Some(ValueSource::CommandLine) => Source::Flag,
                Some(ValueSource::EnvVariable) => Source::Environment,
                _ => continue,
            };
            if let Some(text) = matches.get_one::<String>(setting.key) {
                self.given.insert(setting.key, (text.clone(), source));
            }
        }
        self.file = matches.get_one::<String>("config").cloned();
        Ok(())
    }
}

impl Args for Settings {
    fn augment_args(command: Command) -> Command {
        let file = Arg::new("config")
            .long("config")
            .env("AVATARS_CONFIG")
            .value_name("FILE")
            .global(true)
            .help_heading("Settings")
            .help("Settings file [avatars.toml, where there is one]");
        SETTINGS.iter().fold(command.arg(file), |command, setting| {
            let help = match setting.default {
                "" => setting.help.to_owned(),
                default => format!("{} [{default}]", setting.help),
            };
            command.arg(
                Arg::new(setting.key)
                    .long(setting.key.replace('_', "-"))
                    .env(setting.variable())
                    .hide_env_values(true)
                    .value_name("VALUE")
                    .global(true)
                    .help_heading("Settings")
                    .help(help),
            )
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
