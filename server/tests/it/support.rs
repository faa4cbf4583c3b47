//! A data folder of its own for each test, the program run on it, and a client that is signed in.

mod client;
mod eventually;
mod pictures;
mod program;
mod zip;

pub(crate) use self::{
    client::{Client, problem},
    eventually::eventually,
    pictures::{Look, picture, write_pictures},
    program::{Server, Studio},
    zip::{Entry as ZipEntry, zip},
};
