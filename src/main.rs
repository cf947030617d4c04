//! The `reversi` program: the command line and the page.

mod advice;
mod cli;
mod json;
mod web;

fn main() -> std::process::ExitCode {
    cli::run()
}
