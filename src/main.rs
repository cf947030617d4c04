//! The `reversi` program.

fn main() -> std::process::ExitCode {
    reversi::program()
}
