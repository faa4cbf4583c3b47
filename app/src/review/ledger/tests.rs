use uuid::Uuid;

use super::*;
use Decision::{Approved, Rejected, Undecided};

fn id(n: u128) -> AssetId {
    AssetId(Uuid::from_u128(n))
}

fn ledger(pictures: u128) -> Ledger {
    let mut ledger = Ledger::default();
    for n in 0..pictures {
        let standing = Standing { decision: Undecided, version: 1, by: None, at: None, saved: true };
        ledger.confirmed.insert(id(n), standing);
    }
    ledger
}

fn decided(n: u128, decision: Decision, version: u32, by: &str) -> Decided {
    Decided { id: id(n), decision, version, decided_by: Some(by.to_owned()), decided_at: None }
}

fn change(n: u128, assets: Vec<Decided>) -> Change {
    Change { id: ChangeId(Uuid::from_u128(n)), assets }
}

fn shown(ledger: &Ledger, n: u128) -> (Decision, u32, bool) {
    let standing = ledger.shown(id(n)).unwrap();
    (standing.decision, standing.version, standing.saved)
}

#[test]
fn a_decision_is_shown_at_once_and_saved_when_answered() {
    let mut ledger = ledger(1);
    assert_eq!(ledger.decide(Approved, &[id(0)]), [id(0)]);
    assert_eq!(shown(&ledger, 0), (Approved, 2, false));
    assert_eq!(ledger.next(), Some(Request::Decide(Approved, vec![AssetVersion { id: id(0), version: 1 }])));
    ledger.accept(&change(9, vec![decided(0, Approved, 2, "me")]));
    assert_eq!(shown(&ledger, 0), (Approved, 2, true));
    assert_eq!(ledger.next(), None);
}

#[test]
fn two_quick_acts_on_one_picture_name_the_versions_that_will_be() {
    let mut ledger = ledger(1);
    ledger.decide(Approved, &[id(0)]);
    ledger.decide(Rejected, &[id(0)]);
    ledger.accept(&change(9, vec![decided(0, Approved, 2, "me")]));
    assert_eq!(shown(&ledger, 0), (Rejected, 3, false));
    assert_eq!(ledger.next(), Some(Request::Decide(Rejected, vec![AssetVersion { id: id(0), version: 2 }])));
}

#[test]
fn what_stands_there_already_is_not_sent() {
    let mut ledger = ledger(2);
    ledger.decide(Approved, &[id(0)]);
    assert_eq!(ledger.decide(Approved, &[id(0), id(1)]), [id(1)]);
    assert!(ledger.decide(Approved, &[id(0), id(1)]).is_empty());
    assert_eq!(ledger.waiting(), 2);
}

#[test]
fn undo_returns_each_picture_to_its_own_decision() {
    let mut ledger = ledger(2);
    ledger.decide(Rejected, &[id(1)]);
    ledger.accept(&change(7, vec![decided(1, Rejected, 2, "me")]));
    ledger.decide(Approved, &[id(0), id(1)]);
    ledger.accept(&change(8, vec![decided(0, Approved, 2, "me"), decided(1, Approved, 3, "me")]));
    assert_eq!(ledger.undo(), [id(0), id(1)]);
    assert_eq!(shown(&ledger, 0).0, Undecided);
    assert_eq!(shown(&ledger, 1).0, Rejected);
    assert_eq!(ledger.next(), Some(Request::Undo(ChangeId(Uuid::from_u128(8)))));
    ledger.accept(&change(10, vec![decided(0, Undecided, 3, "me"), decided(1, Rejected, 4, "me")]));
    assert!(ledger.can_undo(), "the act before it can still be taken back");
    assert_eq!(ledger.undo(), [id(1)]);
}

#[test]
fn undo_waits_for_the_answer_that_names_its_change() {
    let mut ledger = ledger(1);
    ledger.decide(Approved, &[id(0)]);
    ledger.undo();
    assert!(!ledger.can_undo());
    assert_eq!(shown(&ledger, 0).0, Undecided);
    ledger.accept(&change(8, vec![decided(0, Approved, 2, "me")]));
    assert_eq!(ledger.next(), Some(Request::Undo(ChangeId(Uuid::from_u128(8)))));
}

#[test]
fn a_stale_decision_shows_the_present_state_and_takes_later_acts_on_it_along() {
    let mut ledger = ledger(2);
    ledger.decide(Approved, &[id(0)]);
    ledger.decide(Approved, &[id(1)]);
    ledger.decide(Undecided, &[id(0)]);
    let stale = Refusal::Stale { assets: vec![decided(0, Rejected, 2, "anna")] };
    assert_eq!(ledger.refuse(&stale), [id(0), id(0)]);
    assert_eq!(shown(&ledger, 0), (Rejected, 2, true), "the later act must not overrule anna unseen");
    assert_eq!(shown(&ledger, 1), (Approved, 2, false), "the act on another picture still waits");
    assert_eq!(ledger.waiting(), 1);
}

#[test]
fn a_refused_act_can_not_be_undone() {
    let mut ledger = ledger(1);
    ledger.decide(Approved, &[id(0)]);
    ledger.refuse(&Refusal::Forbidden);
    assert_eq!(shown(&ledger, 0), (Undecided, 1, true));
    assert!(!ledger.can_undo());
}

#[test]
fn an_act_whose_answer_was_lost_is_recognised_as_ones_own() {
    let mut ledger = ledger(1);
    ledger.decide(Approved, &[id(0)]);
    ledger.doubt();
    assert_eq!(shown(&ledger, 0), (Approved, 2, false), "nothing is lost while it waits");
    ledger.decide(Rejected, &[id(0)]);
    let stale = Refusal::Stale { assets: vec![decided(0, Approved, 2, "me")] };
    assert!(ledger.was_taken(&stale));
    ledger.refuse(&stale);
    assert_eq!(shown(&ledger, 0), (Rejected, 3, false), "the later act stands on firm ground");
}

#[test]
fn an_act_sent_once_is_never_taken_for_ones_own() {
    let mut ledger = ledger(1);
    ledger.decide(Approved, &[id(0)]);
    assert!(!ledger.was_taken(&Refusal::Stale { assets: vec![decided(0, Approved, 2, "anna")] }));
}
