//! Deciding and undoing: shown at once, sent in order, taken back where the server refuses.

use std::collections::HashSet;

use leptos::{prelude::*, task::spawn_local};

use super::{Desk, Item, Toast};
use crate::{
    actions,
    components::clock,
    model::{AssetId, Change, Decision, Refusal},
    review::{course::after_decision, ledger::Request, notice::Notice},
};

impl Desk {
    /// Decides the selection, or the picture at the cursor where nothing is selected or the large view is open.
    pub(crate) fn decide(&self, decision: Decision) {
        let targets = self.targets();
        self.decide_these(decision, &targets);
    }

    /// Decides these pictures and moves on.
    pub(crate) fn decide_these(&self, decision: Decision, targets: &[AssetId]) {
        if !untrack(|| self.decides()) || targets.is_empty() {
            return;
        }
        let list = untrack(|| self.visible.with(|all| all.iter().map(|item| (item.id(), item.decision())).collect()));
        let list: Vec<(AssetId, Decision)> = list;
        let at = list.iter().rposition(|(id, _)| targets.contains(id)).unwrap_or(0);
        let stays = self.filter.with_untracked(|filter| filter.decision.is_none_or(|shown| shown == decision));

        let touched = self.ledger.try_update_value(|ledger| ledger.decide(decision, targets)).unwrap_or_default();
        self.refresh(&touched);
        self.picked.update(HashSet::clear);

        // Setting one back is a second look at it: the cursor waits there.
        let next = if decision == Decision::Undecided && stays {
            list.get(at).map(|(id, _)| *id)
        } else {
            after_decision(&list, targets, at, stays)
        };
        self.anchor.set_value(next);
        self.cursor.set(next);
        match next {
            Some(id) => self.go(id),
            None => self.viewing.set(false),
        }
        match touched.len() {
            0 => self.say(["Already ", decision.as_str()].concat()),
            count => {
                self.done(format!("{count} {decision}"), true);
                self.pump();
            }
        }
    }

    /// Takes the last act back.
    pub(crate) fn undo(&self) {
        let touched = self.ledger.try_update_value(|ledger| ledger.undo()).unwrap_or_default();
        if touched.is_empty() {
            self.say("Nothing to undo");
            return;
        }
        self.refresh(&touched);
        if let Some(first) = touched.iter().find(|id| self.place(**id).is_some()) {
            self.anchor.set_value(Some(*first));
            self.go(*first);
        }
        self.done(format!("{} taken back", touched.len()), false);
        self.pump();
    }

    /// Sends what waits again, after the server could not be reached.
    pub(crate) fn try_again(&self) {
        self.notice.set(None);
        self.pump();
    }

    fn targets(&self) -> Vec<AssetId> {
        let picked = self.picked.with_untracked(|picked| {
            let mut ids = self.ids();
            ids.retain(|id| picked.contains(id));
            ids
        });
        if picked.is_empty() || self.viewing.get_untracked() {
            self.cursor.get_untracked().into_iter().collect()
        } else {
            picked
        }
    }

    fn done(&self, text: String, undo: bool) {
        self.say(text.clone());
        self.toast.set(Some(Toast { text, undo }));
    }

    /// Sends the oldest waiting act, if none is on its way.
    fn pump(&self) {
        if self.busy.get_value() {
            return;
        }
        let Some(request) = self.ledger.with_value(|ledger| ledger.next()) else { return };
        self.busy.set_value(true);
        let desk = *self;
        spawn_local(async move {
            let answer = match request {
                Request::Decide(decision, assets) => actions::decide(decision, assets).await,
                Request::Undo(change) => actions::undo(change).await,
            };
            desk.answered(answer);
        });
    }

    fn answered(&self, answer: Result<Change, Refusal>) {
        match answer {
            Ok(change) => {
                let again = self.ledger.try_update_value(|ledger| ledger.accept(&change)).unwrap_or_default();
                self.refresh(&again);
                // What is sent again and taken has nothing to tell any more.
                if self.notice.with_untracked(|notice| notice.as_ref().is_some_and(|notice| notice.offer.is_some())) {
                    self.notice.set(None);
                }
            }
            // These end nothing: the act waits until a person tries again, or does the next one.
            Err(refusal @ (Refusal::Unreachable | Refusal::Unavailable { .. } | Refusal::SignedOut)) => {
                self.ledger.update_value(|ledger| ledger.doubt());
                self.tell(&refusal);
                self.busy.set_value(false);
                return;
            }
            Err(refusal) => self.refused(&refusal),
        }
        self.busy.set_value(false);
        self.pump();
    }

    fn refused(&self, refusal: &Refusal) {
        let taken = self.ledger.with_value(|ledger| ledger.was_taken(refusal));
        let again = self.ledger.try_update_value(|ledger| ledger.refuse(refusal)).unwrap_or_default();
        self.refresh(&again);
        if taken {
            return;
        }
        self.toast.set(None);
        self.tell(refusal);
        if let Some(id) = again.iter().find(|id| self.place(**id).is_some()) {
            self.go(*id);
        }
    }

    fn tell(&self, refusal: &Refusal) {
        let name = |id| {
            self.items.with_untracked(|items| {
                items.iter().find(|item| item.id() == id).map(|item| item.asset.original_name.clone())
            })
        };
        let notice =
            Notice::of(refusal, |decided| name(decided.id).unwrap_or_else(|| "a picture".to_owned()), clock::when);
        self.say(notice.text.clone());
        self.notice.set(Some(notice));
    }

    /// Shows these pictures as the ledger has them, and lets the counts follow.
    fn refresh(&self, ids: &[AssetId]) {
        let items: Vec<Item> = self
            .items
            .with_untracked(|items| items.iter().filter(|item| ids.contains(&item.asset.id)).cloned().collect());
        let mut counts = self.counts.get_untracked();
        for item in items {
            let Some(now) = self.ledger.with_value(|ledger| ledger.shown(item.id())) else { continue };
            counts.shift(item.shown.with_untracked(|shown| shown.decision), now.decision);
            item.shown.set(now);
        }
        self.counts.set(counts);
        self.ledger.with_value(|ledger| {
            self.can_undo.set(ledger.can_undo());
            self.waiting.set(ledger.waiting());
        });
        self.keep_cursor();
    }
}
