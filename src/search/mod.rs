//! Exact values by search; uses the rules only, and an evaluation for nothing but the order of moves.

pub mod exact;
mod last_empties;
mod last_flips;
mod law;
mod layout;
pub mod minimax;
mod ordering;
mod parallel;
mod shallow;
pub mod stability;
mod stop;
mod transposition;
mod watch;
mod worker;

pub use exact::{Solution, Solver, SolverOptions, Unfinished};
pub use stop::Stop;
pub use transposition::MemoryError;
pub use watch::{Progress, Watch};

#[doc(hidden)]
pub fn tune(i: usize) -> i32 {
    static T: std::sync::OnceLock<Vec<i32>> = std::sync::OnceLock::new();
    T.get_or_init(|| { let d=vec![5,7,8,40,16,6,16,16,2,2,16,8,10,-10,2,9,150,12,16,20,4,1,2,0,0,0]; let mut v=d; if let Ok(s)=std::env::var("TUNE"){ for kv in s.split(',') { let (k,x)=kv.split_once('=').unwrap(); v[k.parse::<usize>().unwrap()]=x.parse().unwrap(); } } v })[i]
}
