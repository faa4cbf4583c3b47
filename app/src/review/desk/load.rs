//! The rest of a batch that is larger than one page, fetched page by page once the island is awake; and pictures that
//! come in meanwhile.

use std::sync::Arc;

use leptos::{prelude::*, task::spawn_local};

use super::{Desk, Item};
use crate::{
    actions,
    model::{Asset, AssetId, AssetQuery, Kind},
    review::notice::Notice,
};

impl Desk {
    /// Fetches what comes after `after`, in the browser alone: the first page is what the server renders.
    pub(super) fn load_after(self, after: String) {
        Effect::new(move |_| {
            let after = after.clone();
            spawn_local(async move { self.load_pages(after).await });
        });
    }

    /// Puts pictures that have just come in at the end: whatever is on screen stays where it is. Whether they could be
    /// asked for.
    pub(crate) async fn append(self, ids: Vec<AssetId>) -> bool {
        match actions::these(ids).await {
            Ok(assets) => {
                let new = self.extend(assets);
                self.counts.update(|counts| {
                    for asset in new.iter().filter(|asset| asset.kind == Kind::Candidate) {
                        counts.add(asset.decision);
                    }
                });
                self.keep_cursor();
                true
            }
            Err(refusal) => {
                let text = format!("Not all new pictures could be shown. {refusal} Reload the page to see them.");
                self.notice.set(Some(Notice { text, offer: None }));
                false
            }
        }
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

    async fn load_pages(self, after: String) {
        let batch = self.batch.with_value(|batch| batch.id);
        let mut next = Some(after);
        while let Some(after) = next {
            let query = AssetQuery { after: Some(after), ..AssetQuery::default() };
            match actions::assets(batch, query).await {
                Ok(page) => {
                    self.extend(page.assets);
                    next = page.next;
                }
                Err(refusal) => {
                    let text = format!("Not all pictures could be listed. {refusal} Reload the page to see the rest.");
                    self.notice.set(Some(Notice { text, offer: None }));
                    next = None;
                }
            }
        }
    }
}
