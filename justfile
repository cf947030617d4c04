# The usual commands; `just` alone lists them. See CONTRIBUTING.md.

_default:
    @just --list

# Build the program: target/release/reversi
build:
    cargo build --release

# One program for every x86-64 processor, as fast on each as a build for it: dist/reversi (cargo install --locked cargo-multivers)
portable:
    RUSTFLAGS= cargo multivers -p reversi --out-dir dist -- --locked

# All tests, or those whose name holds a word: optimised, with the assertions of debug builds
test *words:
    cargo test --profile checked -- {{words}}

# Format, lint, and build the documentation
check:
    cargo fmt
    cargo clippy --workspace --all-targets -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps

# What must pass before a change is kept, without the long tests
quick:
    .ci/run quick

# Everything that must pass before a change is kept
ci:
    .ci/run

# Build the wheel of the Python package: target/wheels
wheel *arguments:
    python3 python/build_wheel.py {{arguments}}

# Write the golden files anew; read the difference before it is kept
renew-golden:
    REVERSI_RENEW_GOLDEN=1 cargo test --profile checked --test program golden
    git diff --stat tests/data/golden

# Measure: rules, solver, eval or table
bench name="solver":
    cargo bench --bench {{name}}

# Measure the solver and the oracle as users meet them
bench-program *arguments:
    cargo run --release -- bench {{arguments}}

# Fuzz one target: checkpoint, ggf, gtp, nboard, notation, obf, table or weights (nightly, cargo-fuzz)
fuzz target seconds="60":
    mkdir -p fuzz/corpus/{{target}}
    cargo +nightly fuzz run {{target}} fuzz/corpus/{{target}} tests/data/fuzz/{{target}} -- -max_total_time={{seconds}}

# Train the weights of the evaluation again, of all boards or those named: minutes for most, half an hour for 8x8
weights out="target/weights" *boards:
    cargo build --release
    data/train-weights {{out}} {{boards}}

# Make the page of the laboratory again: some minutes, better on a machine with nothing else to do
report:
    cargo run --release -- lab report --out target/report
    cp target/report/report.html target/report/rules-6x6.svg docs/lab/

# The page at http://127.0.0.1:8080, or another port
serve port="8080":
    cargo run --release -- serve --port {{port}}
