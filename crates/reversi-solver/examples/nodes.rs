use reversi_rules::playout::after_random_moves;
use reversi_rules::*;
use reversi_solver::eval::*;
use reversi_solver::search::midgame::*;
use reversi_solver::search::probcut::*;
use reversi_solver::search::tt::MidgameTable;
use reversi_solver::search::*;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn cpu() -> f64 {
    let s = std::fs::read_to_string("/proc/self/stat").unwrap();
    let v: Vec<&str> = s.split_whitespace().collect();
    v[13].parse::<f64>().unwrap() / 100.0
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let g = Geometry::EIGHT;
    let goal = if args[1] == "n" { Goal::Normal } else { Goal::Reversed };
    let file = std::path::Path::new(&args[2]);
    let tenths: u32 = args[3].parse().unwrap();
    let n: u32 = args[4].parse().unwrap();
    let plan: Vec<(u32, u32)> = args[5..]
        .iter()
        .map(|a| {
            let (e, d) = a.split_once(':').unwrap();
            (e.parse().unwrap(), d.parse().unwrap())
        })
        .collect();
    let ev = Arc::new(Evaluator::new(&Weights::load(file).unwrap()));
    let rules = Rules::new(goal, Scoring::Winner);
    let evaluation = Evaluation::Learned(ev.clone());
    let stop = Stop::never();
    let done = AtomicBool::new(false);
    let mut table = MidgameTable::new(64 << 20).unwrap();
    let solver = Solver::with_ordering(
        g,
        rules,
        SolverOptions { memory_bytes: 16 << 20, threads: 1, ..Default::default() },
        Some(ev.clone()),
    )
    .unwrap();
    if let Ok(path) = std::env::var("KNOWN") {
        let (mut nodes, mut logs, mut err, mut worst, mut time, mut k) = (0u64, 0.0, 0.0, 0, 0.0, 0.0);
        for line in
            std::fs::read_to_string(path).unwrap().lines().filter(|l| l.contains(';')).take(n as usize)
        {
            let mut f = line.split(';');
            let board = notation::parse_board(Some(g), f.next().unwrap()).unwrap();
            let score: i32 = f.next().unwrap().trim().parse().unwrap();
            let p = board.position();
            table.forget();
            let context = MidgameContext {
                geometry: g,
                rules,
                passing: Passing::Allowed,
                evaluation: &evaluation,
                table: &table,
                probcut: ProbCut::find(g, goal, tenths),
                stop: &stop,
                done: &done,
            };
            let tools = EndgameContext::default();
            let e = solver.endgame_search(1 << 22, &tools, &stop);
            let mut s = MidgameSearch::new(context, Some(e));
            let t = cpu();
            let em = p.empty_count(g);
            let steps: Vec<Iteration> = (1..=em * 2 / 3).chain([em]).map(Iteration::usual).collect();
            let found = deepen(&mut s, p, &mut steps.into_iter(), || false).unwrap();
            time += cpu() - t;
            nodes += s.all_nodes();
            logs += (s.all_nodes() as f64).ln();
            k += 1.0;
            let d = f64::from(found.value.unwrap()) / 128.0 - f64::from(score);
            err += d.abs();
            worst += i32::from(d.abs() > 0.01);
        }
        println!(
            "nodes {:.2} M geo {:.0} cpu {time:.2} err {:.3} wrong {worst}",
            nodes as f64 / 1e6,
            f64::exp(logs / k),
            err / k
        );
        return;
    }
    for (empties, depth) in plan {
        let (mut nodes, mut time) = (0, 0.0);
        let (mut logs, mut sum, mut moves) = (0.0, 0, String::new());
        for game in 0..n {
            let mut r = fastrand::Rng::with_seed(game as u64);
            let mut p = after_random_moves(g, Board::start(g, Start::Diagonal).position(), 10, &mut r);
            while p.empty_count(g) > empties || p.must_pass(g) {
                let c = p.children(g);
                if c.is_empty() {
                    break;
                }
                // independent of the weights: fewest opponent moves
                p = c
                    .iter()
                    .min_by_key(|(_, c)| c.legal_moves(g).count_ones() * 8 + (c.player.count_ones() % 8))
                    .unwrap()
                    .1;
            }
            if p.is_over(g) {
                continue;
            }
            table.forget();
            let context = MidgameContext {
                geometry: g,
                rules,
                passing: Passing::Allowed,
                evaluation: &evaluation,
                table: &table,
                probcut: ProbCut::find(g, goal, tenths),
                stop: &stop,
                done: &done,
            };
            let tools = EndgameContext::default();
            let e = solver.endgame_search(1 << 22, &tools, &stop);
            let mut s = MidgameSearch::new(context, Some(e));
            let t = cpu();
            let steps: Vec<Iteration> = if depth < p.empty_count(g) {
                (1..=depth).map(Iteration::usual).collect()
            } else {
                (1..=p.empty_count(g) * 2 / 3).chain([p.empty_count(g)]).map(Iteration::usual).collect()
            };
            let found = deepen(&mut s, p, &mut steps.into_iter(), || false).unwrap();
            time += cpu() - t;
            nodes += s.all_nodes();
            logs += (s.all_nodes() as f64).ln();
            sum += found.value.unwrap();
            moves += &format!("{} ", found.square);
        }
        println!(
            "{empties}:{depth} nodes {:.2} M geo {:.0} cpu {:.2} s  {:.2} Mn/s sum {} {}",
            nodes as f64 / 1e6,
            (logs / n as f64).exp(),
            time,
            nodes as f64 / 1e6 / time,
            sum,
            moves
        );
    }
}
