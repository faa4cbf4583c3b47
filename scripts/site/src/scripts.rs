//! The two files that run: the module, bound and shrunk, and the glue that starts it.

use std::{fs, path::Path, process::Command};

use wasm_bindgen_cli_support::Bindgen;

use crate::{SiteError, files};

/// The module and its glue. The glue knows no address of the module: the page gives it.
pub(crate) struct Scripts {
    pub(crate) js: Vec<u8>,
    pub(crate) wasm: Vec<u8>,
}

/// Binds the compiled frontend, in a scratch folder that the caller owns.
pub(crate) fn bind(frontend: &Path, tools: &Path, scratch: &Path) -> Result<Scripts, SiteError> {
    let refused = |error: &dyn std::fmt::Display| SiteError::Bindgen(format!("{error:#}"));
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(frontend)
        .out_name("avatars")
        .web(true)
        .map_err(|error| refused(&error))?
        .typescript(false)
        .omit_default_module_path(true)
        .remove_name_section(true)
        .remove_producers_section(true);
    let mut output = bindgen.generate_output().map_err(|error| refused(&error))?;
    let inline = output.snippets().iter().filter(|(_, scripts)| !scripts.is_empty()).map(|(crate_name, _)| crate_name);
    let snippets: Vec<_> = inline.chain(output.local_modules().keys()).cloned().collect();
    if !snippets.is_empty() {
        return Err(SiteError::Snippets(snippets.join(", ")));
    }
    fs::create_dir_all(scratch).map_err(files::at(scratch))?;
    let js = shrink_glue(output.js().as_bytes(), tools, scratch)?;
    let wasm = shrink_module(&output.wasm_mut().emit_wasm(), tools, scratch)?;
    Ok(Scripts { js, wasm })
}

/// For size, and with the features that the module already names: with all of them switched on, wasm-opt writes
/// instructions that browsers do not have yet.
fn shrink_module(wasm: &[u8], tools: &Path, scratch: &Path) -> Result<Vec<u8>, SiteError> {
    let (before, after) = (scratch.join("bound.wasm"), scratch.join("shrunk.wasm"));
    files::write(&before, wasm)?;
    run(&tools.join("wasm-opt"), |tool| tool.arg("-Oz").arg(&before).arg("-o").arg(&after))?;
    files::read(&after)
}

/// Without what only people read. Exported names stay: the page calls the islands by them.
fn shrink_glue(js: &[u8], tools: &Path, scratch: &Path) -> Result<Vec<u8>, SiteError> {
    let (before, after) = (scratch.join("bound.js"), scratch.join("shrunk.js"));
    files::write(&before, js)?;
    let out = format!("--outfile={}", after.display());
    run(&tools.join("esbuild"), |tool| {
        tool.args(["--minify", "--format=esm", "--log-level=warning"]).arg(&before).arg(out)
    })?;
    files::read(&after)
}

fn run(program: &Path, arguments: impl FnOnce(&mut Command) -> &mut Command) -> Result<(), SiteError> {
    let failed = |reason: String| SiteError::Shrink { program: program.to_owned(), reason };
    let ran = arguments(&mut Command::new(program)).output().map_err(|error| failed(error.to_string()))?;
    if ran.status.success() {
        Ok(())
    } else {
        Err(failed(format!("{}: {}", ran.status, String::from_utf8_lossy(&ran.stderr))))
    }
}
