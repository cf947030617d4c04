//! Checks whether the processor has the instructions that this build uses: it may have been made for another machine.
//!
//! The macros of the standard library cannot tell, since they assume what the build uses; so the processor itself is
//! asked. Nothing here may use the instructions in question: it writes plain text, without formatting and collections.

use std::io::Write;
use std::process::ExitCode;

/// Ends the program with a message, instead of an illegal instruction later, if an instruction set is missing.
///
/// # Errors
/// The exit code.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
pub fn check() -> Result<(), ExitCode> {
    use raw_cpuid::CpuId;

    let processor = CpuId::new();
    let basic = processor.get_feature_info();
    let more = processor.get_extended_feature_info();
    let late = processor.get_extended_processor_and_feature_identifiers();
    macro_rules! missing {
        ($($name:tt $info:ident $has:ident),* $(,)?) => {
            [$((cfg!(target_feature = $name) && !$info.as_ref().is_some_and(|info| info.$has())).then_some($name)),*]
        };
    }
    let missing = missing![
        "sse3" basic has_sse3,
        "ssse3" basic has_ssse3,
        "sse4.1" basic has_sse41,
        "sse4.2" basic has_sse42,
        "popcnt" basic has_popcnt,
        "movbe" basic has_movbe,
        "avx" basic has_avx,
        "fma" basic has_fma,
        "lzcnt" late has_lzcnt,
        "tbm" late has_tbm,
        "bmi1" more has_bmi1,
        "bmi2" more has_bmi2,
        "avx2" more has_avx2,
        "gfni" more has_gfni,
        "avx512f" more has_avx512f,
        "avx512cd" more has_avx512cd,
        "avx512bw" more has_avx512bw,
        "avx512dq" more has_avx512dq,
        "avx512vl" more has_avx512vl,
        "avx512vbmi" more has_avx512vbmi,
        "avx512vbmi2" more has_avx512vbmi2,
        "avx512bitalg" more has_avx512bitalg,
        "avx512vpopcntdq" more has_avx512vpopcntdq,
    ];
    if missing.iter().all(Option::is_none) {
        return Ok(());
    }
    let mut out = std::io::stderr().lock();
    let mut tell = |text: &str| _ = out.write_all(text.as_bytes());
    tell("reversi: this program was built for another processor; this one lacks:");
    for name in missing.into_iter().flatten() {
        tell(" ");
        tell(name);
    }
    tell("\nBuild it on this machine, or with RUSTFLAGS=\"-C target-cpu=x86-64\" for any.\n");
    tell("The README says how to build one program that is fast on every processor.\n");
    Err(ExitCode::FAILURE)
}

/// Only builds for x86-64 use instructions beyond those that every processor of their kind has.
#[cfg(not(target_arch = "x86_64"))]
pub fn check() -> Result<(), ExitCode> {
    Ok(())
}
