//! Where something is, and which places somebody reaches.

use app::model::{NotASlug, Slug};

/// A family, or one subject of it: what a right is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    pub family: Slug,
    /// Absent: the family as a whole.
    pub subject: Option<Slug>,
}

impl Place {
    pub fn family(family: Slug) -> Self {
        Self { family, subject: None }
    }

    pub fn subject(family: Slug, subject: Slug) -> Self {
        Self { family, subject: Some(subject) }
    }

    /// Whether the other place is this one or lies within it.
    pub fn covers(&self, other: &Self) -> bool {
        self.family == other.family && (self.subject.is_none() || self.subject == other.subject)
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.subject {
            Some(subject) => write!(f, "{}/{subject}", self.family),
            None => self.family.fmt(f),
        }
    }
}

/// From `FAMILY` or `FAMILY/SUBJECT`.
impl std::str::FromStr for Place {
    type Err = NotASlug;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('/') {
            Some((family, subject)) => Ok(Self::subject(family.parse()?, subject.parse()?)),
            None => Ok(Self::family(text.parse()?)),
        }
    }
}

/// The places that somebody reaches: what a listing shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    All,
    Only(Vec<Place>),
}

impl Scope {
    pub(crate) fn covers(&self, place: &Place) -> bool {
        match self {
            Self::All => true,
            Self::Only(places) => places.iter().any(|reached| reached.covers(place)),
        }
    }

    /// The scope as one parameter: `*`, or `|family/|family/subject|…`, for [`within`] to look into. Slugs hold
    /// neither `|` nor `/` nor a wildcard of `like`.
    pub(super) fn to_parameter(&self) -> String {
        match self {
            Self::All => "*".to_owned(),
            Self::Only(places) => places.iter().fold("|".to_owned(), |mut text, place| {
                text.push_str(place.family.as_str());
                text.push('/');
                text.push_str(place.subject.as_ref().map_or("", Slug::as_str));
                text.push('|');
                text
            }),
        }
    }
}

/// SQL: whether the scope, given as a parameter, covers the whole family.
macro_rules! whole_family {
    ($scope:literal, $family:literal) => {
        concat!("(", $scope, " = '*' or ", $scope, " like '%|' || ", $family, " || '/|%')")
    };
}

/// SQL: whether the scope, given as a parameter, covers the subject.
macro_rules! within {
    ($scope:literal, $family:literal, $subject:literal) => {
        concat!(
            "(",
            $crate::store::place::whole_family!($scope, $family),
            " or ",
            $scope,
            " like '%|' || ",
            $family,
            " || '/' || ",
            $subject,
            " || '|%')"
        )
    };
}

pub(super) use {whole_family, within};

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str) -> Place {
        text.parse().unwrap()
    }

    #[test]
    fn a_family_covers_its_subjects_and_a_subject_only_itself() {
        assert!(place("cats").covers(&place("cats")));
        assert!(place("cats").covers(&place("cats/tom")));
        assert!(place("cats/tom").covers(&place("cats/tom")));
        assert!(!place("cats/tom").covers(&place("cats")));
        assert!(!place("cats/tom").covers(&place("cats/kit")));
        assert!(!place("cats").covers(&place("dogs/tom")));
    }

    #[test]
    fn a_place_reads_as_it_is_written() {
        assert_eq!(place("cats/tom").to_string(), "cats/tom");
        assert_eq!(place("cats").to_string(), "cats");
        for wrong in ["", "/", "cats/", "/tom", "cats/tom/x", "Cats", "c%ts"] {
            assert!(wrong.parse::<Place>().is_err(), "{wrong}");
        }
    }
}
