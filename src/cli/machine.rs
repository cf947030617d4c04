//! Knows whether this machine has the instructions that the program was built with.
//!
//! The build asks for those of the machine it runs on (`.cargo/config.toml`). A program carried to an
//! older machine would end with a bare "illegal instruction"; this says what to do instead.

#[cfg(target_arch = "x86_64")]
use raw_cpuid::{CpuId, ExtendedFeatures, ExtendedProcessorFeatureIdentifiers, FeatureInfo};

/// The first instruction set that the program was built with and the machine lacks.
///
/// Asks the processor itself: the standard library's detection answers "yes", without asking, for what
/// the program was built with. Only sets that compilers use unasked are looked at.
#[cfg(target_arch = "x86_64")]
pub(super) fn missing_instructions() -> Option<&'static str> {
    let id = CpuId::new();
    let (basic, further, more) = (
        id.get_feature_info(),
        id.get_extended_processor_and_feature_identifiers(),
        id.get_extended_feature_info(),
    );
    let basic = |has: fn(&FeatureInfo) -> bool| basic.as_ref().is_some_and(has);
    let further = |has: fn(&ExtendedProcessorFeatureIdentifiers) -> bool| further.as_ref().is_some_and(has);
    let more = |has: fn(&ExtendedFeatures) -> bool| more.as_ref().is_some_and(has);
    let sets = [
        ("sse4.2", cfg!(target_feature = "sse4.2"), basic(FeatureInfo::has_sse42)),
        ("popcnt", cfg!(target_feature = "popcnt"), basic(FeatureInfo::has_popcnt)),
        ("avx", cfg!(target_feature = "avx"), basic(FeatureInfo::has_avx)),
        ("fma", cfg!(target_feature = "fma"), basic(FeatureInfo::has_fma)),
        ("movbe", cfg!(target_feature = "movbe"), basic(FeatureInfo::has_movbe)),
        ("lzcnt", cfg!(target_feature = "lzcnt"), further(ExtendedProcessorFeatureIdentifiers::has_lzcnt)),
        ("bmi1", cfg!(target_feature = "bmi1"), more(ExtendedFeatures::has_bmi1)),
        ("bmi2", cfg!(target_feature = "bmi2"), more(ExtendedFeatures::has_bmi2)),
        ("avx2", cfg!(target_feature = "avx2"), more(ExtendedFeatures::has_avx2)),
        ("gfni", cfg!(target_feature = "gfni"), more(ExtendedFeatures::has_gfni)),
        ("avx512f", cfg!(target_feature = "avx512f"), more(ExtendedFeatures::has_avx512f)),
        ("avx512cd", cfg!(target_feature = "avx512cd"), more(ExtendedFeatures::has_avx512cd)),
        ("avx512bw", cfg!(target_feature = "avx512bw"), more(ExtendedFeatures::has_avx512bw)),
        ("avx512dq", cfg!(target_feature = "avx512dq"), more(ExtendedFeatures::has_avx512dq)),
        ("avx512vl", cfg!(target_feature = "avx512vl"), more(ExtendedFeatures::has_avx512vl)),
        ("avx512vbmi", cfg!(target_feature = "avx512vbmi"), more(ExtendedFeatures::has_avx512vbmi)),
        ("avx512vbmi2", cfg!(target_feature = "avx512vbmi2"), more(ExtendedFeatures::has_avx512vbmi2)),
        ("avx512bitalg", cfg!(target_feature = "avx512bitalg"), more(ExtendedFeatures::has_avx512bitalg)),
        (
            "avx512vpopcntdq",
            cfg!(target_feature = "avx512vpopcntdq"),
            more(ExtendedFeatures::has_avx512vpopcntdq),
        ),
    ];
    sets.into_iter().find(|&(_, built_with, present)| built_with && !present).map(|(name, ..)| name)
}

/// Only x86-64 processors are asked; elsewhere a foreign build ends as the system has it.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn missing_instructions() -> Option<&'static str> {
    None
}
