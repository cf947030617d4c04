//! Commands of a session, and the files it reads and writes.

use super::*;
use reversi_rules::Scoring;

fn session(size: &str) -> GameSession {
    let setup = GameSetup::new(size.parse().unwrap());
    GameSession::new(setup, ResourceOptions::default(), setup.new_game())
}

#[test]
fn what_is_interrupted_is_not_said_to_lack_time() {
    for word in [Word::Hint(Some(3)), Word::Go] {
        let interrupted = || {
            let stop = Stop::never();
            stop.set();
            stop
        };
        let said = session("6x6").obey(word, &interrupted).unwrap_err();
        assert!(said.contains("interrupted before there was an answer"), "{said}");
    }
}

#[test]
fn a_hint_without_time_says_so() {
    let mut session = session("6x6");
    session.set_pace(Clock::PerMove(Duration::from_nanos(1)));
    let said = session.obey(Word::Hint(None), &Stop::never).unwrap_err();
    assert!(said.ends_with("too short for a hint; set another time with move-time"), "{said}");
}

#[test]
fn points_of_old_evaluations_are_not_saved_as_discs() {
    for (name, is_in_discs) in [("alphabeta:2", false), ("engine:level=1", true)] {
        let mut session = session("6x6");
        session.seat_by_name(Color::Black, name).unwrap();
        session.computer_moves(&Stop::never()).unwrap();
        assert_eq!(session.notes[0].eval.is_some(), is_in_discs, "{name}");
        assert!(session.notes[0].seconds.is_some(), "{name}");
    }
}

#[test]
fn of_several_games_the_first_is_loaded_and_that_is_said() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("games.ggf");
    for (text, said) in [
        ("(;GM[Othello]TY[4]B[b1];) (;GM[Othello]TY[4]B[a2];)", ", the first of 2; normal goal"),
        ("(;GM[Othello]TY[4]B[b1];)", "games.ggf; normal goal"),
    ] {
        std::fs::write(&path, text).unwrap();
        let mut session = session("4x4");
        let loaded = session.load(&path).unwrap().said;
        assert!(loaded.starts_with("1 move from ") && loaded.ends_with(said), "{loaded}");
        assert_eq!(session.game().transcript(), "b1");
    }
}

#[test]
fn the_scoring_that_a_file_names_lasts_beyond_its_game() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("problem.obf");
    let loaded = |text: &str| {
        std::fs::write(&path, text).unwrap();
        let mut session = session("4x4");
        session.load(&path).unwrap();
        session.obey(Word::New, &Stop::never).unwrap();
        let scoring = session.game().rules().scoring;
        session.set_board(&format!("{} X", "-".repeat(64))).unwrap();
        (scoring, session.game().rules().scoring)
    };
    let board = "-----OX--XO----- X;\n";
    assert_eq!(loaded(&format!("% scoring=winner\n{board}")), (Scoring::Winner, Scoring::Winner));
    assert_eq!(loaded(board), (Scoring::Raw, Scoring::Winner), "what is usual on each board");
}
