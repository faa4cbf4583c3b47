//! A data folder of its own for each test, the program run on it, and a client that is signed in.

mod clamd;
mod client;
mod eventually;
mod false_clamd;
mod pictures;
mod program;
mod zip;

pub(crate) use self::{
    clamd::{Clamd, MARK},
    client::{Client, problem},
    eventually::eventually,
    false_clamd::{FalseClamd, Manner},
    pictures::{Look, picture, write_pictures},
    program::{Server, Studio},
    zip::{Entry as ZipEntry, zip},
};
