//! Advice on errors: what the program adds to an error of the library, which knows nothing of options and commands.

use reversi_engine::{NameError, PlayerError, ResourceError};
use reversi_lab::build::checkpoint::CheckpointError;
use reversi_lab::spread::SpreadError;
use reversi_solver::eval::weights::{ContentError, WeightsError};
use reversi_solver::oracle::OracleError;
use reversi_solver::search::MemoryError;
use reversi_table::TableError;
use reversi_table::library::FileError;
use reversi_verify::certificate::CertificateError;
use std::borrow::Cow;
use std::fmt::Display;
use std::path::Path;

/// An error with advice on what to do about it.
pub trait Advice: Display {
    /// What to do about it, in words that follow the error after a semicolon; `None` if the error says everything.
    fn advice(&self) -> Option<Cow<'static, str>>;

    /// The error, and what to do about it.
    fn with_advice(&self) -> String {
        match self.advice() {
            Some(advice) => format!("{self}; {advice}"),
            None => self.to_string(),
        }
    }
}

impl Advice for TableError {
    fn advice(&self) -> Option<Cow<'static, str>> {
        Some(match self {
            TableError::Io(_) | TableError::BoardTooLarge(_) => return None,
            TableError::NotATable => "tables end in .rvt and are made by `reversi build`".into(),
            TableError::Changed => {
                "start again; replace a table by renaming a new file (mv), never by writing over it (cp)"
                    .into()
            }
            TableError::TooLong { .. } => "copy it again".into(),
            TableError::Newer { .. } | TableError::Packing(_) => "use a newer program".into(),
            TableError::Truncated { .. }
            | TableError::HeaderChecksum
            | TableError::Trailer
            | TableError::IndexChecksum { .. }
            | TableError::BlockChecksum { .. } => {
                "copy the file again, or make it again with `reversi build --anew`".into()
            }
            TableError::Header(_) | TableError::IndexContent { .. } | TableError::BlockContent { .. } => {
                "make the table again with `reversi build --anew`".into()
            }
            TableError::WrongBoard { asked, .. } => make_another(&format!(" {asked}")),
            TableError::WrongRules { .. } | TableError::WrongStart(_) => make_another(""),
        })
    }
}

/// For a table whose name promises other contents; `board` is the argument of the build, with a space before it.
fn make_another(board: &str) -> Cow<'static, str> {
    format!(
        "rename the file to match its contents, or make the requested table with `reversi build{board} --anew`"
    )
    .into()
}

impl Advice for FileError {
    fn advice(&self) -> Option<Cow<'static, str>> {
        self.error.advice()
    }
}

impl Advice for OracleError {
    fn advice(&self) -> Option<Cow<'static, str>> {
        match self {
            OracleError::Table { error, .. } => error.advice(),
            OracleError::Contradiction { .. } | OracleError::IllegalMove { .. } => {
                Some("run `reversi table verify` on it, and make it again with `reversi build --anew`".into())
            }
            OracleError::Weights(error) => error.advice(),
            OracleError::Memory(error) => error.advice(),
            OracleError::Stopped => None,
        }
    }
}

impl Advice for MemoryError {
    fn advice(&self) -> Option<Cow<'static, str>> {
        Some("ask for less with --memory".into())
    }
}

impl Advice for PlayerError {
    fn advice(&self) -> Option<Cow<'static, str>> {
        matches!(self, PlayerError::NoMemory { .. }).then(|| "ask for less with --memory".into())
    }
}

impl Advice for WeightsError {
    fn advice(&self) -> Option<Cow<'static, str>> {
        let content = match self {
            WeightsError::File { .. } => return None,
            WeightsError::Content(content) | WeightsError::Unusable { cause: content, .. } => content,
        };
        match content {
            ContentError::Version(_) | ContentError::Features => {
                Some("train them again with `reversi train`".into())
            }
            ContentError::Checksum | ContentError::Structure(_) => {
                Some("fetch them again, or train them again with `reversi train`".into())
            }
            ContentError::Magic | ContentError::Other { .. } => None,
        }
    }
}

