//! A list as parameters of a statement whose text never changes.
//!
//! The engines share no way to bind an array. So the text has fifty places, `$1` to `$50`; a longer list goes in
//! several statements, and a shorter one fills up with its last value, which `in` does not mind.

pub(super) const PLACES: usize = 50;

/// `($1, …, $50)`, to stand behind `in`; the statement's other parameters begin with `$51`.
macro_rules! fifty {
    () => {
        "($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, \
         $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, \
         $45, $46, $47, $48, $49, $50)"
    };
}

pub(super) use fifty;

/// The list in pieces of fifty, each filled up.
pub(super) fn fifties<T: Copy>(list: &[T]) -> impl Iterator<Item = [T; PLACES]> {
    list.chunks(PLACES).filter_map(|piece| {
        let last = *piece.last()?;
        Some(std::array::from_fn(|place| piece.get(place).copied().unwrap_or(last)))
    })
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_short_list_fills_up_with_its_last_id() {
        let ids: Vec<Uuid> = (1..=52_u128).map(Uuid::from_u128).collect();
        let pieces: Vec<_> = fifties(&ids).collect();
        assert_eq!(pieces[0], ids[..50]);
        assert_eq!(pieces[1][..2], ids[50..]);
        assert!(pieces[1][2..].iter().all(|&id| id == ids[51]));
        assert_eq!(pieces.len(), 2);
    }

    #[test]
    fn no_ids_make_no_statement() {
        assert_eq!(fifties::<Uuid>(&[]).count(), 0);
    }
}
