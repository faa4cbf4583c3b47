//! Opens the studio of a data folder: what every command that works on one stands on.

use std::{fs, num::NonZero, path::Path, sync::Arc, thread::available_parallelism};

use app::model::{Kind, Slug};
use secrecy::ExposeSecret as _;

use super::Failure;
use crate::{
    accounts::{Accounts, Passwords},
    admission::ByteBudget,
    authority::{Authority, Builtin, Forward},
    clock::{Chance, Clock},
    config::{AuthorityConfig, Config},
    intake::{Door, DoorLimits, Fetcher, Guard, Intake, Target},
    originals::{Originals, Quarantine},
    pictures::{Limits, Renditions},
    review::Review,
    scanner::{Patience, Scanner},
    store::Store,
    video::{Tools, VideoLimits, Videos},
};

/// Everything but the edge.
pub(super) struct Studio {
    pub(super) store: Store,
    pub(super) accounts: Accounts,
    pub(super) originals: Originals,
    pub(super) renditions: Renditions,
    pub(super) intake: Intake,
    pub(super) review: Arc<Review>,
    pub(super) budget: ByteBudget,
}

/// Files that a command other than the server takes in at once at the most.
pub(super) const FILES: usize = 64;

/// Opens everything, making the data folder where it is missing. `files` may be on their way in at once.
pub(super) async fn studio(config: &Config, files: usize) -> Result<Studio, Failure> {
    let store = store(config).await?;
    let accounts = accounts(&store)?;
    let originals = originals(config)?;
    let budget = ByteBudget::new(config.memory_budget, config.memory_wait);
    let cores = available_parallelism().map_or(1, NonZero::get);
    let limits = Limits { pixels: config.pixel_limit, cache: config.cache_limit, ..Limits::default() };
    let tools = Tools::find().await;
    match &tools {
        Ok(tools) => tracing::info!(version = tools.version(), "videos can be taken in"),
        Err(missing) => tracing::info!(%missing, "videos are refused"),
    }
    let videos = Videos::new(tools, video_limits(config));
    let renditions =
        Renditions::open_with_videos(config.data.join("renditions"), limits, cores, budget.clone(), videos)
            .map_err(|error| cannot("open the cache of renditions", &config.data, &error))?;
    let door = DoorLimits { files, inspections: cores, largest: config.upload_limit, wait: config.memory_wait };
    let door = Door::new(door, budget.clone());
    let quarantine = Quarantine::open(&config.data).map_err(Failure::from_error)?;
    let guard = Guard::new(scanner(config), quarantine, config.scan_deadline, config.quarantine_limit);
    let intake =
        Intake::new(store.clone(), originals.clone(), renditions.clone(), config.upload_limit, door).guarded(guard);
    let authority = authority(config, &store)?;
    let review = Arc::new(Review::new(store.clone(), accounts.clone(), authority));
    Ok(Studio { store, accounts, originals, renditions, intake, review, budget })
}

fn video_limits(config: &Config) -> VideoLimits {
    VideoLimits { duration: config.duration_limit, pixels: config.pixel_limit, ..VideoLimits::default() }
}

/// The database alone.
pub(super) async fn store(config: &Config) -> Result<Store, Failure> {
    fs::create_dir_all(&config.data).map_err(|error| cannot("make the data folder", &config.data, &error))?;
    let (clock, chance) = (Clock::system(), Chance::system());
    let opened = match &config.database_url {
        Some(url) => Store::postgres(url.expose_secret(), clock, chance).await,
        None => Store::sqlite(&config.data.join("avatars.db"), clock, chance).await,
    };
    opened.map_err(|error| Failure::Failed(format!("cannot open the database: {error}")))
}

/// Who fetches, as the settings say.
pub(super) fn fetcher(config: &Config) -> Result<Fetcher, Failure> {
    Fetcher::new(config.fetch_hosts.clone()).map_err(Failure::from_error)
}

/// Who decides, as the settings say.
pub(super) fn authority(config: &Config, store: &Store) -> Result<Arc<dyn Authority>, Failure> {
    Ok(match &config.authority {
        None => Arc::new(Builtin::new(store.clone())),
        Some(AuthorityConfig { url, connections }) => {
            Arc::new(Forward::new(url.clone(), *connections, store.clone()).map_err(Failure::from_error)?)
        }
    })
}

pub(super) fn accounts(store: &Store) -> Result<Accounts, Failure> {
    let passwords = Passwords::new(store.chance().clone()).map_err(Failure::from_error)?;
    Ok(Accounts::new(store.clone(), passwords))
}

pub(super) fn originals(config: &Config) -> Result<Originals, Failure> {
    let originals = Originals::open(&config.data).map_err(Failure::from_error)?;
    originals.sweep().map_err(Failure::from_error)?;
    Ok(originals)
}

/// Nothing where nothing is scanned.
pub(super) fn scanner(config: &Config) -> Option<Scanner> {
    let address = config.clamd.clone()?;
    Some(Scanner::new(address, Patience::default(), config.upload_limit))
}

/// The place in a batch that pictures go to; family, subject and batch are created where they are missing. `sender`
/// stands for whoever brings them.
pub(super) async fn target(
    store: &Store,
    (family, subject, batch): (&Slug, &Slug, &Slug),
    kind: Kind,
    sender: &str,
) -> Result<Target, Failure> {
    store.ensure_subject(family, subject).await.map_err(Failure::from_error)?;
    let batch = store.ensure_batch(family, batch, &title(batch)).await.map_err(Failure::from_error)?;
    Ok(Target { batch, subject: subject.clone(), kind, sender: sender.to_owned(), turn: None })
}

/// What people read of a batch that was named on the command line: "winter-2026" becomes "Winter 2026".
fn title(slug: &Slug) -> String {
    let text = slug.as_str().replace('-', " ");
    let mut letters = text.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

fn cannot(what: &str, path: &Path, error: &dyn std::error::Error) -> Failure {
    Failure::Failed(format!("cannot {what} {}: {error}", path.display()))
}
