//! The page in a real browser: what is clicked, typed and shown.

use super::driver::Browser;
use super::query;
use super::server::Server;
use serde_json::{Value as Json, json};

const LAPTOP: (u32, u32) = (1366, 768);
const PHONE: (u32, u32) = (390, 844);

const ENTER: &str = "\u{E007}";
const HOME: &str = "\u{E011}";
const LEFT: &str = "\u{E012}";
const UP: &str = "\u{E013}";
const RIGHT: &str = "\u{E014}";
const DOWN: &str = "\u{E015}";

/// A page on a screen; `None` where there is no browser.
fn page((width, height): (u32, u32), fragment: &str) -> Option<(Server, Browser)> {
    let browser = Browser::open(width, height)?;
    let server = Server::start(&[]);
    browser.go(&url(&server, fragment));
    Some((server, browser))
}

fn url(server: &Server, fragment: &str) -> String {
    format!("http://{}/#{fragment}", server.host())
}

fn status(browser: &Browser) -> String {
    browser.text("return document.getElementById('status').textContent")
}

fn position(browser: &Browser) -> String {
    browser.text("return document.getElementById('position').textContent")
}

fn wait_for_status(browser: &Browser, part: &str) {
    let script = format!("return document.getElementById('status').textContent.includes({})", json!(part));
    browser.wait(part, &script);
}

/// Makes a choice in a field as a person does.
fn choose(browser: &Browser, id: &str, value: &str) {
    let script = format!(
        "const field = document.getElementById({});
         field.value = {};
         field.dispatchEvent(new Event('change', {{ bubbles: true }}));",
        json!(id),
        json!(value)
    );
    browser.run(&script);
}

/// The exact values on the board, `[["b1", -8, true], ...]` with whether it is marked as best, once
/// the oracle has given its whole answer.
fn overlays(browser: &Browser) -> Json {
    let whole = "return document.querySelector('#board .value.exact') !== null && !document.getElementById('play-line').disabled";
    browser.wait("all values", whole);
    browser.run(
        "return [...document.querySelectorAll('.square')].filter(square => square.querySelector('.value.exact')).map(square => {
            const value = square.querySelector('.value');
            return [square.dataset.name, Number(value.textContent.replace('−', '-')), value.classList.contains('best')];
        })",
    )
}

