//! What this processor can do, and what this binary takes for granted. The package holds the module several times,
//! compiled for different processors, and the baseline chooses among them.

use pyo3::pyfunction;

/// The x86-64 level of this processor (1, 3 or 4); 0 where there are no levels. Level 2 is not told apart from 1.
///
/// The levels are those of the x86-64 psABI: 3 has AVX2, BMI and FMA; 4 has AVX-512 F, BW, CD, DQ and VL.
#[pyfunction]
pub fn cpu_level() -> u32 {
    #[cfg(target_arch = "x86_64")]
    {
        macro_rules! has_all {
            ($($name:tt),*) => { true $(&& std::arch::is_x86_feature_detected!($name))* };
        }
        // Level 3 includes what level 2 has.
        let three = has_all!("popcnt", "ssse3", "sse4.1", "sse4.2", "cmpxchg16b")
            && has_all!("avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "lzcnt", "movbe");
        let four = has_all!("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl");
        match (three, four) {
            (true, true) => 4,
            (true, false) => 3,
            _ => 1,
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    0
}

/// The instruction sets that this binary uses without asking, of those that matter here.
#[pyfunction]
pub fn target_features() -> Vec<&'static str> {
    macro_rules! enabled {
        ($($name:literal),*) => { [$(($name, cfg!(target_feature = $name))),*] };
    }
    let all = enabled!(
        "sse3",
        "ssse3",
        "sse4.1",
        "sse4.2",
        "popcnt",
        "cmpxchg16b",
        "avx",
        "avx2",
        "bmi1",
        "bmi2",
        "fma",
        "lzcnt",
        "movbe",
        "avx512f",
        "avx512bw",
        "avx512cd",
        "avx512dq",
        "avx512vl",
        "gfni"
    );
    all.into_iter().filter_map(|(name, is_enabled)| is_enabled.then_some(name)).collect()
}
