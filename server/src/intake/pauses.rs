//! How long a held file rests between two tries.

use std::time::Duration;

use crate::clock::{Chance, NoChance};

/// After the first try.
const SHORTEST: Duration = Duration::from_secs(5);
pub(super) const LONGEST: Duration = Duration::from_secs(600);

/// The pause after so many tries before this one: twice as long each time, give or take a fifth, so that files which
/// were held together do not come back together.
pub(super) fn pause(tries: u32, chance: &Chance) -> Result<Duration, NoChance> {
    let doubled = SHORTEST.saturating_mul(1 << tries.min(10)).min(LONGEST);
    let [chance] = chance.bytes::<1>()?;
    Ok(doubled.mul_f64(0.8 + 0.4 * f64::from(chance) / 255.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_ten_minutes_and_scatter_by_a_fifth() {
        let chance = Chance::system();
        for (tries, about) in [(0, 5), (1, 10), (3, 40), (6, 320), (7, 600), (40, 600)] {
            let about = Duration::from_secs(about);
            for _ in 0..50 {
                let pause = pause(tries, &chance).unwrap();
                assert!(pause >= about.mul_f64(0.799) && pause <= about.mul_f64(1.201), "{tries}: {pause:?}");
            }
        }
        let scattered: std::collections::BTreeSet<_> = (0..50).map(|_| pause(3, &chance).unwrap()).collect();
        assert!(scattered.len() > 5);
    }
}
