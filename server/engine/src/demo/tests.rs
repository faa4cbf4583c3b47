//! What the demo promises to whoever imports it.

use std::collections::HashSet;

use image::{GenericImageView, ImageFormat};

use super::{Family, Kind, Picture, draw, encode::Form, plan};

fn candidates(family: &Family) -> impl Iterator<Item = &Picture> {
    family.pictures.iter().filter(|picture| picture.kind == Kind::Candidate)
}

#[test]
fn two_batches_have_150_candidates_each_and_originals() {
    let families = plan();
    assert_eq!(families.len(), 2);
    for family in &families {
        assert_eq!(candidates(family).count(), 150);
        let originals: HashSet<_> = family
            .pictures
            .iter()
            .filter(|picture| picture.kind == Kind::Pipeline)
            .map(|picture| picture.subject)
            .collect();
        let subjects: HashSet<_> = candidates(family).map(|picture| picture.subject).collect();
        assert_eq!(originals, subjects, "every subject has pipeline originals");
        assert!(subjects.len() >= 3);
    }
}

#[test]
fn names_are_unique_and_say_the_format() {
    let mut names = HashSet::new();
    for family in plan() {
        for picture in family.pictures {
            assert!(picture.file_name.ends_with(picture.form.extension()));
            assert!(names.insert(picture.file_name.clone()), "{}", picture.file_name);
        }
    }
}

#[test]
fn formats_shapes_and_sizes_are_mixed() {
    for family in plan() {
        for form in [Form::Png, Form::Jpeg, Form::Webp] {
            assert!(candidates(&family).filter(|picture| picture.form == form).count() >= 30, "{form:?}");
        }
        for form in [Form::Png, Form::Webp] {
            assert!(
                candidates(&family).any(|picture| picture.form == form && picture.has_alpha()),
                "{form:?} with alpha"
            );
        }
        for picture in &family.pictures {
            assert!((512..=2048).contains(&picture.width) && (512..=2048).contains(&picture.height));
            assert!(!(picture.form == Form::Jpeg && picture.has_alpha()), "JPEG has no alpha");
        }
        assert!(candidates(&family).any(|picture| picture.width == 2048));
        assert!(candidates(&family).any(|picture| picture.width == 512));
        assert!(candidates(&family).any(|picture| picture.width < picture.height));
        assert!(candidates(&family).any(|picture| picture.width > picture.height));
    }
}

#[test]
fn every_kind_of_file_decodes_to_the_planned_size() {
    let mut seen = HashSet::new();
    for picture in plan().iter().flat_map(|family| &family.pictures) {
        if picture.width > 1024
            || !seen.insert((picture.form.extension(), picture.has_alpha(), picture.width > picture.height))
        {
            continue;
        }
        let format = match picture.form {
            Form::Png => ImageFormat::Png,
            Form::Jpeg => ImageFormat::Jpeg,
            Form::Webp => ImageFormat::WebP,
        };
        let decoded = image::load_from_memory_with_format(&draw(picture).unwrap(), format).unwrap();
        assert_eq!(decoded.dimensions(), (picture.width, picture.height), "{}", picture.file_name);
        assert_eq!(decoded.color().has_alpha(), picture.has_alpha(), "{}", picture.file_name);
    }
    assert!(seen.len() >= 6);
}

#[test]
fn the_same_plan_draws_the_same_bytes() {
    let (first, second) = (plan(), plan());
    for at in [0, 1, 12, 20, 33] {
        let (one, other) = (&first[0].pictures[at], &second[0].pictures[at]);
        assert_eq!(one.file_name, other.file_name);
        assert!(draw(one).unwrap() == draw(other).unwrap(), "{} differs between two runs", one.file_name);
    }
}

#[test]
fn two_subjects_differ_far_more_than_noise() {
    let references: Vec<_> = plan()
        .iter()
        .flat_map(|family| &family.pictures)
        .filter(|picture| picture.file_name.ends_with("-reference.png"))
        .map(|picture| image::load_from_memory(&draw(picture).unwrap()).unwrap().thumbnail(64, 80).into_rgb8())
        .collect();
    for (at, one) in references.iter().enumerate() {
        for other in &references[at + 1..] {
            let difference: u64 = one.as_raw().iter().zip(other.as_raw()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
            assert!(difference / one.as_raw().len() as u64 >= 6, "mean difference of two people: {difference}");
        }
    }
}
