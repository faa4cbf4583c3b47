//! The descriptor plan: who may open how many files, so that nobody finds none left.
//!
//! A server that accepts until `accept` fails has already taken the descriptor that the database needed. So everything that
//! opens files is written down as an [`Item`] before the first socket is accepted, and connections get what remains.

use std::{fmt, io};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// With fewer connections than this a studio is of no use.
const FEWEST_CONNECTIONS: u64 = 16;

/// Something that opens files, and how many at the most.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Item {
    name: &'static str,
    descriptors: u64,
}

/// What is needed beside connections.
#[derive(Clone, Debug, Default)]
pub struct Needs {
    items: Vec<Item>,
}

impl Needs {
    /// Writes down that `name` may hold `descriptors` at once.
    #[must_use]
    pub fn with(mut self, name: &'static str, descriptors: usize) -> Self {
        self.items.push(Item { name, descriptors: descriptors as u64 });
        self
    }

    /// What there should be for everything and `connections`.
    pub fn goal(&self, connections: usize) -> u64 {
        self.total() + connections as u64
    }

    fn total(&self) -> u64 {
        self.items.iter().map(|item| item.descriptors).sum()
    }

    /// Gives connections what `limit` leaves, and no more than `wanted`.
    ///
    /// # Errors
    /// If what is left is too little to be of use.
    pub fn plan(self, limit: u64, wanted: usize) -> Result<Plan, PlanError> {
        let needed = self.total();
        let left = limit.saturating_sub(needed);
        if left < FEWEST_CONNECTIONS {
            return Err(PlanError { limit, needed, items: self.items });
        }
        Ok(Plan { limit, items: self.items, connections: left.min(wanted as u64) })
    }
}

/// A plan that adds up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    limit: u64,
    items: Vec<Item>,
    connections: u64,
}

impl Plan {
    /// Connections that may be open at once.
    pub fn connections(&self) -> usize {
        self.connections as usize
    }

    /// Descriptors that everything together may hold.
    pub fn planned(&self) -> u64 {
        self.items.iter().map(|item| item.descriptors).sum::<u64>() + self.connections
    }
}

impl fmt::Display for Plan {
    /// A table, one line for each item.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Item { name, descriptors } in &self.items {
            writeln!(f, "{descriptors:>8}  {name}")?;
        }
        writeln!(f, "{:>8}  connections", self.connections)?;
        write!(f, "{:>8}  planned, of {} that the system allows", self.planned(), self.limit)
    }
}

/// The limit is too low for what the settings ask.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "of {limit} open files that the system allows, {needed} are needed before the first connection ({}), and at least \
     {FEWEST_CONNECTIONS} connections must fit: raise the limit (ulimit -n) or lower the largest of these",
    list(items)
)]
pub struct PlanError {
    limit: u64,
    needed: u64,
    items: Vec<Item>,
}

fn list(items: &[Item]) -> String {
    items.iter().map(|item| format!("{} for {}", item.descriptors, item.name)).collect::<Vec<_>>().join(", ")
}

/// Raises the limit of open files to `goal`, or as near as this process may, and says what it is now.
///
/// No further: what this process starts inherits the limit, and some programs walk through all of it.
pub fn raise_limit(goal: u64) -> u64 {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let Some(before) = current else { return u64::MAX };
    let raised = maximum.map_or(goal, |maximum| goal.min(maximum));
    // If it cannot be raised, the plan is made for what there is.
    if raised > before && setrlimit(Resource::Nofile, Rlimit { current: Some(raised), maximum }).is_ok() {
        raised
    } else {
        before
    }
}

/// Descriptors that are open in this process now.
///
/// # Errors
/// Where the system does not list them.
pub fn used() -> io::Result<u64> {
    // The listing itself is one of them.
    Ok((std::fs::read_dir("/dev/fd")?.count() as u64).saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    fn needs() -> Needs {
        Needs::default().with("standard streams and runtime", 12).with("database", 15).with("media slots", 16)
    }

    #[test]
    fn connections_get_what_is_left() {
        let plan = needs().plan(128, 4096).unwrap();
        assert_eq!((plan.connections(), plan.planned()), (85, 128));
    }

    #[test]
    fn connections_get_no_more_than_was_asked() {
        let plan = needs().plan(20_000, 4096).unwrap();
        assert_eq!((plan.connections(), plan.planned()), (4096, 4139));
    }

    #[test]
    fn the_plan_is_refused_where_it_cannot_add_up() {
        assert_eq!(needs().plan(59, 4096).unwrap().connections(), 16);
        let error = needs().plan(58, 4096).unwrap_err().to_string();
        assert!(error.starts_with("of 58 open files that the system allows, 43 are needed"), "{error}");
        assert!(error.contains("12 for standard streams and runtime, 15 for database, 16 for media slots"), "{error}");
    }

    #[test]
    fn the_plan_is_printed_line_by_line() {
        let printed = needs().plan(128, 40).unwrap().to_string();
        let expected = "      12  standard streams and runtime\n      15  database\n      16  media slots\n      \
                        40  connections\n      83  planned, of 128 that the system allows";
        assert_eq!(printed, expected);
    }

    #[test]
    fn an_open_file_is_counted() {
        let files: Vec<_> = (0..100).map(|_| File::open("/dev/null").unwrap()).collect();
        let with = used().unwrap();
        drop(files);
        assert!(with >= 100);
    }

    #[test]
    fn the_limit_is_never_lowered() {
        let before = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
        assert_eq!(raise_limit(needs().goal(0)), before);
        assert_eq!(raise_limit(u64::MAX), getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX));
        assert!(raise_limit(0) >= before);
    }
}
