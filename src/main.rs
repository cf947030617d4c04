//! The `reversi` program; everything it does lives in the library.

fn main() -> std::process::ExitCode {
    reversi::cli::run()
}
