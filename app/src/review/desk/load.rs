//! The rest of a batch that is larger than one page: fetched page by page once the island is awake.

use leptos::{prelude::*, task::spawn_local};

use super::{Desk, Item};
use crate::{actions, model::AssetQuery, review::notice::Notice};

impl Desk {
    /// Fetches what comes after `after`, in the browser alone: the first page is what the server renders.
    pub(super) fn load_after(self, after: String) {
        Effect::new(move |_| {
            let after = after.clone();
            spawn_local(async move { self.load_pages(after).await });
        });
    }

    async fn load_pages(self, after: String) {
        let batch = self.batch.with_value(|batch| batch.id);
        let mut next = Some(after);
        while let Some(after) = next {
            let query = AssetQuery { after: Some(after), ..AssetQuery::default() };
            match actions::assets(batch, query).await {
                Ok(page) => {
                    self.ledger.update_value(|ledger| ledger.learn(&page.assets));
                    self.items.update(|items| items.extend(page.assets.into_iter().map(Item::new)));
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
