//! The desk's state, as signals that the components read. What may be done at it: `act` decides and undoes, `pick`
//! moves the cursor and selects, `load` fetches the rest of a large batch.

mod act;
mod load;
mod pick;

use std::{collections::HashSet, sync::Arc};

use leptos::prelude::*;

use crate::{
    model::{Asset, AssetId, AssetPage, Batch, BatchStatus, Counts, Decision, Kind, Slug},
    review::{
        course::Layout,
        filter::Filter,
        ledger::{Ledger, Standing},
        notice::Notice,
    },
};

/// A picture at the desk.
#[derive(Clone)]
pub(crate) struct Item {
    pub(crate) asset: Arc<Asset>,
    pub(crate) shown: ArcRwSignal<Standing>,
}

impl Item {
    fn new(asset: Asset) -> Self {
        let shown = ArcRwSignal::new(Standing::from(&asset));
        Self { asset: Arc::new(asset), shown }
    }

    pub(crate) fn id(&self) -> AssetId {
        self.asset.id
    }

    /// Where it stands, followed.
    pub(crate) fn decision(&self) -> Decision {
        self.shown.with(|shown| shown.decision)
    }
}

/// The list is the same while it holds the same pictures: each follows its own decision by itself.
impl PartialEq for Item {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

/// What was just done, with the offer to take it back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Toast {
    pub(crate) text: String,
    pub(crate) undo: bool,
}

/// One person's desk: a batch, what is on screen, the cursor, the selection.
#[derive(Clone, Copy)]
pub(crate) struct Desk {
    pub(crate) batch: StoredValue<Batch>,
    /// Whether this person may decide here at all.
    pub(crate) may_decide: bool,
    /// Candidates of the whole batch, as far as this person may see it.
    pub(crate) counts: RwSignal<Counts>,
    pub(crate) filter: RwSignal<Filter>,
    /// What is on screen, in order.
    pub(crate) visible: Memo<Vec<Item>>,
    /// The subjects that the batch has pictures of.
    pub(crate) subjects: Memo<Vec<Slug>>,
    pub(crate) has_pipeline: Memo<bool>,
    pub(crate) cursor: RwSignal<Option<AssetId>>,
    pub(crate) picked: RwSignal<HashSet<AssetId>>,
    /// Whether the picture at the cursor is shown large.
    pub(crate) viewing: RwSignal<bool>,
    pub(crate) notice: RwSignal<Option<Notice>>,
    pub(crate) toast: RwSignal<Option<Toast>>,
    pub(crate) can_undo: RwSignal<bool>,
    /// Acts that the server has not confirmed.
    pub(crate) waiting: RwSignal<usize>,
    /// For the live region.
    pub(crate) said: RwSignal<String>,
    /// Rises when the tile at the cursor is to take the focus.
    pub(crate) focus: RwSignal<u32>,
    items: RwSignal<Vec<Item>>,
    ledger: StoredValue<Ledger>,
    /// Where a range begins.
    anchor: StoredValue<Option<AssetId>>,
    /// Whether an act is on its way.
    busy: StoredValue<bool>,
    /// Whether the rest of the batch is.
    loading: StoredValue<bool>,
}

impl Desk {
    pub(crate) fn new(batch: Batch, may_decide: bool, first: AssetPage, filter: Filter) -> Self {
        let mut ledger = Ledger::default();
        ledger.learn(&first.assets);
        let items = RwSignal::new(first.assets.into_iter().map(Item::new).collect::<Vec<_>>());
        let filter = RwSignal::new(filter);
        let visible = Memo::new(move |_| {
            filter.with(|filter| {
                let shown = |item: &&Item| filter.admits(&item.asset, item.decision());
                items.with(|items| items.iter().filter(shown).cloned().collect::<Vec<_>>())
            })
        });
        let subjects = Memo::new(move |_| {
            // Few subjects, many pictures: each finds its place among those found before.
            let mut subjects: Vec<Slug> = Vec::new();
            items.with(|items| {
                for item in items {
                    if let Err(place) = subjects.binary_search(&item.asset.subject) {
                        subjects.insert(place, item.asset.subject.clone());
                    }
                }
            });
            subjects
        });
        let has_pipeline =
            Memo::new(move |_| items.with(|items| items.iter().any(|item| item.asset.kind == Kind::Pipeline)));
        let cursor = visible.with_untracked(|visible| visible.first().map(Item::id));
        let may_decide = may_decide && batch.status == BatchStatus::Open;
        let desk = Self {
            counts: RwSignal::new(batch.counts),
            batch: StoredValue::new(batch),
            may_decide,
            filter,
            visible,
            subjects,
            has_pipeline,
            cursor: RwSignal::new(cursor),
            picked: RwSignal::default(),
            viewing: RwSignal::new(false),
            notice: RwSignal::new(None),
            toast: RwSignal::new(None),
            can_undo: RwSignal::new(false),
            waiting: RwSignal::new(0),
            said: RwSignal::default(),
            focus: RwSignal::new(0),
            items,
            ledger: StoredValue::new(ledger),
            anchor: StoredValue::new(cursor),
            busy: StoredValue::new(false),
            loading: StoredValue::new(false),
        };
        if let Some(after) = first.next {
            desk.load_after(after);
        }
        desk
    }

    /// Whether the batch has no picture that this person may see, followed.
    pub(crate) fn is_empty(&self) -> bool {
        self.items.with(Vec::is_empty)
    }

    /// The picture at the cursor, followed.
    pub(crate) fn current(&self) -> Option<Item> {
        let cursor = self.cursor.get()?;
        self.items.with(|items| items.iter().find(|item| item.id() == cursor).cloned())
    }

    /// How many of the filter's subject and kind stand where, followed.
    pub(crate) fn tally(&self) -> Counts {
        let mut tally = Counts::default();
        self.filter.with(|filter| {
            self.items.with(|items| {
                for item in items.iter().filter(|item| filter.admits_undecided(&item.asset)) {
                    tally.total += 1;
                    match item.decision() {
                        Decision::Undecided => tally.undecided += 1,
                        Decision::Approved => tally.approved += 1,
                        Decision::Rejected => tally.rejected += 1,
                    }
                }
            });
        });
        tally
    }

    /// Whether what is on screen can be decided by this person.
    pub(crate) fn decides(&self) -> bool {
        self.may_decide && self.filter.with(|filter| filter.kind == Kind::Candidate)
    }

    pub(crate) fn say(&self, text: impl Into<String>) {
        self.said.set(text.into());
    }

    fn ids(&self) -> Vec<AssetId> {
        self.visible.with_untracked(|visible| visible.iter().map(Item::id).collect())
    }

    /// The place of `id` on screen.
    fn place(&self, id: AssetId) -> Option<usize> {
        self.visible.with_untracked(|visible| visible.iter().position(|item| item.id() == id))
    }
}

/// In the large view there is one picture in a row, and up and down mean nothing.
pub(crate) const ONE_BY_ONE: Layout = Layout { columns: 1, rows: 1 };
