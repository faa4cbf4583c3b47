//! Where the log goes: standard error, for people or as JSON lines.

use tracing_subscriber::EnvFilter;

use super::Failure;
use crate::config::{Config, LogFormat};

/// Starts the log of this process.
pub(super) fn start(config: &Config) -> Result<(), Failure> {
    let filter = EnvFilter::try_new(&config.log)
        .map_err(|error| Failure::Usage(format!("AVATARS_LOG: \"{}\" is not a log filter: {error}", config.log)))?;
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let started = match config.log_format {
        LogFormat::Text => log.try_init(),
        LogFormat::Json => log.json().try_init(),
    };
    started.map_err(|error| Failure::Failed(format!("starting the log: {error}")))
}
