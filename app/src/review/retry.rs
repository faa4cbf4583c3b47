//! When a picture that failed is fetched again, and at which address.

/// Waits before the second and the third request, in milliseconds. After the third failure it takes a person.
const WAITS: [u32; 2] = [500, 1000];

/// How often a picture was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Attempts {
    /// Failures since the start, or since a person started over.
    failed: usize,
    /// Requests before the present one, ever: what makes each address new to every cache.
    before: u32,
}

impl Attempts {
    /// Counts a failure. How long to wait before the next request; nothing when it is over.
    pub(crate) fn fail(&mut self) -> Option<u32> {
        let wait = WAITS.get(self.failed).copied();
        self.failed += 1;
        wait
    }

    /// Whether the present request is the first ever.
    pub(crate) fn is_first(&self) -> bool {
        self.before == 0
    }

    /// Begins the next request of the same round.
    pub(crate) fn again(&mut self) {
        self.before += 1;
    }

    /// A person starts over: the next request is the first of a new round.
    pub(crate) fn start_over(&mut self) {
        self.failed = 0;
        self.before += 1;
    }

    /// The address of the present request: the same one, with the attempt in the query after the first.
    pub(crate) fn address(&self, source: &str) -> String {
        if self.before == 0 {
            return source.to_owned();
        }
        let join = if source.contains('?') { "&" } else { "?" };
        [source, join, "retry=", &self.before.to_string()].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_requests_then_a_person() {
        let mut attempts = Attempts::default();
        assert_eq!(attempts.address("/t"), "/t");
        assert_eq!(attempts.fail(), Some(500));
        attempts.again();
        assert_eq!(attempts.address("/t"), "/t?retry=1");
        assert_eq!(attempts.fail(), Some(1000));
        attempts.again();
        assert_eq!(attempts.address("/t"), "/t?retry=2");
        assert_eq!(attempts.fail(), None);
    }

    #[test]
    fn starting_over_gives_a_new_round_at_new_addresses() {
        let mut attempts = Attempts::default();
        while attempts.fail().is_some() {
            attempts.again();
        }
        attempts.start_over();
        assert_eq!(attempts.address("/t?a=b"), "/t?a=b&retry=3");
        assert_eq!(attempts.fail(), Some(500));
        attempts.again();
        assert_eq!(attempts.fail(), Some(1000));
        attempts.again();
        assert_eq!(attempts.fail(), None);
    }
}
