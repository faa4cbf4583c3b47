//! What was decided here and how far the server has taken it.
//!
//! Acts are sent one after another, in the order in which they were done, each naming the version that the person
//! saw. What is shown is what the server confirmed with the waiting acts laid over it; a refused act takes the later
//! ones on the same pictures with it, because they were made on a ground that no longer holds.

use std::collections::{HashMap, VecDeque};

use crate::model::{Asset, AssetId, AssetVersion, Change, ChangeId, Decided, Decision, Refusal};

/// Where a picture stands, as shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Standing {
    pub(crate) decision: Decision,
    pub(crate) version: u32,
    pub(crate) by: Option<String>,
    /// RFC 3339, UTC.
    pub(crate) at: Option<String>,
    /// Whether the server has confirmed it.
    pub(crate) saved: bool,
}

impl From<&Asset> for Standing {
    fn from(asset: &Asset) -> Self {
        Self {
            decision: asset.decision,
            version: asset.version,
            by: asset.decided_by.clone(),
            at: asset.decided_at.clone(),
            saved: true,
        }
    }
}

impl From<&Decided> for Standing {
    fn from(decided: &Decided) -> Self {
        Self {
            decision: decided.decision,
            version: decided.version,
            by: decided.decided_by.clone(),
            at: decided.decided_at.clone(),
            saved: true,
        }
    }
}

/// One picture's part in an act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    id: AssetId,
    /// The version that the person saw.
    version: u32,
    before: Decision,
    after: Decision,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Decide(Decision),
    /// Takes the act of the same number back.
    Undo,
}

#[derive(Clone, Debug)]
struct Act {
    /// Counts the decisions made here.
    number: u32,
    what: What,
    parts: Vec<Part>,
    /// Whether it was sent before and the answer never came: then the server may have taken it already.
    doubtful: bool,
}

/// An act that can be taken back.
#[derive(Clone, Debug)]
struct Done {
    number: u32,
    /// The server's name of it, once it has answered.
    change: Option<ChangeId>,
    parts: Vec<Part>,
    /// Taken back already, though the server may not have answered yet.
    undone: bool,
}

/// What is to be sent next.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Request {
    Decide(Decision, Vec<AssetVersion>),
    Undo(ChangeId),
}

#[derive(Debug, Default)]
pub(crate) struct Ledger {
    confirmed: HashMap<AssetId, Standing>,
    queue: VecDeque<Act>,
    done: Vec<Done>,
    last_number: u32,
}

