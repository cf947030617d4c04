//! `reversi serve`: the page.

use super::common::Output;
use super::interrupt::exit_on_ctrl_c;
use super::print::{print_line, print_remark};
use super::values::{data_directory, duration, parse_memory, parse_threads};
use super::{Exit, Failure};
use crate::web::{self, ServeError, Settings};
use clap::Args;
use reversi_engine::Resources;
use serde_json::json;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

/// The remark if other machines are let in.
const REACHED: &str =
    "reversi: other machines can open it under this machine's address, or a name given with --allow-host";

/// Serve a web page to play on, which shows what perfect play says about each move
///
/// Open the printed address in a browser. Nothing is loaded from other servers. Scripts can use the same service; see
/// docs/api.md.
#[derive(Args)]
#[command(after_help = "Examples:
  reversi serve
  reversi serve --port 9000 --search-time 20 --searches 2
  reversi serve --port 9001 --data /tmp     # tables of your own first
  curl -s http://127.0.0.1:8000/api/query \\
    -H 'Content-Type: application/json' -d '{\"game\":{\"board\":\"4x4\"}}'")]
pub struct Serve {
    /// Address to listen on; 0.0.0.0 lets other machines in
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// Port to listen on; 0 takes any free one
    #[arg(long, value_name = "N", default_value_t = 8000)]
    port: u16,
    /// Further host name under which the page may be requested, besides localhost and addresses; may be repeated
    #[arg(long, value_name = "NAME", value_parser = host_name)]
    allow_host: Vec<String>,
    /// Searches that run at once; more of them wait
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=256))]
    searches: u32,
    /// Maximum time of one search, as in 60 or 500ms
    #[arg(long, value_name = "TIME", default_value = "60", value_parser = duration)]
    search_time: Duration,
    /// Threads per search [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,
    /// Memory of all searches together, as in 512M or 4G; tables, weights and questions take some dozens of megabytes
    /// more
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
    memory: usize,
    /// Directory searched first for tables and weights
    #[arg(long, value_name = "DIR", value_parser = data_directory())]
    data: Option<PathBuf>,
}

impl Serve {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        exit_on_ctrl_c();
        allocator::return_freed_memory();
        let settings = self.settings();
        let Err(error) = web::serve(&settings, |address| announce(address, output));
        Err(failure(&error, settings.address))
    }

    fn settings(self) -> Settings {
        let all_cores = || std::thread::available_parallelism().map_or(1, usize::from);
        Settings {
            address: SocketAddr::new(self.host, self.port),
            hosts: self.allow_host,
            searches: self.searches as usize,
            search_time: self.search_time,
            resources: Resources {
                memory_bytes: self.memory,
                threads: self.threads.unwrap_or_else(all_cores),
                data: self.data,
                ..Resources::default()
            },
        }
    }
}

/// A name of this machine, without protocol and port: requests are compared by name.
fn host_name(text: &str) -> Result<String, String> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    match !text.is_empty() && text.chars().all(is_name) {
        true => Ok(text.to_owned()),
        false => Err("write the name alone, as in my-machine.example, without http:// and port; letters beyond ASCII as \
             browsers send them, in the form xn--...".to_owned()),
    }
}

/// Every question has a thread, and what a thread frees would stay with it: half a gigabyte after some hundred questions
/// about many boards, whatever `--memory` says. Large pieces are therefore taken from the system and given back to it.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod allocator {
    use nix::libc;

    const LARGE: libc::c_int = 1 << 20;

    pub fn return_freed_memory() {
        // SAFETY: this only sets a number of the allocator. A refusal changes nothing.
        unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
mod allocator {
    pub fn return_freed_memory() {}
}

fn failure(error: &ServeError, address: SocketAddr) -> Failure {
    let (kind, message) = match error {
        ServeError::Listen(error) => {
            ("cannot-listen", format!("cannot listen at {address}: {error}; choose another --port or --host"))
        }
        ServeError::Runtime(error) => (
            "cannot-start",
            format!(
                "cannot start: {error}; the system allows too few threads or open files, see `ulimit -a`"
            ),
        ),
    };
    Failure::new(Exit::Failed, kind, message)
}

/// Prints the address. For a server on all addresses of the machine it is localhost's: no browser opens 0.0.0.0.
fn announce(address: SocketAddr, output: Output) {
    let own = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        named => named,
    };
    let url = format!("http://{}/", SocketAddr::new(own, address.port()));
    if output.json {
        print_line(json!({"schema": "reversi.serve/1", "url": url}));
    } else {
        print_line(url);
    }
    if !output.quiet {
        print_remark("reversi: open this address in a browser; Ctrl-C ends it");
        if own != address.ip() {
            print_remark(REACHED);
        }
    }
}
