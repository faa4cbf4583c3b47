//! The system's word that something has changed in a folder. It may be lost: it only ever hastens the next look.

use std::{path::Path, sync::Arc};

use notify::{RecommendedWatcher, RecursiveMode, Watcher as _, recommended_watcher};
use tokio::sync::Notify;

/// Hears of one folder for as long as it lives.
pub(super) struct News {
    heard: Arc<Notify>,
    _watcher: Option<RecommendedWatcher>,
}

impl News {
    /// Where the system cannot tell, there never is any.
    pub(super) fn of(folder: &Path) -> Self {
        let heard = Arc::new(Notify::new());
        let tell = {
            let heard = Arc::clone(&heard);
            move |event: notify::Result<notify::Event>| {
                // That it is read is no news, and reading it is what follows from news.
                if event.is_ok_and(|event| !event.kind.is_access()) {
                    heard.notify_one();
                }
            }
        };
        let watcher = recommended_watcher(tell)
            .and_then(|mut watcher| watcher.watch(folder, RecursiveMode::Recursive).map(|()| watcher));
        let watcher = watcher
            .inspect_err(
                |error| tracing::info!(folder = %folder.display(), %error, "a folder is only looked at now and then"),
            )
            .ok();
        Self { heard, _watcher: watcher }
    }

    /// Waits for news since the last time.
    pub(super) async fn come(&mut self) {
        self.heard.notified().await;
    }
}
