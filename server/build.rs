//! The migrations are compiled in: a new file among them is a change of this crate.

fn main() {
    println!("cargo:rerun-if-changed=../migrations");
}
