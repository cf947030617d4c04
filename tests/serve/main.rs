//! The service behind the page answers as the command line does, and refuses what it must.

#[path = "../common/mod.rs"]
mod common;

mod browser;
mod driver;
mod http;
mod server;

use common::reversi;
use http::Reply;
use serde_json::{Value as Json, json};
use server::Server;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

fn server(options: &[&str]) -> Server {
    Server::start(options)
}

/// What `reversi query --json` prints, without the time it took.
pub fn query(arguments: &[&str]) -> Json {
    let output =
        reversi().args(["query", "--json"]).args(arguments).assert().success().get_output().stdout.clone();
    without_seconds(serde_json::from_slice(&output).unwrap())
}

fn without_seconds(mut object: Json) -> Json {
    object.as_object_mut().unwrap().remove("seconds").expect("it says how long it took");
    object
}

#[test]
fn the_oracle_says_the_same_here_and_on_the_command_line() {
    let server = server(&[]);
    for (game, arguments) in [
        (json!({"board": "4x4"}), vec!["--board", "4x4"]),
        (
            json!({"board": "4x4", "moves": "b1", "goal": "reversed"}),
            vec!["--board", "4x4", "b1", "--goal", "reversed"],
        ),
        (
            json!({"board": "4x4", "scoring": "winner", "start": "parallel"}),
            vec!["--board", "4x4", "--scoring", "winner", "--start", "parallel"],
        ),
        (json!({"position": "XXX-OOOXXOXOO-O- X"}), vec!["--position", "XXX-OOOXXOXOO-O- X"]),
        (json!({"board": "3x4"}), vec!["--board", "3x4"]),
        (
            json!({"position": "XOO----O-OXXOOXXOO-OXXOO-XOX-OXXO-X- X"}),
            vec!["--position", "XOO----O-OXXOOXXOO-OXXOO-XOX-OXXO-X- X"],
        ),
    ] {
        let expected = query(&arguments);
        let reply = server.ask("query", &json!({"game": game}));
        assert_eq!(reply.status, 200, "{}", reply.body);
        assert_eq!(without_seconds(reply.json()), expected);
        let quick = server.ask("query", &json!({"game": game, "quick": true})).json();
        assert_eq!(quick["score"], expected["score"]);

        let lines = server.ask("values", &json!({"game": game})).lines();
        let told: BTreeSet<(String, i64)> = scores(lines.iter().filter(|line| line["type"] == "exact"));
        assert_eq!(told, scores(expected["moves"].as_array().unwrap()), "{game}");
        let answer = &lines.iter().find(|line| line["type"] == "answer").expect("it has an answer")["answer"];
        assert_eq!((&answer["best"], &answer["score"]), (&expected["best"], &expected["score"]));
        assert_eq!(answer["line_complete"], true);
        assert_eq!(lines.last().unwrap()["complete"], true);
    }
}

fn scores<'a>(moves: impl IntoIterator<Item = &'a Json>) -> BTreeSet<(String, i64)> {
    let pair =
        |scored: &Json| (scored["move"].as_str().unwrap().to_owned(), scored["score"].as_i64().unwrap());
    moves.into_iter().map(pair).collect()
}

#[test]
fn the_positions_of_a_game_have_the_values_of_the_query() {
    let server = server(&[]);
    let moves = "b1a1a2c1d4a3";
    let lines = server.ask("positions", &json!({"game": {"board": "4x4", "moves": moves}})).lines();
    let (end, positions) = lines.split_last().unwrap();
    assert_eq!((&end["complete"], positions.len()), (&json!(true), 7));
    for line in positions {
        let ply = line["ply"].as_u64().unwrap() as usize;
        let expected = query(&["--board", "4x4", &moves[..2 * ply]]);
        assert_eq!(line["score"], expected["score"], "after {ply} moves");
        assert!(expected["position"].as_str().unwrap().ends_with(line["to_move"].as_str().unwrap()));
    }
}

