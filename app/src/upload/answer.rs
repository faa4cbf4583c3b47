//! What the server says to an upload, and what follows from it.

use crate::upload::words;

/// How long to wait where the server is busy and does not say for how long, in seconds.
const BUSY: u64 = 5;

/// An answer as the browser gives it, which has taken its JSON apart: what reads JSON here would weigh as much as all the
/// rest of this.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    /// 0 where none came.
    pub(crate) status: u16,
    /// Seconds.
    pub(crate) retry_after: Option<u64>,
    /// What it says: of files that were sent, three words for each (what became of it, its name, why); of a question, the
    /// hashes that are missing; of a refusal, its detail. Nothing where it says nothing that is ours.
    pub(crate) words: Option<Vec<String>>,
}

/// What became of a file that came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Added,
    /// The same bytes are in the same place already.
    Duplicate,
    Refused,
    /// Nobody sees it before it has been checked.
    Held,
}

/// What became of one file, as the answer to an upload says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Told<'a> {
    fate: Fate,
    name: &'a str,
    /// Why, where it was not added.
    reason: &'a str,
}

/// Why something was not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// No answer came, or not the studio's own.
    Line,
    /// It is to be asked again, after so many seconds.
    Busy(u64),
    /// Nothing more can be sent until a person has done something.
    Stop(Stop),
    /// This one file cannot be sent; another may.
    Failed(String),
}

/// Why nothing more is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    SignedOut,
    /// The right is gone, or the batch; in the server's words.
    Refused(String),
}

/// What became of what one file brought: itself, or many where it was an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) added: u32,
    pub(crate) here: u32,
    pub(crate) held: u32,
    pub(crate) refused: u32,
    /// Why, of those that were not added.
    pub(crate) why: String,
}

impl Fate {
    fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "added" => Self::Added,
            "duplicate" => Self::Duplicate,
            "refused" => Self::Refused,
            "held" => Self::Held,
            _ => return None,
        })
    }
}

impl Answer {
    /// The answer to files that were sent.
    pub(crate) fn told(&self) -> Result<Vec<Told<'_>>, Trouble> {
        let mut all = Vec::new();
        for three in self.read()?.chunks(3) {
            let [fate, name, reason] = three else { return Err(Trouble::Line) };
            let fate = Fate::from_word(fate).ok_or(Trouble::Line)?;
            all.push(Told { fate, name, reason });
        }
        Ok(all)
    }

    /// The answer to the question what is missing.
    pub(crate) fn missing(&self) -> Result<&[String], Trouble> {
        self.read()
    }

    fn read(&self) -> Result<&[String], Trouble> {
        match (self.status, &self.words) {
            (200..300, Some(words)) => Ok(words),
            // What cannot be read is not the studio's: some gate on the way has answered for it.
            (0 | 200..300 | 408 | 502 | 504, _) => Err(Trouble::Line),
            (429 | 503, _) => Err(Trouble::Busy(self.retry_after.unwrap_or(BUSY))),
            (401, _) => Err(Trouble::Stop(Stop::SignedOut)),
            (403 | 404, _) => Err(Trouble::Stop(Stop::Refused(self.detail()))),
            _ => Err(Trouble::Failed(self.detail())),
        }
    }

    fn detail(&self) -> String {
        match self.words.as_deref() {
            Some([detail]) => detail.clone(),
            _ => ["The server answered ", &self.status.to_string(), "."].concat(),
        }
    }
}

impl Outcome {
    pub(crate) const fn here() -> Self {
        Self { added: 0, here: 1, held: 0, refused: 0, why: String::new() }
    }

    pub(crate) const fn refused(why: String) -> Self {
        Self { added: 0, here: 0, held: 0, refused: 1, why }
    }

    /// Whether anything of it is in the batch, or will be.
    pub(crate) const fn came(&self) -> bool {
        self.added + self.here + self.held > 0
    }

