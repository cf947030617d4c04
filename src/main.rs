//! The `reversi` program: the command line and the page.

mod advice;
mod cli;
mod json;
mod processor;
mod web;

fn main() -> std::process::ExitCode {
    match processor::check() {
        Ok(()) => cli::run(),
        Err(code) => code,
    }
}
