//! The program, run by a test.

use assert_cmd::assert::Assert;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::{Duration, Instant};

/// The program as it is where no directory is named with tables and weights.
pub fn reversi() -> assert_cmd::Command {
    assert_cmd::Command::from_std(process())
}

/// The same with these arguments, run to its end.
pub fn run(arguments: &[&str]) -> Assert {
    reversi().args(arguments).assert()
}

/// What a run has written.
pub fn stdout(run: Assert) -> String {
    String::from_utf8(run.get_output().stdout.clone()).unwrap()
}

/// What a run has said besides.
pub fn stderr(run: Assert) -> String {
    String::from_utf8(run.get_output().stderr.clone()).unwrap()
}

/// What a run has written, which is JSON and nothing else.
pub fn json(run: Assert) -> Json {
    read_json(&stdout(run))
}

/// The same where each line is JSON of its own.
pub fn json_lines(run: Assert) -> Vec<Json> {
    stdout(run).lines().map(read_json).collect()
}

fn read_json(text: &str) -> Json {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The same for a caller that does something else while it runs.
pub fn process() -> std::process::Command {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_reversi"));
    command.env_remove("REVERSI_DATA");
    command
}

/// The same as a shell starts it after these words of its own.
pub fn after(words: &str) -> std::process::Command {
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &format!("{words}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_reversi")]);
    shell.env_remove("REVERSI_DATA");
    shell
}

/// A file that ships with the program.
pub fn shipped(name: &str) -> String {
    format!("{}/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Its command line as a player for other programs, wherever it lies.
pub fn gtp(options: &str) -> String {
    format!("'{}' gtp {options}", env!("CARGO_BIN_EXE_reversi"))
}

/// A program that answers as GTP wants until something in its way of moving goes wrong. It writes the
/// number of its process to `pid` beside it.
pub fn gtp_script(directory: &Path, on_genmove: &str) -> String {
    let file = directory.join("engine.sh");
    let pid = directory.join("pid");
    let text = format!(
        "echo $$ >> '{}'\n\
         while read command rest; do\n\
           case $command in\n\
             name) printf '= fake\\n\\n' ;;\n\
             version) printf '= 1\\n\\n' ;;\n\
             list_commands) printf '= name\\nplay\\ngenmove\\n\\n' ;;\n\
             genmove) {on_genmove} ;;\n\
             quit) printf '=\\n\\n'; exit 0 ;;\n\
             *) printf '=\\n\\n' ;;\n\
           esac\n\
         done\n",
        pid.display()
    );
    std::fs::write(&file, text).unwrap();
    format!("sh '{}'", file.display())
}

/// Such a program that loses its first game by a fault and only listens in the second, with the file to
/// which it then writes what it hears.
pub fn hanging_in_the_second_game(directory: &Path) -> (String, PathBuf) {
    let [first, second] = ["first", "second"].map(|name| directory.join(name));
    let on_genmove = format!(
        "if [ -e '{0}' ]; then exec cat > '{1}'; fi; touch '{0}'; printf '= a1\\n\\n'",
        first.display(),
        second.display()
    );
    (gtp_script(directory, &on_genmove), second)
}

/// Waits until there is the file, for as long as the process runs and a busy machine may take.
pub fn wait_for(file: &Path, process: &mut Child) {
    let started = Instant::now();
    while !file.exists() {
        let runs = process.try_wait().unwrap().is_none();
        if !runs || started.elapsed() > Duration::from_secs(120) {
            let _ = process.kill();
            panic!("there is no {}; the process {}", file.display(), if runs { "ran" } else { "has ended" });
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The words of a command line, as a shell sees them.
pub fn words(line: &str) -> Vec<String> {
    shlex::split(line).unwrap_or_else(|| panic!("a quote is not closed in: {line}"))
}

/// Sends Ctrl-C to a process.
#[cfg(unix)]
pub fn interrupt(process: u32) {
    interrupt_at_once(process, 1);
}

/// The same several times, one after the other.
#[cfg(unix)]
pub fn interrupt_at_once(process: u32, times: usize) {
    let kill = std::process::Command::new("kill").arg("-INT").args(vec![process.to_string(); times]).status();
    assert!(kill.unwrap().success());
}