    /// For a person, in a line.
    pub(crate) fn note(&self) -> String {
        let text = match (self.added, self.here, self.held, self.refused) {
            (1, 0, 0, 0) => "Added",
            (0, 1, 0, 0) => "Already here",
            (0, 0, 1, 0) => "Held back, still checking",
            (0, 0, 0, 0) => "There was nothing in it",
            (0, 0, 0, 1) => &self.why,
            (added, here, held, refused) => {
                let parts = [(added, "added"), (here, "already here"), (held, "held back"), (refused, "refused")];
                let sum = words::list(&parts);
                return if self.why.is_empty() { sum } else { [&sum, ": ", &self.why].concat() };
            }
        };
        text.to_owned()
    }

    pub(crate) fn of(told: &[Told<'_>]) -> Self {
        let mut outcome = Self::default();
        for one in told {
            match one.fate {
                Fate::Added => outcome.added += 1,
                Fate::Duplicate => outcome.here += 1,
                Fate::Held => outcome.held += 1,
                Fate::Refused => outcome.refused += 1,
            }
            // A reason is told with the fates that need one; of an archive, with the name.
            if matches!(one.fate, Fate::Refused | Fate::Held) && !one.reason.is_empty() {
                if !outcome.why.is_empty() {
                    outcome.why.push_str("; ");
                }
                if told.len() > 1 {
                    outcome.why.push_str(one.name);
                    outcome.why.push_str(": ");
                }
                outcome.why.push_str(one.reason);
            }
        }
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, words: &[&str]) -> Answer {
        let words = Some(words.iter().map(|&word| word.to_owned()).collect());
        Answer { status, retry_after: None, words }
    }

    #[test]
    fn what_became_of_each_file_is_read() {
        let said = ["added", "a.png", "", "refused", "b.txt", "this is a text", "held", "c.png", ""];
        let answer = answer(201, &said);
        let told = answer.told().unwrap();
        assert_eq!(told.len(), 3);
        let outcome = Outcome::of(&told);
        assert_eq!((outcome.added, outcome.refused, outcome.held, outcome.here), (1, 1, 1, 0));
        assert_eq!(outcome.why, "b.txt: this is a text", "one of many is named");
        assert_eq!(outcome.note(), "1 added, 1 held back, 1 refused: b.txt: this is a text");
        let single = |at: usize| Outcome::of(&told[at..=at]).note();
        assert_eq!([single(0), single(1), single(2)], ["Added", "this is a text", "Held back, still checking"]);
    }

    #[test]
    fn what_is_missing_is_read() {
        assert_eq!(answer(200, &["ab"]).missing().unwrap(), ["ab"]);
        assert!(answer(200, &[]).missing().unwrap().is_empty());
    }

    #[test]
    fn a_busy_server_says_for_how_long() {
        let busy = Answer { status: 503, retry_after: Some(7), words: None };
        assert_eq!(busy.told(), Err(Trouble::Busy(7)));
        assert_eq!(answer(429, &[]).told(), Err(Trouble::Busy(BUSY)));
    }

    #[test]
    fn a_gate_on_the_way_that_answers_for_the_server_is_a_broken_line() {
        let unread = |status| Answer { status, ..Answer::default() };
        for silent in [unread(0), unread(502), unread(504), unread(200), answer(201, &["added", "a.png"])] {
            assert_eq!(silent.told(), Err(Trouble::Line), "{silent:?}");
        }
    }

    #[test]
    fn what_a_person_must_see_to_stops_everything_and_what_one_file_is_to_blame_for_does_not() {
        assert_eq!(answer(401, &[""]).told(), Err(Trouble::Stop(Stop::SignedOut)));
        assert_eq!(
            answer(403, &["Ask an admin."]).told(),
            Err(Trouble::Stop(Stop::Refused("Ask an admin.".to_owned())))
        );
        let unread = |status| Answer { status, ..Answer::default() };
        assert_eq!(unread(500).told(), Err(Trouble::Failed("The server answered 500.".to_owned())));
        assert_eq!(unread(413).told(), Err(Trouble::Failed("The server answered 413.".to_owned())));
    }
}
