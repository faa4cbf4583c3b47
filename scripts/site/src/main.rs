//! `site FRONTEND.wasm STYLE_FOLDER TOOLS_FOLDER OUT_FOLDER`: makes what browsers fetch.
//!
//! It owns the layout of the site folder (see [`manifest`]) and nothing else: it does not compile, and it does
//! not serve. What it writes is a function of its inputs and of itself; unchanged inputs cost no work.

mod bundle;
mod files;
mod manifest;
mod scripts;
mod style;

use std::{path::PathBuf, process::ExitCode};

use bundle::Inputs;

/// Why no site was made.
#[derive(Debug, thiserror::Error)]
enum SiteError {
    #[error("usage: site FRONTEND.wasm STYLE_FOLDER TOOLS_FOLDER OUT_FOLDER")]
    Usage,
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: std::io::Error },
    #[error("wasm-bindgen refused the compiled frontend: {0}")]
    Bindgen(String),
    #[error("the frontend brings JavaScript files of its own ({0}), and this tool serves a single one")]
    Snippets(String),
    #[error("{} failed: {reason}", program.display())]
    Shrink { program: PathBuf, reason: String },
    #[error("compressing {name}: {source}")]
    Compress { name: String, source: std::io::Error },
    #[error("writing the manifest: {0}")]
    Manifest(#[from] serde_json::Error),
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("site: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), SiteError> {
    let mut args = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(frontend), Some(style), Some(tools), Some(out), None) =
        (args.next(), args.next(), args.next(), args.next(), args.next())
    else {
        return Err(SiteError::Usage);
    };
    bundle::make(&Inputs { frontend, style, tools }, &out)
}