#[test]
fn positions_are_told_once_each_however_often_they_are_asked_for() {
    let question = json!({"game": {"board": "4x4", "moves": "b1"}, "plies": [0, 0, 0, 1, 7]});
    let lines = server(&[]).ask("positions", &question).lines();
    let (end, positions) = lines.split_last().unwrap();
    assert_eq!(end["complete"], true);
    assert_eq!(positions.iter().map(|line| &line["ply"]).collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn games_that_a_player_does_not_play_are_refused_and_not_lost() {
    let game = json!({"board": "4x4", "passing": false});
    let question = json!({"game": game, "black": "perfect", "white": "random", "games": 2});
    let reply = server(&[]).ask("games", &question);
    assert_eq!((reply.status, reply.kind()), (400, "bad-player".to_owned()));
}

#[test]
fn a_table_that_cannot_be_used_has_the_same_name_here_and_on_the_command_line() {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
    let table = |goal: &str| std::fs::read(format!("{data}/4x4-{goal}-raw-diagonal.rvt")).unwrap();
    let whole = table("normal");
    for (bytes, kind) in [(whole[..1000].to_vec(), "corrupt-table"), (table("reversed"), "other-table")] {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("4x4-normal-raw-diagonal.rvt"), bytes).unwrap();
        let path = directory.path().to_str().unwrap();
        let reply = server(&["--data", path]).ask("query", &json!({"game": {"board": "4x4"}}));
        assert_eq!((reply.status, reply.kind().as_str()), (500, kind));
        let refused = reversi().args(["query", "--json", "--board", "4x4", "--data", path]).assert().code(4);
        let told: Json = serde_json::from_slice(&refused.get_output().stderr).unwrap();
        assert_eq!(told["kind"], kind);
    }
}

#[test]
fn an_estimate_is_never_called_a_score() {
    let server = server(&["--search-time", "4"]);
    let lines = server.ask("values", &json!({"game": {"board": "8x8"}})).lines();
    let rounds: Vec<&Json> = lines.iter().filter(|line| line["type"] == "estimates").collect();
    assert!(!rounds.is_empty());
    for mv in rounds.iter().flat_map(|round| round["moves"].as_array().unwrap()) {
        assert!(mv["estimate"].is_number() && mv["depth"].is_number() && mv["score"].is_null(), "{mv}");
    }
    assert_eq!(lines.last().unwrap()["complete"], false);
    let reply = server.ask("query", &json!({"game": {"board": "8x8"}}));
    assert_eq!((reply.status, reply.kind()), (503, "out-of-time".to_owned()));
}

#[test]
fn every_player_moves_and_two_play_games() {
    let server = server(&[]);
    for (board, player) in
        [("4x4", "perfect"), ("8x8", "engine:level=2"), ("8x8", "stages"), ("16x16", "alphabeta:1")]
    {
        let reply = server.ask("move", &json!({"game": {"board": board}, "player": player})).json();
        let legal = server.ask("game", &json!({"game": {"board": board}})).json()["legal"].clone();
        assert!(legal.as_array().unwrap().contains(&reply["move"]), "{player}: {reply}");
    }
    let question = json!({"game": {"board": "6x6"}, "black": "random", "white": "first", "games": 3, "random_moves": 2, "seed": 1});
    let lines = server.ask("games", &question).lines();
    assert_eq!(lines.len(), 4);
    let alike = json!({"game": {"board": "4x4"}, "black": "first", "white": "first", "games": 3, "seed": 1});
    assert_eq!(server.ask("games", &alike).lines().len(), 4);
    assert_eq!(server.ask("games", &question).lines()[..3], lines[..3], "they follow from the seed");
    for line in &lines[..3] {
        let game = json!({"board": "6x6", "moves": line["moves"]});
        let game = server.ask("game", &json!({"game": game})).json();
        assert_eq!((&game["finished"], &game["result"]["score"]), (&json!(true), &line["score"]));
        assert_eq!(game["result"]["winner"], line["winner"]);
    }
}

#[test]
fn a_game_is_the_same_when_its_record_is_read() {
    let server = server(&[]);
    let game = json!({"board": "6x6", "goal": "reversed", "moves": "c2b4d5"});
    let record = server.ask("record", &json!({"game": game, "black": "me", "white": "you"})).json();
    let text = record["ggf"].as_str().unwrap();
    assert!(text.contains("PB[me]PW[you]TY[6a]"), "{text}");
    let read = server.ask("read", &json!({"text": text, "game": {"board": "8x8"}})).json();
    assert_eq!(read["moves"], json!(["c2", "b4", "d5"]));
    assert_eq!((&read["board"], &read["goal"]), (&json!("6x6"), &json!("reversed")));
    let unasked = server.ask("read", &json!({"text": text})).json();
    assert_eq!(unasked["moves"], read["moves"], "the text names the board itself");
    let other_board = server.ask("read", &json!({"text": "f5d6c3", "game": {"board": "4x4"}})).json();
    assert_eq!(other_board["board"], "8x8", "the moves fit no smaller board");
    // The scoring asked for is that of the board asked for.
    for (board, text, scoring) in [
        ("6x6", "f5d6c3", "winner"),
        ("6x6", "(;GM[Othello]TY[8]B[f5];)", "winner"),
        ("6x6", "c2b4", "raw"),
        ("8x8", "f5d6c3", "raw"),
    ] {
        let game = json!({"board": board, "scoring": "raw"});
        let read = server.ask("read", &json!({"text": text, "game": game})).json();
        assert_eq!(read["scoring"], scoring, "{text} beside {board}");
    }
}

#[test]
fn what_a_board_leaves_open_is_settled_by_the_question() {
    let server = server(&[]);
    let ask = |game: Json| server.ask("game", &json!({ "game": game })).json();
    let (cells, zeros) = ("-----OX--XO-----", "-----0X--X0----- X");
    assert_eq!(ask(json!({"position": cells, "side": "white"}))["position"], format!("{cells} O"));
    assert_eq!(ask(json!({"position": cells, "side": "black"}))["position"], format!("{cells} X"));
    assert_eq!(ask(json!({"position": zeros, "zero": "white"}))["position"], format!("{cells} X"));
    for refused in [
        json!({ "position": cells }),
        json!({"position": cells, "side": "red"}),
        json!({"position": format!("{cells} X"), "side": "white"}),
        json!({"board": "4x4", "side": "white"}),
        json!({"position": zeros, "zero": "grey"}),
    ] {
        assert_eq!(ask(refused.clone())["kind"], "bad-position", "{refused}");
    }
    let text = json!({"text": format!("{cells} b1"), "game": {"board": "4x4", "side": "black"}});
    assert_eq!(server.ask("read", &text).json()["moves"], json!(["b1"]));
}

#[test]
fn wrong_questions_are_told_what_is_wrong() {
    let server = server(&[]);
    for (path, body, status, part) in [
        ("query", "", 400, "EOF"),
        ("query", "[]", 400, "expected an object"),
        (
            "query",
            "{\"game\":[\"4x4\",null,null,null,null,null,null,null,null,null]}",
            400,
            "expected an object",
        ),
        ("query", "{\"game\":{\"board\":\"4x4\"}}{}", 400, "trailing characters"),
        ("query", "{\"game\":", 400, "EOF"),
        ("query", "\u{0}\u{1}garbage", 400, "expected value"),
        ("query", "{}", 400, "missing field `game`"),
        ("query", "{\"game\":{}}", 400, "name the board"),
        ("query", "{\"game\":{\"board\":\"9x9\"}}", 400, "up to 8x8"),
        ("query", "{\"game\":{\"board\":\"4x4\"},\"time\":-1}", 400, "\"time\" is a number"),
        ("query", "{\"game\":{\"board\":\"4x4\",\"moves\":\"a1\"}}", 400, "move 1 \"a1\": turns no disc"),
        (
            "query",
            "{\"game\":{\"board\":\"4x4\",\"moves\":5}}",
            400,
            "\"moves\" is a text or a list of texts",
        ),
        ("query", "{\"game\":{\"board\":\"4x4\",\"colour\":1}}", 400, "unknown field `colour`"),
        ("values", "{\"game\":{\"board\":\"4x4\",\"goal\":\"none\"}}", 400, "is no goal"),
        ("move", "{\"game\":{\"board\":\"4x4\"},\"player\":\"randon\"}", 400, "the nearest names are random"),
        ("move", "{\"game\":{\"board\":\"8x8\"},\"player\":\"perfect\"}", 400, "at most 36 squares"),
        ("move", "{\"game\":{\"position\":\"XXXXXXXXX X\"},\"player\":\"first\"}", 400, "the game is over"),
        (
            "games",
            "{\"game\":{\"board\":\"4x4\"},\"black\":\"first\",\"white\":\"first\",\"games\":0}",
            400,
            "1 to 1000",
        ),
        (
            "games",
            "{\"game\":{\"position\":\"XXXXXXXXX X\"},\"black\":\"first\",\"white\":\"first\",\"games\":2}",
            400,
            "the game is over",
        ),
        (
            "games",
            "{\"game\":{\"board\":\"3x3\"},\"black\":\"first\",\"white\":\"first\",\"games\":2,\"random_moves\":9}",
            400,
            "the game is over",
        ),
        ("read", "{\"game\":{\"board\":\"4x4\"},\"text\":\"(;GM[Chess];)\"}", 400, "not of Othello"),
        ("read", "{\"text\":\"f5d6\\n\\nd3c5\"}", 400, "several games or positions"),
        // Both games have a first move on 4x4 too.
        ("read", "{\"text\":\"c4c3d3c5\\nd3c5\"}", 400, "several games or positions"),
        ("nothing", "{}", 404, "there is no"),
    ] {
        let reply = server.post(path, body.as_bytes());
        let message = reply.json()["message"].as_str().unwrap().to_owned();
        assert_eq!(reply.status, status, "{path} {body}: {message}");
        assert!(message.contains(part), "{path} {body}: {message}");
        assert_eq!(reply.json()["schema"], "reversi.error/1");
    }
}

#[test]
fn texts_that_take_long_to_read_are_refused() {
    let server = server(&[]);
    let moves = |bytes: usize| json!({"board": "8x8", "moves": " ".repeat(bytes)});
    let list = |bytes: usize| json!({"board": "8x8", "moves": [" ".repeat(bytes)]});
    let position = |bytes: usize| json!({"position": format!("{:bytes$}", "XO-- ---- ---- ---- O")});
    for question in ["players", "player", "game", "record", "query", "move", "values", "positions", "games"] {
        for (game, key) in
            [(moves(8193), "\"moves\""), (list(8193), "\"moves\""), (position(8193), "\"position\"")]
        {
            let reply = server.ask(question, &asked(question, &game));
            assert_eq!(
                (reply.status, reply.kind().as_str()),
                (413, "too-long"),
                "{question}: {}",
                reply.body
            );
            let message = reply.json()["message"].as_str().unwrap().to_owned();
            assert_eq!(message, format!("{key} has at most 8192 bytes, not 8193"), "{question}");
        }
    }
    let read = |bytes: usize| server.ask("read", &json!({"text": format!("{:bytes$}", "f5d6")}));
    assert_eq!((read(32769).status, read(32769).kind().as_str()), (413, "too-long"));
    assert_eq!(read(32768).json()["moves"], json!(["f5", "d6"]));
    for game in [moves(8192), list(8192), position(8192)] {
        assert_eq!(server.ask("game", &json!({"game": game})).status, 200);
    }
}

/// A question about a game, with all that it needs besides.
fn asked(question: &str, game: &Json) -> Json {
    match question {
        "player" | "move" => json!({"game": game, "player": "first"}),
        "games" => json!({"game": game, "black": "first", "white": "first", "games": 1}),
        _ => json!({"game": game}),
    }
}

#[test]
fn who_lets_other_machines_in_is_told_under_which_names() {
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_reversi"))
        .args(["serve", "--host", "0.0.0.0", "--port", "0"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let said = std::io::BufReader::new(program.stderr.take().unwrap());
    let told: Vec<String> = std::io::BufRead::lines(said).take(2).map(Result::unwrap).collect();
    program.kill().unwrap();
    program.wait().unwrap();
    assert!(told[1].contains("machine's address, or a name given with --allow-host"), "{told:?}");
}

/// No other port or address helps where the system gives too few files.
#[cfg(target_os = "linux")]
#[test]
fn a_service_that_cannot_start_does_not_blame_its_address() {
    let script = r#"exec 3>&- 4>&- 5>&-; ulimit -n 4; exec "$0" serve --port 0 --json"#;
    let output = std::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_reversi")])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let told: Json = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!(told["kind"], "cannot-start");
    assert!(!told["message"].as_str().unwrap().contains("--port"), "{told}");
}

#[test]
fn strangers_are_refused() {
    let server = server(&[]);
    let own = server.host();
    let body = r#"{"game":{"board":"4x4"}}"#;
    let json = "Content-Type: application/json";
    let post = |headers: &[&str], body: &[u8]| server.send("POST /api/query", headers, body);
    let host = format!("Host: {own}");
    assert_eq!(post(&[&host, json], body.as_bytes()).status, 200);
    assert_eq!(post(&[&host, json, &format!("Origin: http://{own}")], body.as_bytes()).status, 200);
    for (headers, kind) in [
        (vec!["Host: evil.example", json], "foreign-host"),
        (vec!["Host: localhost.evil.example", json], "foreign-host"),
        (vec![&host, json, "Origin: http://evil.example"], "cross-site"),
        (vec![&host, json, "Origin: null"], "cross-site"),
        (vec![&host, json, "Sec-Fetch-Site: cross-site"], "cross-site"),
    ] {
        let reply = post(&headers, body.as_bytes());
        assert_eq!((reply.status, reply.kind().as_str()), (403, kind), "{headers:?}");
    }
    assert_eq!(server.send("GET /", &["Host: evil.example"], b"").status, 403);
    assert_eq!(post(&[&host, "Content-Type: text/plain"], body.as_bytes()).status, 415);
    assert_eq!(post(&[&host], body.as_bytes()).status, 415);
    assert_eq!(post(&[&host, json], &vec![b' '; 70_000]).status, 413);
    assert_eq!(server.send("OPTIONS /api/query", &[&host], b"").status, 405);
    assert_eq!(server.send("GET /api/query", &[&host], b"").status, 405);
    assert_eq!(server.send("POST /api/atlas", &[&host, "Content-Type: application/json"], b"{}").status, 405);
    assert_eq!(server.send("POST /", &[&host], b"").status, 405);
}

#[test]
fn names_can_be_allowed() {
    let server = server(&["--allow-host", "board.lan"]);
    assert_eq!(server.send("GET /", &["Host: board.lan:80"], b"").status, 200);
    assert_eq!(server.send("GET /", &["Host: other.lan"], b"").status, 403);
}

/// Only one search may run, and one that takes an hour is going on. Once its asker has gone, the next
/// one has its place at once.
#[test]
fn a_search_without_a_client_ends() {
    let server = server(&["--searches", "1", "--search-time", "3600"]);
    let long = json!({"game": {"board": "8x8"}}).to_string();
    let short = json!({"game": {"board": "3x4"}});
    for question in ["query", "values", "move", "games"] {
        let body = match question {
            "move" => json!({"game": {"board": "8x8"}, "player": "minimax:40"}).to_string(),
            "games" => json!({"game": {"board": "8x8"}, "black": "minimax:40", "white": "first", "games": 9})
                .to_string(),
            _ => long.clone(),
        };
        let abandoned = server.begin(question, body.as_bytes());
        std::thread::sleep(Duration::from_millis(300));
        drop(abandoned);
        let started = Instant::now();
        let reply = server.ask("query", &short);
        assert_eq!(reply.status, 200, "{question}: {}", reply.body);
        assert!(started.elapsed() < Duration::from_secs(20), "{question} kept its place");
    }
}

/// The tables are asked beside the searches.
#[test]
fn what_tables_know_need_not_wait() {
    let server = server(&["--searches", "1", "--search-time", "3600"]);
    let _busy = server.begin("values", json!({"game": {"board": "8x8"}}).to_string().as_bytes());
    std::thread::sleep(Duration::from_millis(300));
    for question in ["query", "values", "positions"] {
        let reply = server.ask(question, &json!({"game": {"board": "4x4"}}));
        assert_eq!(reply.status, 200, "{question}: {}", reply.body);
    }
}

#[test]
fn the_page_has_all_its_parts_and_nothing_from_elsewhere() {
    let server = server(&[]);
    let host = format!("Host: {}", server.host());
    let get = |path: &str| -> Reply { server.send(&format!("GET {path}"), &[&host], b"") };
    let page = get("/");
    assert_eq!(page.status, 200);
    assert!(
        page.head
            .to_ascii_lowercase()
            .contains("content-security-policy: default-src 'none'; script-src 'self'")
    );
    let mut waiting = vec!["/".to_owned()];
    let mut seen = BTreeSet::new();
    while let Some(path) = waiting.pop() {
        let reply = get(&path);
        assert_eq!(reply.status, 200, "{path}");
        for quoted in reply.body.split('"').skip(1).step_by(2) {
            assert!(!quoted.contains("//") || quoted == "http://www.w3.org/2000/svg", "{path}: {quoted}");
            let name = quoted.trim_start_matches(['.', '/']);
            let is_file =
                [".js", ".css", ".svg"].iter().any(|end| name.ends_with(end)) && !name.contains(' ');
            if is_file && seen.insert(name.to_owned()) {
                waiting.push(format!("/{name}"));
            }
        }
    }
    assert!(seen.len() >= 10, "{seen:?}");
    assert_eq!(get("/nothing.js").status, 404);
    assert_eq!(get("/../Cargo.toml").status, 404);
}

/// Neither who asks nothing nor who sends a byte now and then keeps anybody out.
#[test]
fn silent_connections_shut_no_client_out() {
    let server = server(&[]);
    let connect = || std::net::TcpStream::connect(server.host()).unwrap();
    let mut silent: Vec<_> = (0..500).map(|_| connect()).collect();
    for stream in &mut silent {
        // Some of them have been closed already.
        let _ = std::io::Write::write_all(stream, b"POST /api/query HTTP/1.1\r\nHost: ");
    }
    let started = Instant::now();
    for _ in 0..3 {
        assert_eq!(server.ask("query", &json!({"game": {"board": "4x4"}})).status, 200);
    }
    assert!(started.elapsed() < Duration::from_secs(8), "{:?}", started.elapsed());
}

/// Games wait for their turn before each move.
#[test]
fn long_matches_leave_room_for_others() {
    for searches in ["1", "3"] {
        let server = server(&["--searches", searches]);
        let games =
            json!({"game": {"board": "8x8"}, "black": "alphabeta:4", "white": "alphabeta:4", "games": 1000});
        let _matches: Vec<_> = (0..4).map(|_| server.begin("games", games.to_string().as_bytes())).collect();
        std::thread::sleep(Duration::from_millis(500));
        let started = Instant::now();
        for player in ["random", "first", "alphabeta:1", "engine:level=1"] {
            let reply = server.ask("move", &json!({"game": {"board": "6x6"}, "player": player}));
            assert_eq!(reply.status, 200, "{player}: {}", reply.body);
        }
        let two = json!({"game": {"board": "4x4"}, "black": "random", "white": "first", "games": 2});
        if searches == "3" {
            assert_eq!(server.ask("games", &two).lines().len(), 3);
        }
        assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    }
}

#[test]
fn known_values_of_starts_are_listed_as_on_the_command_line() {
    let server = server(&[]);
    let host = format!("Host: {}", server.host());
    let listed = server.send("GET /api/atlas", &[&host], b"");
    assert_eq!(listed.status, 200);
    let printed = reversi().args(["lab", "atlas", "--json"]).output().unwrap();
    assert_eq!(listed.body.trim(), String::from_utf8(printed.stdout).unwrap().trim());
}

#[test]
fn who_can_play_a_game_is_told() {
    let server = server(&[]);
    let names = |game: Json| -> Vec<String> {
        let players = server.ask("players", &json!({"game": game})).json()["players"].clone();
        players.as_array().unwrap().iter().map(|player| player["name"].as_str().unwrap().to_owned()).collect()
    };
    let has = |names: &[String], name: &str| names.iter().any(|known| known == name);
    let usual = names(json!({"board": "8x8"}));
    assert!(has(&usual, "engine") && has(&usual, "phases") && !has(&usual, "perfect"));
    let small = names(json!({"board": "6x6"}));
    assert!(has(&small, "perfect") && !has(&small, "phases"));
    assert!(!has(&names(json!({"board": "6x6", "passing": false})), "perfect"));
    assert!(!has(&names(json!({"board": "16x16"})), "engine"));
    let player = |name: &str| server.ask("player", &json!({"game": {"board": "8x8"}, "player": name}));
    assert_eq!(player("engine:level=5").json()["player"], "engine:level=5");
    for name in ["engine:level=99", "perfect", "nobody"] {
        assert_eq!(player(name).status, 400, "{name}");
    }
}

/// Where the tables of 6x6 end, positions are searched: nothing is left to estimates.
#[test]
fn all_positions_of_games_on_6x6_have_exact_values() {
    let game = json!({"board": "6x6", "moves": "b3b4e5b2a4f6e4d5b1a1d6e3f5f4"});
    let lines = server(&[]).ask("positions", &json!({"game": game})).lines();
    let (end, positions) = lines.split_last().unwrap();
    assert_eq!((&end["complete"], positions.len()), (&json!(true), 15));
    assert!(positions.iter().all(|line| line["score"].is_number()), "{positions:?}");
}

/// Nothing writes into the pipe that has the name of a file of weights.
#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_weights_keeps_no_search() {
    let directory = tempfile::tempdir().unwrap();
    let made = std::process::Command::new("mkfifo").arg(directory.path().join("6x6-normal.rvw")).status();
    assert!(made.unwrap().success());
    let server = server(&["--searches", "1", "--data", directory.path().to_str().unwrap()]);
    for _ in 0..2 {
        let reply = server.ask("move", &json!({"game": {"board": "6x6"}, "player": "engine:level=2"}));
        assert_eq!(reply.status, 500, "{}", reply.body);
        assert!(reply.json()["message"].as_str().unwrap().contains("not a regular file"));
    }
}
