//! The rest of a batch that is larger than one page, fetched page by page once the island is awake; and pictures that
//! come in meanwhile.

use std::sync::Arc;

use leptos::{prelude::*, task::spawn_local};

use super::{Desk, Item};
use crate::{
    actions,
    model::{Asset, AssetQuery, Kind},
    review::notice::Notice,
};

impl Desk {
    /// Fetches what comes after `after`, in the browser alone: the first page is what the server renders.
    pub(super) fn load_after(self, after: String) {
        Effect::new(move |_| {
            let after = after.clone();
            self.loading.set_value(true);
            spawn_local(async move {
                self.load_pages(Some(after)).await;
                self.loading.set_value(false);
            });
        });
    }

    /// Fetches what has come into the batch behind the last picture that is here, and puts it at the end: whatever is on
    /// screen stays where it is. Nothing as long as the batch itself is still being fetched; says whether it was done.
    pub(crate) async fn load_new(self) -> bool {
        if self.loading.get_value() {
            return false;
        }
        let last = self.items.with_untracked(|items| items.last().map(|item| item.id().to_string()));
        let new = self.load_pages(last).await;
        self.counts.update(|counts| {
            for asset in new.iter().filter(|asset| asset.kind == Kind::Candidate) {
                counts.add(asset.decision);
            }
        });
        self.keep_cursor();
        true
    }

    /// Takes the server's word on further pictures. Those that are here already keep their place; returns the others.
    fn extend(&self, mut assets: Vec<Asset>) -> Vec<Arc<Asset>> {
        self.items.with_untracked(|items| assets.retain(|asset| items.iter().all(|item| item.id() != asset.id)));
        self.ledger.update_value(|ledger| ledger.learn(&assets));
        let new: Vec<Item> = assets.into_iter().map(Item::new).collect();
        let added = new.iter().map(|item| item.asset.clone()).collect();
        self.items.update(|items| items.extend(new));
        added
    }

    /// Fetches page by page; what was not here before.
    async fn load_pages(self, mut after: Option<String>) -> Vec<Arc<Asset>> {
        let batch = self.batch.with_value(|batch| batch.id);
        let mut new = Vec::new();
        loop {
            match actions::assets(batch, AssetQuery { after, ..AssetQuery::default() }).await {
                Ok(page) => {
                    new.extend(self.extend(page.assets));
                    after = page.next;
                }
                Err(refusal) => {
                    let text = format!("Not all pictures could be listed. {refusal} Reload the page to see the rest.");
                    self.notice.set(Some(Notice { text, offer: None }));
                    return new;
                }
            }
            if after.is_none() {
                return new;
            }
        }
    }
}
