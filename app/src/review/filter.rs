//! What is on screen: the filter, in the address and in the list.

use serde::{Deserialize, Serialize};

use crate::model::{Asset, Decision, Kind, Slug};

/// Which pictures of a batch are shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Filter {
    /// Candidates only; pipeline pictures are never decided.
    pub(crate) decision: Option<Decision>,
    pub(crate) subject: Option<Slug>,
    pub(crate) kind: Kind,
}

impl Default for Filter {
    fn default() -> Self {
        Self { decision: None, subject: None, kind: Kind::Candidate }
    }
}

impl Filter {
    /// Reads the words of an address. One that means nothing is left out: a bent link still shows the batch.
    #[cfg(feature = "ssr")]
    pub(crate) fn from_words(decision: Option<&str>, subject: Option<&str>, kind: Option<&str>) -> Self {
        Self {
            decision: decision.and_then(|word| word.parse().ok()),
            subject: subject.and_then(|word| word.parse().ok()),
            kind: kind.and_then(|word| word.parse().ok()).unwrap_or(Kind::Candidate),
        }
    }

    /// The query part of the address that shows the same, `?` included; empty for the default.
    pub(crate) fn query(&self) -> String {
        let decision = self.decision.map(|decision| ["decision=", decision.as_str()].concat());
        let subject = self.subject.as_ref().map(|subject| ["subject=", subject.as_str()].concat());
        let kind = (self.kind != Kind::Candidate).then(|| ["kind=", self.kind.as_str()].concat());
        let words: Vec<String> = [decision, subject, kind].into_iter().flatten().collect();
        if words.is_empty() { String::new() } else { ["?", &words.join("&")].concat() }
    }

    /// Whether an asset that stands at `decision` is shown.
    pub(crate) fn admits(&self, asset: &Asset, decision: Decision) -> bool {
        self.admits_undecided(asset)
            && (self.kind == Kind::Pipeline || self.decision.is_none_or(|wanted| wanted == decision))
    }

    /// Whether an asset belongs here whatever is decided of it: what the counts on the tabs are of.
    pub(crate) fn admits_undecided(&self, asset: &Asset) -> bool {
        asset.kind == self.kind && self.subject.as_ref().is_none_or(|subject| *subject == asset.subject)
    }

    pub(crate) fn with_decision(&self, decision: Option<Decision>) -> Self {
        Self { decision, kind: Kind::Candidate, ..self.clone() }
    }

    pub(crate) fn with_subject(&self, subject: Option<Slug>) -> Self {
        Self { subject, ..self.clone() }
    }

    pub(crate) fn with_kind(&self, kind: Kind) -> Self {
        Self { kind, decision: None, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_says_what_is_shown_and_nothing_more() {
        assert_eq!(Filter::default().query(), "");
        let filter = Filter::from_words(Some("approved"), Some("mia"), None);
        assert_eq!(filter.query(), "?decision=approved&subject=mia");
        assert_eq!(filter.with_kind(Kind::Pipeline).query(), "?subject=mia&kind=pipeline");
    }

    #[test]
    fn words_that_mean_nothing_are_left_out() {
        assert_eq!(Filter::from_words(Some("great"), Some("NOT A SLUG"), Some("film")), Filter::default());
    }
}