/// The same from the command line, in the order of the squares.
fn expected(arguments: &[&str], position: &str) -> Json {
    let answer = query(&[arguments, &["--position", position]].concat());
    let best = answer["best"].as_array().unwrap();
    let mut moves: Vec<Json> = answer["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|scored| json!([scored["move"], scored["score"], best.contains(&scored["move"])]))
        .collect();
    moves.sort_by_key(|scored| scored[0].as_str().unwrap().chars().rev().collect::<String>());
    Json::Array(moves)
}

#[test]
fn a_whole_game_against_perfect_is_played_by_clicks() {
    let Some((_server, browser)) = page(LAPTOP, "board=4x4&white=perfect") else { return };
    loop {
        let turn = "const text = document.getElementById('status').textContent; return text.includes('Black to move') || text.includes('over')";
        browser.wait("Black's turn", turn);
        if status(&browser).contains("over") {
            break;
        }
        let shown = overlays(&browser);
        assert_eq!(shown, expected(&[], &position(&browser)));
        let best = shown.as_array().unwrap().iter().find(|value| value[2] == true).expect("a best move");
        browser.click(&format!("[data-name={}]", best[0].as_str().unwrap()));
        browser.wait(
            "the move",
            &format!("return !document.querySelector('[data-name={}] .value')", best[0].as_str().unwrap()),
        );
    }
    assert!(status(&browser).contains("White wins by 8"), "{}", status(&browser));
    assert!(browser.text("return document.getElementById('running-score').textContent").contains("0 : 1"));
    assert_eq!(browser.run("return document.querySelectorAll('.graph .mistake').length"), 0, "perfect play");
    browser.click("#tab-statistics");
    let summary = browser.text("return document.getElementById('stat-summary').textContent");
    assert!(summary.starts_with("1 games: Black won 0, drew 0, lost 1"), "{summary}");
}

#[test]
fn moves_are_taken_back_and_made_again() {
    let Some((_server, browser)) = page(LAPTOP, "board=4x4") else { return };
    let start = position(&browser);
    browser.click("[data-name=b1]");
    wait_for_status(&browser, "Black played b1");
    let after_b1 = position(&browser);
    browser.click("[data-name=c1]");
    wait_for_status(&browser, "White played c1");
    let after_c1 = position(&browser);
    browser.wait("the cost of c1", "return document.querySelector('#moves .cost')?.textContent === ' −16'");
    browser.click("#undo");
    wait_for_status(&browser, "Black played b1");
    assert_eq!(position(&browser), after_b1);
    browser.click("#first");
    browser.wait("the start", "return document.getElementById('undo').disabled");
    assert_eq!(position(&browser), start);
    browser.click("#redo");
    wait_for_status(&browser, "Black played b1");
    browser.click("#last");
    wait_for_status(&browser, "White played c1");
    assert_eq!(position(&browser), after_c1);
}

#[test]
fn a_link_holds_the_whole_game() {
    let Some((server, browser)) = page(LAPTOP, "board=4x6&goal=reversed&start=parallel&scoring=winner")
    else {
        return;
    };
    for (number, side) in ["White", "Black", "White"].into_iter().enumerate() {
        browser.click(".square.legal");
        browser.wait(
            "the move",
            &format!("return document.querySelectorAll('#moves li').length === {}", number + 1),
        );
        wait_for_status(&browser, &format!("{side} to move"));
    }
    browser.click("#undo");
    wait_for_status(&browser, "Black to move");
    let (before, link) = (position(&browser), browser.text("return location.href"));
    let rules = browser.text("return document.getElementById('rules-line').textContent");
    let moves = browser.text("return document.getElementById('moves').innerText");
    drop(browser);
    let fresh = Browser::open(LAPTOP.0, LAPTOP.1).expect("there was one before");
    fresh.go(&link);
    assert_eq!(position(&fresh), before);
    assert_eq!(fresh.text("return document.getElementById('rules-line').textContent"), rules);
    assert_eq!(fresh.text("return document.getElementById('moves').innerText"), moves);
    assert!(rules.contains("fewer discs win") && rules.contains("the side with more discs"), "{rules}");
    fresh.go(&url(&server, "board=4x4&moves=b1b1"));
    assert!(status(&fresh).contains("The link holds no game: move 2"), "{}", status(&fresh));
}

#[test]
fn the_reversed_goal_has_its_own_values() {
    let Some((server, browser)) = page(LAPTOP, "board=4x4&goal=reversed&moves=b1") else { return };
    assert_eq!(overlays(&browser), expected(&["--goal", "reversed"], &position(&browser)));
    let verdict = "return document.getElementById('verdict').textContent";
    assert_eq!(browser.text(verdict), "Black wins, with fewer discs, by 3 with perfect play");
    browser.go(&url(&server, "position=XOO----O-OXXOOXXOO-OXXOO-XOX-OXXO-X-X"));
    let searched = overlays(&browser);
    assert_eq!(searched, expected(&[], &position(&browser)), "without a table");
    assert_eq!(browser.text(verdict), "Black wins by 20 with perfect play");
}

#[test]
fn estimates_do_not_look_like_exact_values() {
    let Some((_server, browser)) = page(LAPTOP, "board=8x8") else { return };
    browser.wait("estimates", "return document.querySelectorAll('#board .value.estimate').length === 4");
    assert_eq!(browser.run("return document.querySelectorAll('#board .value.exact').length"), 0);
    let label = browser.text("return document.querySelector('[data-name=d3]').getAttribute('aria-label')");
    assert!(label.contains("estimated") && !label.contains("exactly"), "{label}");
    browser.click("#show-values");
    browser.wait("no values", "return document.querySelectorAll('#board .value').length === 0");
}

#[test]
fn the_keyboard_is_enough() {
    let Some((_server, browser)) = page(LAPTOP, "board=4x4") else { return };
    browser.press(&["b"]);
    browser.press(&[UP, UP, UP, HOME, RIGHT]);
    assert_eq!(browser.text("return document.activeElement.dataset.name"), "b1");
    let label = browser.text("return document.activeElement.getAttribute('aria-label')");
    assert!(label.starts_with("b1, empty, legal for Black"), "{label}");
    browser.press(&[ENTER]);
    wait_for_status(&browser, "Black played b1");
    browser.press(&[LEFT, ENTER]);
    wait_for_status(&browser, "White played a1");
    browser.press(&[DOWN, DOWN, DOWN]);
    assert_eq!(browser.text("return document.activeElement.dataset.name"), "a4");
    browser.press(&["u"]);
    wait_for_status(&browser, "Black played b1");
    browser.press(&["2"]);
    assert_eq!(browser.text("return document.activeElement.id"), "tab-setup");
    browser.press(&["n"]);
    browser.wait("a new game", "return document.querySelectorAll('#moves li').length === 0");
}

#[test]
fn the_way_to_the_board_does_not_leave_the_game() {
    let Some((_server, browser)) = page(LAPTOP, "board=4x4&black=human&white=first") else { return };
    let address = browser.text("return location.hash");
    browser.run("document.querySelector('.skip').click()");
    assert_eq!(browser.text("return document.activeElement.id"), "board");
    assert_eq!(browser.text("return location.hash"), address);
    browser.press(&["b"]);
    browser.run("document.querySelector('[data-name=b1]').click()");
    browser.wait("White's answer", "return document.querySelectorAll('#moves li').length === 2");
}

/// A slip on a key must not cost the game.
#[test]
fn a_game_that_was_left_is_one_step_back() {
    let Some((server, browser)) = page(LAPTOP, "board=4x4&black=human&white=first") else { return };
    let moves = "return document.getElementById('transcript').textContent";
    browser.run("document.querySelector('[data-name=b1]').click()");
    browser.wait("White's answer", "return document.querySelectorAll('#moves li').length === 2");
    let played = browser.text(moves);
    browser.press(&["n"]);
    browser.wait("a new game", "return document.querySelectorAll('#moves li').length === 0");
    browser.back();
    browser.wait("the old game", "return document.querySelectorAll('#moves li').length === 2");
    assert_eq!(browser.text(moves), played);
    browser.press(&["u"]);
    browser.wait("the start", "return document.getElementById('undo').disabled");
    assert_eq!(browser.text(moves), played, "moves that were taken back are there to be copied and saved");
    browser.go(&format!("http://{}/", server.host()));
    assert_eq!(browser.text(moves), played, "the address without a game opens the last one");
    browser.go(&url(&server, "board=4x4&moves=d4"));
    wait_for_status(&browser, "The link holds no game");
    assert_eq!(browser.text(moves), played, "so does one with a game that is none");
}

#[test]
fn a_game_that_is_gone_back_to_counts_once() {
    let Some((_server, browser)) = page(LAPTOP, "board=4x4&black=human&white=first") else { return };
    let are_made = "return document.querySelectorAll('#moves li').length === 2";
    browser.run("document.querySelector('[data-name=b1]').click()");
    browser.wait("White's answer", are_made);
    browser.click("#resign");
    wait_for_status(&browser, "Black gave up");
    browser.click("#first");
    browser.wait("the start", "return document.getElementById('undo').disabled");
    browser.click("#last");
    browser.wait("the end", "return document.getElementById('redo').disabled");
    browser.press(&["n"]);
    browser.wait("a new game", "return document.querySelectorAll('#moves li').length === 0");
    browser.back();
    browser.wait("the old game", are_made);
    browser.click("#resign");
    wait_for_status(&browser, "Black gave up");
    let summary = browser.text("return document.getElementById('stat-summary').textContent");
    assert!(summary.starts_with("1 games: "), "{summary}");
}

/// An estimate of the moment must not stand for a position that is left before its value has come.
#[test]
fn positions_are_asked_for_until_they_are_told() {
    let Some((_server, browser)) = page(LAPTOP, "board=8x8") else { return };
    browser.run(
        "const real = window.fetch;
         window.asked = [];
         const never = ({ body, signal }) => new Promise((_, reject) => {
             window.asked.push(JSON.parse(body).plies);
             signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
         });
         window.fetch = (url, options) => url.endsWith('positions') ? never(options) : real(url, options);
         document.querySelector('[data-name=f5]').click()",
    );
    wait_for_status(&browser, "Black played f5");
    browser.wait("values", "return document.querySelectorAll('#board .legal .value').length > 0");
    browser.click("#undo");
    browser.wait("the second question", "return window.asked.length === 2");
    assert_eq!(browser.run("return window.asked.every((plies) => plies.includes(1))"), true);
}

#[test]
fn a_link_that_holds_no_game_leaves_the_game_as_it_is() {
    let Some((_server, browser)) = page(LAPTOP, "board=4x4&moves=b1&black=human&white=human") else { return };
    let address = browser.text("return location.hash");
    browser.run("location.hash = '#board=4x4&moves=d4&black=first'");
    wait_for_status(&browser, "The link holds no game");
    assert_eq!(browser.text("return location.hash"), address);
    assert_eq!(browser.text("return document.querySelector('#black-side .name').textContent"), "human");
    // Moves or players without a board are not passed over either.
    for part in ["moves=d3", "white=engine"] {
        browser.run("document.getElementById('status').textContent = ''");
        browser.run(&format!("location.hash = '#{part}'"));
        wait_for_status(&browser, "The link holds no game: name the board");
        assert_eq!(browser.text("return location.hash"), address);
    }
}

#[test]
fn a_pause_takes_nothing_away() {
    let Some((server, browser)) = page(LAPTOP, "position=OX--OX----------X&black=human&white=first") else {
        return;
    };
    browser.press(&["p", "p"]);
    let passed = "return document.getElementById('transcript').textContent.includes(' pa')";
    browser.wait("Black's pass", passed);
    browser.go(&url(&server, "board=4x4&black=human&white=first"));
    browser.click("#resign");
    wait_for_status(&browser, "Black gave up");
    browser.press(&["p", "p"]);
    wait_for_status(&browser, "Black gave up");
    browser.go(&url(&server, "board=4x4&moves=b1&ply=0&black=first&white=human"));
    wait_for_status(&browser, "Black (first) waits");
    browser.press(&["p"]);
    wait_for_status(&browser, "Paused");
    browser.press(&["p"]);
    wait_for_status(&browser, "White to move");
}

#[test]
fn another_player_begins_with_its_usual_parameters() {
    let Some((_server, browser)) = page(LAPTOP, "board=4x4&black=human&white=alphabeta:1,discs") else {
        return;
    };
    let seat = "return new URLSearchParams(location.hash.slice(1)).get('white')";
    choose(&browser, "white-player", "engine");
    assert_eq!(browser.text(seat), "engine");
    assert_eq!(browser.text("return document.getElementById('white-parameters').value"), "");
    choose(&browser, "white-parameters", "level=1");
    browser.wait("the seat", &format!("{seat} === 'engine:level=1'"));
    browser.run("document.querySelector('[data-name=b1]').click()");
    browser.wait("White's answer", "return document.querySelectorAll('#moves li').length === 2");
}

#[test]
fn a_pause_ends_with_another_player_but_not_with_another_time() {
    let Some((_server, browser)) = page(LAPTOP, "board=4x4&black=human&white=first") else { return };
    let pause = "return document.getElementById('pause').textContent";
    browser.click("#pause");
    choose(&browser, "move-time", "2");
    assert_eq!(browser.text(pause), "Go on");
    choose(&browser, "white-player", "random");
    assert_eq!(browser.text(pause), "Pause");
}

#[test]
fn a_side_without_a_move_passes_while_the_game_is_paused() {
    let Some((_server, browser)) = page(LAPTOP, "position=XO--XO----------X&black=human&white=first") else {
        return;
    };
    browser.click("#pause");
    browser.run("document.querySelector('[data-name=c1]').click()");
    let passed = "return document.getElementById('transcript').textContent.includes('pa')";
    browser.wait("the pass", passed);
}

/// The headline follows what stands on the squares.
#[test]
fn the_deepest_estimate_is_the_one_that_is_told() {
    let Some((_server, browser)) = page(LAPTOP, "board=4x4&moves=b1&passing=no") else { return };
    let told = "const best = document.querySelector('#board .value.best')?.firstChild.textContent;
         const [shown, verdict] = ['search-progress', 'verdict'].map((id) => document.getElementById(id).textContent);
         return !shown.startsWith('Searching') && best !== undefined && verdict.startsWith(`About ${best} for White`)";
    browser.wait("the same in words and on the board", told);
}

/// One of the two questions about a position is refused; the answers to the other must not be shown for the next one.
#[test]
fn values_are_those_of_the_position_that_is_shown() {
    let Some((_server, browser)) = page(LAPTOP, "board=8x8") else { return };
    browser.run(
        "const real = window.fetch;
         let asked = 0;
         const busy = () => new Response(JSON.stringify({kind: 'busy', message: 'busy'}), {status: 503});
         window.fetch = (url, options) =>
             url.endsWith('positions') && asked++ === 0 ? Promise.resolve(busy()) : real(url, options);",
    );
    browser.run("document.querySelector('[data-name=f5]').click()");
    wait_for_status(&browser, "Black played f5");
    let values = "return document.querySelectorAll('#board .legal .value').length > 0";
    browser.wait("values all the same", values);
    browser.run("document.querySelector('[data-name=d6]').click()");
    wait_for_status(&browser, "White played d6");
    browser.wait("values", values);
    // What still came for the position before would stand on squares that no player may play to.
    std::thread::sleep(std::time::Duration::from_secs(2));
    let strange = "return [...document.querySelectorAll('#board .square:not(.legal) .value')].length";
    assert_eq!(browser.run(strange), 0);
}

#[test]
fn an_unfinished_graph_says_where_it_stops() {
    let Some((_server, browser)) = page(LAPTOP, "board=4x4") else { return };
    browser.run(
        r#"const real = window.fetch;
         const cut = '{"type":"end","complete":false,"seconds":1,"error":{"kind":"out-of-time","message":""}}\n';
         window.fetch = (url, options) => url.endsWith('positions') ? Promise.resolve(new Response(cut)) : real(url, options);
         location.hash = '#board=4x4&moves=b1a1a2'"#,
    );
    let said = "return document.getElementById('search-progress').textContent.endsWith('without a value: after move 2.')";
    browser.wait("the sentence", said);
}

#[test]
fn a_phone_shows_the_board_and_its_buttons_at_once() {
    let Some((server, browser)) = page(PHONE, "board=8x8") else { return };
    for fragment in ["board=8x8", "board=4x4", "board=24x24", "board=6x8"] {
        browser.go(&url(&server, fragment));
        let overflow = "return document.documentElement.scrollWidth - innerWidth";
        assert_eq!(browser.run(overflow), 0, "{fragment} is wider than the screen");
        let bottom = "return document.getElementById('resign').getBoundingClientRect().bottom <= innerHeight";
        assert_eq!(browser.run(bottom), true, "{fragment}: the buttons are below the screen");
        let square = "return document.querySelector('.square').getBoundingClientRect().width";
        assert!(browser.run(square).as_f64().unwrap() >= 14.0, "{fragment}");
    }
}

#[test]
fn a_phone_on_its_side_shows_the_whole_board() {
    let Some((_server, browser)) = page((780, 390), "board=8x8") else { return };
    let bottom = "return document.getElementById('resign').getBoundingClientRect().bottom - innerHeight";
    let below = browser.run(bottom).as_f64().unwrap();
    assert!(below <= 0.0, "the buttons are {below} pixels below the screen");
}

#[test]
fn a_laptop_shows_everything_at_once() {
    let Some((_server, browser)) = page(LAPTOP, "board=8x8&moves=f5d6c3d3c4") else { return };
    for selector in ["#board", "#resign", "#graph svg", "#play-line"] {
        let script = format!(
            "return document.querySelector('{selector}').getBoundingClientRect().bottom <= innerHeight"
        );
        assert_eq!(browser.run(&script), true, "{selector} is below the screen");
    }
}

#[test]
fn a_pasted_game_is_read() {
    let Some((_server, browser)) = page(LAPTOP, "board=4x4") else { return };
    browser.click("#tab-files");
    browser.type_into("#text", "f5 d6 c3");
    browser.click("#read-form button");
    wait_for_status(&browser, "Black played c3");
    assert_eq!(browser.run("return document.querySelectorAll('.square').length"), 64);
    browser.run("document.getElementById('text').value = 'f5 a1'");
    browser.click("#read-form button");
    let message = "return document.getElementById('files-message').textContent.includes('move 2')";
    browser.wait("the fault", message);
    // Nothing is no game that takes the place of the one on the board.
    browser.run("document.getElementById('text').value = ' '");
    browser.click("#read-form button");
    let message = "return document.getElementById('files-message').textContent.includes('nothing to read')";
    browser.wait("the fault", message);
    assert!(status(&browser).contains("Black played c3"));
}

/// What is copied names the board and the start by itself.
#[test]
fn a_copied_game_is_read_back() {
    let Some((server, browser)) = page(LAPTOP, "board=8x8&moves=f5d6c3") else { return };
    let copied = "return document.getElementById('transcript').textContent";
    assert_eq!(browser.text(copied), "f5d6c3");
    let fragments = [
        "board=4x4&start=parallel&moves=b1a2",
        "board=6x6&moves=c2b4",
        "board=6x6",
        "position=OX--OX----------X&moves=pa",
    ];
    for fragment in fragments {
        browser.go(&url(&server, fragment));
        let (shown, text) = (position(&browser), browser.text(copied));
        browser.go(&url(&server, "board=8x8"));
        browser.click("#tab-files");
        browser.type_into("#text", &text);
        browser.click("#read-form button");
        let script = format!("{copied} === {}", json!(text));
        browser.wait("the game", &script);
        assert_eq!(position(&browser), shown, "{fragment}");
    }
}

#[test]
fn two_programs_play_many_games() {
    let Some((_server, browser)) = page(LAPTOP, "board=4x4&black=random&white=perfect") else { return };
    browser.click("#pause");
    browser.click("#tab-statistics");
    browser.click("#games-start");
    browser.wait(
        "the games",
        "return document.getElementById('games-message').textContent === '20 games played.'",
    );
    let points = "return document.querySelectorAll('#stat-results .point').length";
    assert!(browser.run(points).as_u64().unwrap() >= 20);
    browser.click("#clear-statistics");
    assert_eq!(browser.run(points), 0);
}

/// The same players on the same board play another game by other rules.
#[test]
fn games_are_counted_with_those_of_the_same_rules() {
    let Some((server, browser)) = page(LAPTOP, "board=4x4&black=random&white=random") else { return };
    let rules = ["", "&scoring=winner", "&start=parallel", "&passing=no", "&position=----XXXOOXXX---- X"];
    for rules in rules {
        browser.go(&url(&server, &format!("board=4x4&black=random&white=random{}", rules.replace(' ', ""))));
        browser.click("#pause");
        browser.click("#tab-statistics");
        browser.run("document.getElementById('games-random').value = 0");
        browser.click("#games-start");
        browser.wait(
            "the games",
            "return document.getElementById('games-message').textContent === '20 games played.'",
        );
    }
    let options = "return [...document.getElementById('stat-filter').options].map((option) => option.text)";
    let players = "random – random, 4x4";
    let expected = [
        "all players".to_owned(),
        format!("{players}, raw scoring"),
        format!("{players}, winner scoring"),
        format!("{players}, raw scoring, parallel start"),
        format!("{players}, raw scoring, no passing"),
        format!("{players}, raw scoring, from ----XXXOOXXX---- X"),
    ];
    assert_eq!(browser.run(options), json!(expected));
}

/// The table of 6x6 ends where a search takes half a second: no move between them stays without its mark.
#[test]
fn every_mistake_on_6x6_is_marked() {
    let moves = "b3b4e5b2a4f6e4d5b1a1d6e3f5f4";
    let Some((_server, browser)) = page(LAPTOP, &format!("board=6x6&moves={moves}")) else { return };
    let costs = "[...document.querySelectorAll('#moves li')].map((item) => item.querySelector('.cost')?.textContent ?? '')";
    browser.wait("b1's cost", &format!("return {costs}[8] === ' −32'"));
    browser.wait("all values", "return document.getElementById('search-progress').textContent === ''");
    let expected = ["", " −2", " −8", " −12", "", " −22", " −22", "", " −32", " −2", " −7", " −7", " −6", ""];
    assert_eq!(browser.run(&format!("return {costs}")), json!(expected));
    assert_eq!(browser.run("return document.querySelectorAll('#moves .open').length"), 0);
}

/// What is on the board is asked for first, and what is still open is marked as such.
#[test]
fn positions_are_asked_for_in_the_order_of_what_is_shown() {
    let Some((_server, browser)) = page(LAPTOP, "board=4x4") else { return };
    browser.run(
        "const real = window.fetch;
         const never = ({ body, signal }) => new Promise((_, reject) => {
             window.asked = JSON.parse(body).plies;
             signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
         });
         window.fetch = (url, options) => url.endsWith('positions') ? never(options) : real(url, options);
         location.hash = '#board=4x4&moves=b1a1a2c1d4&ply=3'",
    );
    browser.wait("the question", "return window.asked?.length > 3");
    assert_eq!(browser.run("return window.asked.slice(0, 2)"), json!([3, 2]));
    browser.wait("the marks", "return document.querySelectorAll('#moves .open').length >= 2");
}

#[test]
fn strength_is_chosen_from_a_menu() {
    let Some((_server, browser)) = page(LAPTOP, "board=6x6&black=human&white=engine") else { return };
    let seat = "return new URLSearchParams(location.hash.slice(1)).get('white')";
    browser.click("#tab-setup");
    let is_offered = "return document.getElementById('white-strength').options.length > 10";
    browser.wait("the strengths", is_offered);
    let is_shown = "return document.getElementById('white-parameters').offsetParent !== null";
    assert_eq!(browser.run(is_shown), false);
    choose(&browser, "white-strength", "level=2");
    assert_eq!(browser.text(seat), "engine:level=2");
    choose(&browser, "white-player", "alphabeta");
    choose(&browser, "white-strength", "depth=3");
    assert_eq!(browser.text(seat), "alphabeta:depth=3");
    choose(&browser, "white-strength", "own");
    assert_eq!(browser.run(is_shown), true);
    browser.type_into("#white-parameters", "00");
    let fault = "return document.getElementById('white-fault').textContent";
    browser.wait("the fault", &format!("{fault} !== ''"));
    assert_eq!(browser.text(seat), "alphabeta:depth=3", "a player that is none takes no seat");
    assert_eq!(browser.text("return document.getElementById('white-parameters').ariaInvalid"), "true");
}

#[test]
fn only_players_that_can_play_are_offered() {
    let Some((server, browser)) = page(LAPTOP, "board=8x8&black=human&white=phases") else { return };
    let offered = |name: &str| {
        format!(
            "return [...document.getElementById('white-player').options].some((option) => option.text === '{name}')"
        )
    };
    browser.wait("the players", &offered("phases"));
    assert_eq!(browser.run(&offered("perfect")), false);
    browser.go(&url(&server, "board=16x16&black=human&white=engine"));
    browser.wait("another player", "return location.hash.endsWith('white=alphabeta')");
    let said = "return document.getElementById('white-fault').textContent.startsWith('engine cannot play this game')";
    browser.wait("that another one plays", said);
    let waits = "return document.getElementById('pause').textContent === 'Go on'
        && document.getElementById('status').textContent.includes('alphabeta takes its place')";
    browser.wait("the go-ahead", waits);
    assert_eq!(browser.text("return String(document.getElementById('white-player').value)"), "alphabeta");
    assert_eq!(browser.run(&offered("engine")), false);
    browser.go(&url(&server, "board=4x4&black=human&white=human"));
    browser.wait("the players", &offered("perfect"));
    assert_eq!(browser.run(&offered("phases")), false);
}

#[test]
fn a_new_game_says_what_its_start_is_worth() {
    let Some((_server, browser)) = page(LAPTOP, "board=6x6&black=human&white=human") else { return };
    let says = |text: &str| format!("return document.getElementById('new-value').textContent === '{text}'");
    browser.wait("6x6", &says("With perfect play White wins by 4 discs."));
    let choose = |id: &str, value: &str| {
        browser.run(&format!(
            "const field = document.getElementById('{id}'); field.value = '{value}'; \
             field.dispatchEvent(new Event('input', {{ bubbles: true }}));"
        ));
    };
    choose("new-goal", "reversed");
    browser.wait("its other goal", &says("With perfect play Black wins by 2 discs."));
    choose("new-board", "8x8");
    browser.wait("8x8, where the reversed goal is open", &says(""));
    choose("new-goal", "normal");
    browser.wait("its usual goal", &says("With perfect play it is a draw."));
}

#[test]
fn a_position_is_set_up_by_hand() {
    let Some((_server, browser)) = page(LAPTOP, "board=4x4&moves=b1") else { return };
    browser.click("#set-up");
    browser.click("#setup-clear");
    browser.click("[data-name=a1]");
    browser.click("[data-name=b1]");
    browser.click("[data-name=b1]");
    choose_in_editor(&browser, "brush", "O");
    browser.click("[data-name=a2]");
    assert_eq!(browser.run("return document.querySelectorAll('#board .disc').length"), 3);
    choose_in_editor(&browser, "mover", "X");
    browser.click("#setup-done");
    browser.wait("the game", "return !document.getElementById('controls').hidden");
    assert_eq!(position(&browser), "XO--O----------- X");
    browser.wait("values", "return document.querySelectorAll('#board .value.exact').length === 2");
    browser.press(&["e"]);
    browser.click("#setup-start");
    browser.click("#setup-cancel");
    assert_eq!(position(&browser), "XO--O----------- X", "what is cancelled changes nothing");
    assert_eq!(browser.run("return document.querySelectorAll('#board .disc').length"), 3);
}

#[test]
fn who_plays_is_chosen_while_a_position_is_set_up() {
    let Some((_server, browser)) = page(LAPTOP, "board=4x4&moves=b1") else { return };
    overlays(&browser);
    browser.click("#set-up");
    assert_eq!(browser.run("return document.getElementById('play-line').disabled"), true, "no old line");
    browser.click("#setup-clear");
    browser.click("[data-name=a1]");
    choose(&browser, "white-player", "engine");
    assert_eq!(browser.run("return document.querySelectorAll('#board .disc').length"), 1);
    assert_eq!(browser.run("return document.getElementById('setup-form').hidden"), false);
    let name = "return document.querySelector('#white-side .name').textContent";
    assert_eq!(browser.text(name), "engine");
}

#[test]
fn games_that_are_played_are_stopped_whoever_has_the_seats() {
    let Some((_server, browser)) = page(LAPTOP, "board=8x8&black=first&white=first") else { return };
    browser.wait("the form", "return !document.getElementById('games-form').hidden");
    browser.run("document.getElementById('games-count').value = '1000'");
    choose(&browser, "black-player", "alphabeta");
    browser.run("document.getElementById('games-form').requestSubmit()");
    let stop = "return document.getElementById('games-stop')";
    browser.wait("the games", &format!("{stop}.hidden === false"));
    choose(&browser, "white-player", "human");
    let is_gone = "return document.getElementById('games-form').hidden";
    assert_eq!(browser.run(is_gone), false);
    browser.run("document.getElementById('games-stop').click()");
    browser.wait("their end", is_gone);
}

fn choose_in_editor(browser: &Browser, field: &str, value: &str) {
    browser.run(&format!("document.getElementById('setup-form').elements.{field}.value = '{value}'"));
}

#[test]
fn arrow_keys_go_through_the_game() {
    let Some((_server, browser)) = page(LAPTOP, "board=4x4&moves=b1a1a2") else { return };
    let ply = "return new URLSearchParams(location.hash.slice(1)).get('ply')";
    browser.press(&[LEFT]);
    browser.wait("one back", &format!("{ply} === '2'"));
    browser.press(&[HOME]);
    browser.wait("the start", &format!("{ply} === '0'"));
    browser.press(&[RIGHT]);
    browser.wait("one on", &format!("{ply} === '1'"));
    // On the board, if it was reached by the keyboard, they move from square to square.
    browser.press(&["b", RIGHT]);
    assert_eq!(browser.text(ply), "1");
    // Who clicks on a square plays there, and goes back with them.
    browser.click("[data-name=a1]");
    browser.wait("the move", &format!("{ply} === '2'"));
    browser.press(&[LEFT]);
    browser.wait("back", &format!("{ply} === '1'"));
}

#[test]
fn a_bar_shows_who_is_ahead() {
    let Some((server, browser)) = page(LAPTOP, "board=4x4") else { return };
    let told = "return document.getElementById('balance').getAttribute('aria-valuetext')";
    browser.wait("the value", &format!("{told} === 'White by 8'"));
    let share = "return document.getElementById('balance').style.getPropertyValue('--black-share')";
    assert_eq!(browser.text(share), "14.6%");
    browser.go(&url(&server, "board=8x8"));
    browser.wait(
        "an estimate",
        &format!("const text = (() => {{ {told} }})(); return text.startsWith('about ')"),
    );
}

#[test]
fn the_board_is_turned_and_mirrored() {
    let Some((_server, browser)) = page(LAPTOP, "board=4x6") else { return };
    let corners = "const squares = [...document.querySelectorAll('.square')];
         return [0, 3, 5, squares.length - 1].map((index) => squares[index].dataset.name)";
    let names = |expected: [&str; 4]| assert_eq!(browser.run(corners), json!(expected));
    names(["a1", "d1", "b2", "d6"]);
    browser.click("#rotate");
    names(["a6", "a3", "a1", "d1"]);
    browser.click("#flip");
    names(["a1", "a4", "a6", "d6"]);
    let legal = browser.text("return document.querySelector('.square.legal').dataset.name");
    browser.click(".square.legal");
    wait_for_status(&browser, &format!("Black played {legal}"));
    browser.click("#rotate");
    browser.click("#flip");
    names(["a1", "d1", "b2", "d6"]);
}

#[test]
fn there_are_no_empty_panels_and_no_dead_buttons() {
    let Some((server, browser)) = page(LAPTOP, "board=4x4&black=human&white=human") else { return };
    let is_shown = |id: &str| {
        browser.run(&format!("return document.getElementById('{id}').offsetParent !== null")) == json!(true)
    };
    assert!(!is_shown("graph-panel") && !is_shown("pause"), "there is no game and no program yet");
    browser.click("#tab-statistics");
    assert!(!is_shown("stat-panel") && !is_shown("games-start"));
    browser.click("#games-players");
    assert!(is_shown("white-player"));
    browser.go(&url(&server, "board=4x4&black=random&white=random&moves=b1&ply=1"));
    browser.wait("the game's end", "return document.getElementById('status').textContent.includes('over')");
    assert!(is_shown("graph-panel") && is_shown("pause") && !is_shown("resign") && !is_shown("line-panel"));
}

#[test]
fn estimates_fit_their_squares_on_phones() {
    let Some((_server, browser)) = page(PHONE, "board=8x8&moves=f5d6c3d3c4f4f6g5") else { return };
    browser.wait("estimates", "return document.querySelectorAll('#board .value.estimate').length > 5");
    // The widest that there is, in each of them.
    let fits = "return [...document.querySelectorAll('#board .value.estimate')].every((value) => {
        value.firstChild.textContent = '−12.8';
        const text = document.createRange();
        text.selectNodeContents(value);
        const [inner, outer] = [text.getBoundingClientRect(), value.getBoundingClientRect()];
        return inner.width < outer.width && inner.height < outer.height;
    })";
    assert_eq!(browser.run(fits), true);
    let is_whole = "return [...document.querySelectorAll('#legend .entry')].every((entry) => entry.getBoundingClientRect().height < 40)";
    assert_eq!(browser.run(is_whole), true, "a sample and its words stand in one line");
}
