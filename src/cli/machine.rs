//! Checks whether this machine has the instructions that the program was built with.
//!
//! The build uses the instructions of the machine it runs on (`.cargo/config.toml`). On an older machine the program
//! would end with a bare "illegal instruction"; this says what to do instead.

/// The first instruction set that the program was built with and the machine lacks.
///
/// Asks the processor itself, because the standard library's detection answers "yes" without asking for what the
/// program was built with. Looks at the sets that compilers use unasked, by the numbers in Intel's and AMD's manuals
/// (instruction CPUID). The code consists of plain bit tests, so that the compiler has no reason to use one of those
/// sets for it.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
pub(super) fn missing_instructions() -> Option<&'static str> {
    use std::arch::x86_64::__cpuid_count;
    // SAFETY: every x86-64 processor has the instruction and the leaves 0 and 0x8000_0001; leaf 7 is only
    // asked for where it exists. (No `unsafe` is needed from a later compiler on.)
    #[allow(unused_unsafe)]
    let (basic, more_ebx, more_ecx, further) = unsafe {
        let has_leaf_7 = __cpuid_count(0, 0).eax >= 7;
        let (ebx, ecx) = if has_leaf_7 { (__cpuid_count(7, 0).ebx, __cpuid_count(7, 0).ecx) } else { (0, 0) };
        (__cpuid_count(1, 0).ecx, ebx, ecx, __cpuid_count(0x8000_0001, 0).ecx)
    };
    macro_rules! check {
        ($($set:literal is bit $bit:literal of $register:ident;)*) => {
            $(if cfg!(target_feature = $set) && $register & (1 << $bit) == 0 {
                return Some($set);
            })*
        };
    }
    check! {
        "sse4.2" is bit 20 of basic;
        "popcnt" is bit 23 of basic;
        "movbe" is bit 22 of basic;
        "avx" is bit 28 of basic;
        "fma" is bit 12 of basic;
        "lzcnt" is bit 5 of further;
        "tbm" is bit 21 of further;
        "bmi1" is bit 3 of more_ebx;
        "bmi2" is bit 8 of more_ebx;
        "avx2" is bit 5 of more_ebx;
        "gfni" is bit 8 of more_ecx;
        "avx512f" is bit 16 of more_ebx;
        "avx512dq" is bit 17 of more_ebx;
        "avx512cd" is bit 28 of more_ebx;
        "avx512bw" is bit 30 of more_ebx;
        "avx512vl" is bit 31 of more_ebx;
        "avx512vbmi" is bit 1 of more_ecx;
        "avx512vbmi2" is bit 6 of more_ecx;
        "avx512bitalg" is bit 12 of more_ecx;
        "avx512vpopcntdq" is bit 14 of more_ecx;
    }
    None
}

/// Only x86-64 processors are checked; on others the system itself ends a program with unknown instructions.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn missing_instructions() -> Option<&'static str> {
    None
}
