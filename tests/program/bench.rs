//! The measurements that anyone can make print what they say they do, and completions are for the shell asked for.

use crate::common::{json, run, stderr, stdout};

#[test]
fn the_oracle_is_measured_by_empty_squares() {
    let asked = ["bench", "oracle", "--goal", "normal", "--positions", "40"];
    let found = json(run(&[&asked[..], &["--json"]].concat()).success());
    assert_eq!(found["schema"], "reversi.bench-oracle/1", "{found}");
    assert!(found["all"]["nodes"].as_u64().unwrap() > 0, "{found}");
    let following = ["bench", "oracle", "--goal", "normal", "--positions", "5", "--follow", "2", "--json"];
    let followed = json(run(&following).success());
    assert!((6..=15).contains(&followed["all"]["positions"].as_u64().unwrap()), "{followed}");
    let text = stdout(run(&asked).success());
    assert!(text.contains("40 positions from random playouts"), "{text}");
}

#[test]
fn spreads_are_printed_as_source() {
    let text = stdout(run(&["bench", "cuts", "--board", "6x6", "--positions", "1"]).success());
    assert!(text.starts_with("    middle: [[") && text.contains("\n    end: [["), "{text}");
}

#[test]
fn estimates_are_measured_on_positions_that_can_be_kept() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("known.obf");
    let file = file.to_str().unwrap();
    let common = ["bench", "estimates", "--board", "6x6", "--plies", "0,1,7"];
    let made = [&common[..], &["--empties", "7,6", "--positions", "8", "--save", file, "--json"]].concat();
    let found = json(run(&made).success());
    assert_eq!(found["schema"], "reversi.bench-estimates/1", "{found}");
    let rows = found["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 6);
    for row in [&rows[2], &rows[5]] {
        assert_eq!((&row["positions"], &row["best_first"]), (&8.into(), &8.into()), "{row}");
        assert_eq!(row["error"], 0.0, "to the end of the game: {row}");
    }
    let again = json(run(&[&common[..], &["--from", file, "--json"]].concat()).success());
    assert_eq!(again["rows"], found["rows"]);
    #[cfg(unix)]
    {
        let link = directory.path().join("link.obf");
        std::os::unix::fs::symlink(file, &link).unwrap();
        std::fs::write(file, "").unwrap();
        let none = stderr(run(&[&common[..], &["--from", file]].concat()).code(2));
        assert!(none.contains("known.obf: it has no positions"), "{none}");
        let through: Vec<&str> =
            made.iter().map(|&word| if word == file { link.to_str().unwrap() } else { word }).collect();
        run(&through).success();
        assert!(link.is_symlink() && std::fs::metadata(file).unwrap().len() > 0, "written through the link");
    }
    let text = stdout(run(&[&common[..], &["--from", file]].concat()).success());
    assert!(
        text.starts_with("empties  plies  positions  error    bias") && text.lines().count() == 7,
        "{text}"
    );
}

#[test]
fn completions_are_for_the_shell_asked_for() {
    for (shell, mark) in
        [("bash", "complete -F"), ("zsh", "#compdef reversi"), ("fish", "complete -c reversi")]
    {
        let text = stdout(run(&["completions", shell]).success());
        assert!(text.contains(mark) && text.contains("solve"), "{shell}");
    }
}
