use proptest::prelude::*;

use super::*;

const MIB: u64 = 1 << 20;

#[test]
fn small_work_passes_a_large_waiter_and_does_not_starve_it() {
    let mut ledger = Ledger::new(256 * MIB);
    assert!(ledger.lend(250 * MIB));
    let large = ledger.stand(200 * MIB);
    let mut running = 0;
    let mut line = std::collections::VecDeque::new();
    for _ in 0..50 {
        if ledger.lend(5 * MIB) {
            running += 1;
        } else {
            line.push_back(ledger.stand(5 * MIB));
        }
    }
    assert_eq!(running, 1, "six are free");
    for _ in 0..20 {
        let granted = ledger.give_back(5 * MIB);
        assert_eq!(granted, [Grant { turn: line.pop_front().unwrap(), bytes: 5 * MIB }], "one small after the other");
    }
    let granted = ledger.give_back(250 * MIB);
    assert_eq!(granted[0].turn, large, "the large one goes as soon as it fits");
    assert_eq!(granted.len(), 11, "and small ones beside it");
}

#[test]
fn after_one_whole_budget_has_passed_nobody_passes_any_more() {
    let mut ledger = Ledger::new(10);
    assert!(ledger.lend(9));
    let large = ledger.stand(8);
    for _ in 0..10 {
        assert!(ledger.lend(1));
        assert_eq!(ledger.give_back(1), []);
    }
    assert!(!ledger.lend(1), "ten have passed");
    let small = ledger.stand(1);
    assert_eq!(ledger.give_back(9), [Grant { turn: large, bytes: 8 }, Grant { turn: small, bytes: 1 }]);
}

#[test]
fn who_leaves_lets_those_behind_go() {
    let mut ledger = Ledger::new(10);
    assert!(ledger.lend(4));
    let large = ledger.stand(9);
    let middle = ledger.stand(10);
    assert_eq!(ledger.leave(large), Some(vec![]));
    assert_eq!(ledger.leave(large), None);
    assert_eq!(ledger.give_back(4), [Grant { turn: middle, bytes: 10 }]);
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Ask(u64),
    GiveBack(u8),
    Leave(u8),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = (0_u8..10, any::<u8>()).prop_map(|(kind, n)| match kind {
        0..=4 => Step::Ask(if n < 200 { u64::from(n % 16) } else { u64::from(n % 101) }),
        5..=8 => Step::GiveBack(n),
        _ => Step::Leave(n),
    });
    prop::collection::vec(step, 1..80)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn bytes_are_neither_lost_nor_lent_twice_and_nobody_is_passed_for_ever(steps in steps()) {
        const TOTAL: u64 = 100;
        let mut ledger = Ledger::new(TOTAL);
        let mut lent: Vec<u64> = vec![];
        let mut line: Vec<(Turn, u64)> = vec![];
        // Bytes granted to others since the first in line became the first.
        let mut passed = 0;
        let drain = std::iter::repeat_n(Step::GiveBack(0), 200);
        for step in steps.into_iter().chain(drain) {
            let granted = match step {
                Step::Ask(bytes) if ledger.lend(bytes) => {
                    if !line.is_empty() {
                        passed += bytes;
                    }
                    lent.push(bytes);
                    vec![]
                }
                Step::Ask(bytes) => {
                    line.push((ledger.stand(bytes), bytes));
                    vec![]
                }
                Step::GiveBack(n) if !lent.is_empty() => {
                    let bytes = lent.swap_remove(usize::from(n) % lent.len());
                    ledger.give_back(bytes)
                }
                Step::Leave(n) if !line.is_empty() => {
                    let index = usize::from(n) % line.len();
                    let (turn, _) = line.remove(index);
                    if index == 0 {
                        passed = 0;
                    }
                    ledger.leave(turn).unwrap()
                }
                Step::GiveBack(_) | Step::Leave(_) => vec![],
            };
            for grant in granted {
                let index = line.iter().position(|(turn, _)| *turn == grant.turn).unwrap();
                line.remove(index);
                lent.push(grant.bytes);
                passed = if index == 0 { 0 } else { passed + grant.bytes };
            }
            let used: u64 = lent.iter().sum();
            prop_assert_eq!(ledger.used(), used);
            prop_assert!(used <= TOTAL);
            prop_assert!(passed <= TOTAL, "the first was passed by {} bytes", passed);
            prop_assert_eq!(ledger.waiting(), line.len());
            prop_assert_eq!(ledger.waiting_bytes(), line.iter().map(|(_, bytes)| bytes).sum::<u64>());
            if let Some((_, first)) = line.first() {
                prop_assert!(used + first > TOTAL, "the first fits and does not go");
            }
        }
        prop_assert!(line.is_empty() && ledger.used() == 0, "all have gone in the end");
    }
}