impl Ledger {
    /// Takes the server's word on `assets`.
    pub(crate) fn learn<'a>(&mut self, assets: impl IntoIterator<Item = &'a Asset>) {
        self.confirmed.extend(assets.into_iter().map(|asset| (asset.id, Standing::from(asset))));
    }

    /// How a picture is to be shown: confirmed, with the waiting acts over it.
    pub(crate) fn shown(&self, id: AssetId) -> Option<Standing> {
        let mut standing = self.confirmed.get(&id)?.clone();
        let waiting = self.queue.iter().flat_map(|act| &act.parts).filter(|part| part.id == id);
        for part in waiting {
            standing.decision = part.after;
            standing.version += 1;
            standing.saved = false;
        }
        Some(standing)
    }

    /// How many acts wait for an answer.
    pub(crate) fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// Whether there is an act to take back.
    pub(crate) fn can_undo(&self) -> bool {
        self.done.iter().any(|done| !done.undone)
    }

    /// Decides `ids`; returns those that change by it. Those that stand there already are left alone.
    pub(crate) fn decide(&mut self, decision: Decision, ids: &[AssetId]) -> Vec<AssetId> {
        let part = |id: &AssetId| {
            let seen = self.shown(*id)?;
            let part = Part { id: *id, version: seen.version, before: seen.decision, after: decision };
            (seen.decision != decision).then_some(part)
        };
        let parts: Vec<Part> = ids.iter().filter_map(part).collect();
        if parts.is_empty() {
            return Vec::new();
        }
        let touched = ids_of(&parts);
        self.last_number += 1;
        let number = self.last_number;
        self.done.push(Done { number, change: None, parts: parts.clone(), undone: false });
        self.queue.push_back(Act { number, what: What::Decide(decision), parts, doubtful: false });
        touched
    }

    /// Takes the last act back; returns the pictures that change by it.
    pub(crate) fn undo(&mut self) -> Vec<AssetId> {
        let Some(done) = self.done.iter_mut().rev().find(|done| !done.undone) else { return Vec::new() };
        done.undone = true;
        let back = |part: &Part| Part { before: part.after, after: part.before, version: part.version + 1, ..*part };
        let parts: Vec<Part> = done.parts.iter().map(back).collect();
        let touched = ids_of(&parts);
        self.queue.push_back(Act { number: done.number, what: What::Undo, parts, doubtful: false });
        touched
    }

    /// What to send now: the oldest act that has no answer.
    pub(crate) fn next(&self) -> Option<Request> {
        let act = self.queue.front()?;
        match act.what {
            What::Decide(decision) => {
                let version = |part: &Part| AssetVersion { id: part.id, version: part.version };
                Some(Request::Decide(decision, act.parts.iter().map(version).collect()))
            }
            // Its act was answered before it, or it would have been dropped with that act.
            What::Undo => self.done.iter().find(|done| done.number == act.number)?.change.map(Request::Undo),
        }
    }

    /// The server took the oldest act. Returns the pictures to show anew.
    pub(crate) fn accept(&mut self, change: &Change) -> Vec<AssetId> {
        let Some(act) = self.queue.pop_front() else { return Vec::new() };
        self.confirm(&change.assets);
        match act.what {
            What::Decide(_) => {
                if let Some(done) = self.done.iter_mut().find(|done| done.number == act.number) {
                    done.change = Some(change.id);
                }
            }
            What::Undo => self.forget(act.number),
        }
        ids_of(&act.parts)
    }

    /// The server refused the oldest act: it and the later ones on the same pictures are gone. Returns the pictures
    /// to show anew.
    pub(crate) fn refuse(&mut self, refusal: &Refusal) -> Vec<AssetId> {
        let Some(act) = self.queue.pop_front() else { return Vec::new() };
        let mut again = ids_of(&act.parts);
        self.forget(act.number);
        if let Refusal::Stale { assets } = refusal {
            self.confirm(assets);
            // Sent twice because the first answer was lost: what looks like somebody else's decision is this very act.
            if act.doubtful && act.parts.iter().all(|part| took(part, assets)) {
                return again;
            }
        }
        let (fallen, kept): (Vec<Act>, Vec<Act>) = self.queue.drain(..).partition(|later| {
            let fell = later.parts.iter().any(|part| again.contains(&part.id));
            if fell {
                again.extend(later.parts.iter().map(|part| part.id));
            }
            fell
        });
        self.queue = kept.into();
        for act in fallen {
            self.forget(act.number);
        }
        again
    }

    /// No answer came to the oldest act: it stays, and may have been taken all the same.
    pub(crate) fn doubt(&mut self) {
        if let Some(act) = self.queue.front_mut() {
            act.doubtful = true;
        }
    }

    /// Whether the oldest act was refused only because the server had taken it before, without our hearing of it.
    pub(crate) fn was_taken(&self, refusal: &Refusal) -> bool {
        match (self.queue.front(), refusal) {
            (Some(act), Refusal::Stale { assets }) => act.doubtful && act.parts.iter().all(|part| took(part, assets)),
            _ => false,
        }
    }

    fn confirm(&mut self, assets: &[Decided]) {
        self.confirmed.extend(assets.iter().map(|decided| (decided.id, Standing::from(decided))));
    }

    fn forget(&mut self, number: u32) {
        self.done.retain(|done| done.number != number);
    }
}

fn ids_of(parts: &[Part]) -> Vec<AssetId> {
    parts.iter().map(|part| part.id).collect()
}

/// Whether `assets` say that this part has been done, and nothing since.
fn took(part: &Part, assets: &[Decided]) -> bool {
    assets.iter().any(|now| now.id == part.id && now.decision == part.after && now.version == part.version + 1)
}

#[cfg(test)]
mod tests;
