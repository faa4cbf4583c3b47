//! Counts failed sign-ins, by name and address and by address alone, and asks for patience.
//!
//! A try counts before the password is checked, so that a hundred at once are not all checked, and is given back when
//! it succeeds: people who know their password never wait, however many share an address. (The ready-made limiters
//! cannot give back.) Nothing but a sign-in is ever counted.

use std::{
    collections::HashMap,
    fmt,
    net::{IpAddr, Ipv6Addr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use time::{Duration, OffsetDateTime};

use crate::clock::Clock;

/// Failures in a row, and how soon one is forgiven.
#[derive(Clone, Copy)]
struct Allowance {
    burst: i32,
    forgiven_after: Duration,
}

const NAME_AND_ADDRESS: Allowance = Allowance { burst: 10, forgiven_after: Duration::seconds(30) };
const ADDRESS: Allowance = Allowance { burst: 100, forgiven_after: Duration::seconds(3) };

/// So many are remembered; then those that have been forgiven are forgotten, and if that is not enough, all.
const REMEMBERED: usize = 20_000;

/// Where a try comes from: an IPv6 user has a whole /64 to come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Origin(Option<IpAddr>);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    /// Of the name only the hash: names may be of any length.
    Name([u8; 32], Origin),
    Address(Origin),
}

impl Key {
    const fn allowance(&self) -> Allowance {
        match self {
            Self::Name(..) => NAME_AND_ADDRESS,
            Self::Address(_) => ADDRESS,
        }
    }
}

/// The failures of one key, kept as the moment when all will be forgiven.
type Debts = HashMap<Key, OffsetDateTime>;

/// Shared by all who sign in.
#[derive(Clone)]
pub(super) struct Limiter {
    clock: Clock,
    debts: Arc<Mutex<Debts>>,
}

/// A try that was let through; it stays counted unless it succeeds.
#[must_use]
#[derive(Debug)]
pub(super) struct Attempt<'a> {
    limiter: &'a Limiter,
    keys: [Key; 2],
}

impl Limiter {
    pub(super) fn new(clock: Clock) -> Self {
        Self { clock, debts: Arc::default() }
    }

    /// Counts a try, or tells how long to wait.
    pub(super) fn attempt(&self, name: &str, address: Option<IpAddr>) -> Result<Attempt<'_>, Duration> {
        let origin = Origin(address.map(network));
        let name = *crate::originals::Sha256::of(name.as_bytes()).as_bytes();
        let keys = [Key::Name(name, origin), Key::Address(origin)];
        let now = self.clock.now();
        let mut debts = self.debts();
        for key in &keys {
            let Allowance { burst, forgiven_after } = key.allowance();
            let debt = debts.get(key).map_or(Duration::ZERO, |&until| until - now);
            let over = debt - forgiven_after * (burst - 1);
            if over.is_positive() {
                return Err(over);
            }
        }
        make_room(&mut debts, now);
        for key in &keys {
            let until = debts.entry(key.clone()).or_insert(now);
            *until = (*until).max(now) + key.allowance().forgiven_after;
        }
        drop(debts);
        Ok(Attempt { limiter: self, keys })
    }

    fn debts(&self) -> MutexGuard<'_, Debts> {
        // The map is whole after every single step: a panic elsewhere cannot have spoilt it.
        self.debts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Attempt<'_> {
    /// Gives the try back.
    pub(super) fn succeeded(self) {
        let mut debts = self.limiter.debts();
        for key in &self.keys {
            if let Some(until) = debts.get_mut(key) {
                *until -= key.allowance().forgiven_after;
            }
        }
    }
}

fn make_room(debts: &mut Debts, now: OffsetDateTime) {
    if debts.len() >= REMEMBERED {
        debts.retain(|_, until| *until > now);
    }
    if debts.len() >= REMEMBERED {
        debts.clear();
    }
}

fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64))),
        v4 => v4,
    }
}

impl fmt::Debug for Limiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Limiter")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Option<IpAddr> = Some(IpAddr::V4(std::net::Ipv4Addr::LOCALHOST));

    #[test]
    fn the_eleventh_failure_waits_until_one_is_forgiven() {
        let (clock, hand) = Clock::by_hand();
        let limiter = Limiter::new(clock);
        for _ in 0..10 {
            let _failed = limiter.attempt("ada", HERE).unwrap();
        }
        assert_eq!(limiter.attempt("ada", HERE).unwrap_err(), Duration::seconds(30));
        hand.forward(Duration::seconds(29));
        assert_eq!(limiter.attempt("ada", HERE).unwrap_err(), Duration::seconds(1));
        hand.forward(Duration::seconds(1));
        let _failed = limiter.attempt("ada", HERE).unwrap();
        assert!(limiter.attempt("ada", HERE).is_err());
    }

    #[test]
    fn another_name_and_another_address_are_not_held_up() {
        let (clock, _) = Clock::by_hand();
        let limiter = Limiter::new(clock);
        while limiter.attempt("ada", HERE).is_ok() {}
        assert!(limiter.attempt("bo", HERE).is_ok());
        assert!(limiter.attempt("ada", Some("192.0.2.1".parse().unwrap())).is_ok());
    }

    #[test]
    fn who_knows_the_password_never_waits() {
        let (clock, _) = Clock::by_hand();
        let limiter = Limiter::new(clock);
        for _ in 0..1000 {
            limiter.attempt("ada", HERE).unwrap().succeeded();
        }
    }

    #[test]
    fn many_names_from_one_network_are_held_up_together() {
        let (clock, _) = Clock::by_hand();
        let limiter = Limiter::new(clock);
        let address = |host: usize| Some(format!("2001:db8::{host:x}").parse().unwrap());
        for guess in 0..100 {
            let _failed = limiter.attempt(&format!("name{guess}"), address(guess)).unwrap();
        }
        assert!(limiter.attempt("another", address(100)).is_err());
        assert!(limiter.attempt("another", Some("2001:db8:1::1".parse().unwrap())).is_ok());
    }

    #[test]
    fn a_flood_of_names_does_not_fill_the_memory() {
        let (clock, _) = Clock::by_hand();
        let limiter = Limiter::new(clock);
        for host in 0..(3 * REMEMBERED as u32) {
            let _failed = limiter.attempt("ada", Some(IpAddr::V4(host.into()))).unwrap();
        }
        assert!(limiter.debts().len() <= REMEMBERED + 1);
    }
}