impl Advice for ResourceError {
    fn advice(&self) -> Option<Cow<'static, str>> {
        match self {
            ResourceError::Table(error) => error.advice(),
            ResourceError::Weights(error) => error.advice(),
        }
    }
}

impl Advice for NameError {
    fn advice(&self) -> Option<Cow<'static, str>> {
        matches!(self, NameError::Unknown { .. }).then(|| "`reversi players` lists all".into())
    }
}

impl Advice for CheckpointError {
    fn advice(&self) -> Option<Cow<'static, str>> {
        Some(match self {
            CheckpointError::Io { .. } | CheckpointError::Unread { .. } => return None,
            CheckpointError::Unkept { has_older: true, .. } => {
                "once the file can be written, --resume continues from them".into()
            }
            CheckpointError::Unkept { has_older: false, .. } => return None,
            CheckpointError::Locked(_) => "wait for it to end, or pass another --out".into(),
            CheckpointError::Unreadable { .. } => {
                "delete it to begin again, or continue with the program that wrote it".into()
            }
            CheckpointError::OtherBuild { .. } => {
                "pass the same parameters, or another --out, or move it away and take over what it holds with --from"
                    .into()
            }
            CheckpointError::OtherGame { .. } => "name another file".into(),
        })
    }
}

impl Advice for SpreadError {
    fn advice(&self) -> Option<Cow<'static, str>> {
        let is_plan = |path: &Path| path.file_name().is_some_and(|name| name == "plan");
        Some(match self {
            SpreadError::Io { .. } | SpreadError::Unmade { .. } | SpreadError::Stopped => return None,
            SpreadError::Unkept { .. } => {
                "results saved before are still there: once the file can be written, the same command continues".into()
            }
            SpreadError::Locked(_) => "wait for it to end, or end it".into(),
            SpreadError::LaterRound(..) => "go on with its searches".into(),
            SpreadError::NoPlan(_) => "lay one out with --plan".into(),
            SpreadError::HasPlan(_) => "go on with --shard and --merge, or name another directory".into(),
            SpreadError::Unreadable { path, .. } if is_plan(path) => {
                "copy it again, or delete its directory and make it again with --plan or, after the first round, --merge"
                    .into()
            }
            SpreadError::Unreadable { .. } | SpreadError::Damaged { .. } => {
                "copy it again, or delete it and run its part again: only what it held is searched again".into()
            }
            SpreadError::OtherKind { .. } => {
                "`reversi build` goes on with the plan of a build, `reversi prove` with that of a proof".into()
            }
            SpreadError::OtherVersion { .. } => "use one version of the program on all machines".into(),
            SpreadError::OtherPlan(_) | SpreadError::Foreign { .. } => "move it to where it belongs".into(),
            SpreadError::Contradiction { .. } => {
                "one of the two was computed wrongly: delete all files of the faulty machine and the rounds after them, and run their parts again"
                    .into()
            }
            SpreadError::Missing { .. } => {
                "run every part, or these, again with --shard: searches that have a result are not repeated".into()
            }
        })
    }
}

impl Advice for CertificateError {
    fn advice(&self) -> Option<Cow<'static, str>> {
        Some(match self {
            CertificateError::NoCertificate => {
                "`reversi prove` writes one with --certificate, --work or --merge".into()
            }
            CertificateError::Version(_) => "use the program that wrote it".into(),
            CertificateError::Checksum | CertificateError::Line { .. } => {
                "copy it again, or make it again with `reversi prove`".into()
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_table::Table;

    #[test]
    fn the_library_states_the_fault_and_the_program_the_way_out() {
        let error = Table::from_vec(b"no table at all".to_vec()).unwrap_err();
        assert_eq!(error.to_string(), "is not a reversi table");
        assert_eq!(
            error.with_advice(),
            "is not a reversi table; tables end in .rvt and are made by `reversi build`"
        );
        let error = MemoryError::TooMuch { asked: 1 << 40, free: 1 << 30 };
        assert!(!error.to_string().contains("--"), "{error}");
        assert!(error.with_advice().ends_with("; ask for less with --memory"), "{error}");
    }
}
