//! What a refusal tells the person at the desk, in words, and what it offers to do.

use crate::model::{Decided, Decision, Refusal};

/// What a notice offers beside being closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Offer {
    /// Send the waiting acts again.
    TryAgain,
    /// Sign in elsewhere, then send them again.
    SignIn,
}

/// A notice above the pictures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Notice {
    pub(crate) text: String,
    pub(crate) offer: Option<Offer>,
}

impl Notice {
    /// `name` gives a stale picture's name; `when` words a time.
    pub(crate) fn of(refusal: &Refusal, name: impl Fn(&Decided) -> String, when: impl Fn(&str) -> String) -> Self {
        let kept = |why: &str| [why, " Nothing was lost: what you decided waits here."].concat();
        match refusal {
            Refusal::Stale { assets } => Self { text: stale(assets, name, when), offer: None },
            Refusal::Unreachable => Self { text: kept("The server cannot be reached."), offer: Some(Offer::TryAgain) },
            Refusal::Unavailable { reason, .. } => Self { text: kept(reason), offer: Some(Offer::TryAgain) },
            Refusal::SignedOut => Self { text: kept("The session has ended."), offer: Some(Offer::SignIn) },
            other => Self { text: other.to_string(), offer: None },
        }
    }
}

/// Who decided what, and when: the first three by name, the rest as a number.
fn stale(assets: &[Decided], name: impl Fn(&Decided) -> String, when: impl Fn(&str) -> String) -> String {
    let mut text = String::new();
    for decided in assets.iter().take(3) {
        text.push_str(decided.decided_by.as_deref().unwrap_or("Somebody"));
        text.push_str(match decided.decision {
            Decision::Approved => " approved ",
            Decision::Rejected => " rejected ",
            Decision::Undecided => " set back to undecided: ",
        });
        text.push_str(&name(decided));
        if let Some(at) = &decided.decided_at {
            text.push(' ');
            text.push_str(&when(at));
        }
        text.push_str(". ");
    }
    match assets.len() {
        0..=3 => {}
        more => text.push_str(&format!("{} more were decided meanwhile. ", more - 3)),
    }
    text.push_str(if assets.len() == 1 { "Your decision was not taken." } else { "Nothing of yours was changed." });
    text
}

/// A time as people say it, from how long ago it was, in seconds. Nothing once a date says it better.
pub(crate) fn ago(seconds: f64) -> Option<String> {
    let (count, unit) = match seconds {
        s if s < 45.0 => return Some("just now".to_owned()),
        s if s < 90.0 => return Some("a minute ago".to_owned()),
        s if s < 3600.0 => (s / 60.0, "minutes"),
        s if s < 5400.0 => return Some("an hour ago".to_owned()),
        s if s < 86400.0 => (s / 3600.0, "hours"),
        _ => return None,
    };
    Some([&(count.round() as u32).to_string(), " ", unit, " ago"].concat())
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::model::AssetId;

    fn decided(by: &str) -> Decided {
        Decided {
            id: AssetId(Uuid::nil()),
            decision: Decision::Rejected,
            version: 2,
            decided_by: Some(by.to_owned()),
            decided_at: Some("2026-01-01T00:00:00Z".to_owned()),
        }
    }

    fn notice(refusal: &Refusal) -> Notice {
        Notice::of(refusal, |_| "mia-1.png".to_owned(), |_| "just now".to_owned())
    }

    #[test]
    fn a_stale_decision_says_who_what_and_when() {
        let notice = notice(&Refusal::Stale { assets: vec![decided("anna")] });
        assert_eq!(notice.text, "anna rejected mia-1.png just now. Your decision was not taken.");
        assert_eq!(notice.offer, None);
    }

    #[test]
    fn many_stale_ones_are_counted() {
        let notice = notice(&Refusal::Stale { assets: vec![decided("anna"); 5] });
        assert!(notice.text.ends_with("2 more were decided meanwhile. Nothing of yours was changed."));
    }

    #[test]
    fn an_unreachable_server_loses_nothing_and_can_be_tried_again() {
        let notice = notice(&Refusal::Unreachable);
        assert_eq!(notice.text, "The server cannot be reached. Nothing was lost: what you decided waits here.");
        assert_eq!(notice.offer, Some(Offer::TryAgain));
    }

    #[test]
    fn times_are_said_as_people_say_them() {
        assert_eq!(ago(3.0).as_deref(), Some("just now"));
        assert_eq!(ago(125.0).as_deref(), Some("2 minutes ago"));
        assert_eq!(ago(7300.0).as_deref(), Some("2 hours ago"));
        assert_eq!(ago(400_000.0), None);
    }
}
