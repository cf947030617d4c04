//! What several tests of the command line share.

#![allow(dead_code, reason = "no test uses all of it")]

/// The words of a command line: split at spaces, where quotes keep words together.
pub fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (number, part) in line.split('"').enumerate() {
        match number % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

/// Sends Ctrl-C to a process; what a terminal's end or `kill` sends where this run was started so that Ctrl-C is ignored,
/// as scripts do with what they start in the background: a program that it starts ignores it too.
#[cfg(unix)]
pub fn interrupt(process: u32) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    let signal = if ignored >> 1 & 1 == 0 { "-INT" } else { "-TERM" };
    let kill = std::process::Command::new("kill").args([signal, &process.to_string()]).status();
    assert!(kill.unwrap().success());
}
