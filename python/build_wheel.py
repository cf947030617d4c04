#!/usr/bin/env python3
"""Builds the wheel in one command: python3 python/build_wheel.py

The wheel for x86-64 holds the extension module once for each level of processors (1: any, 3: AVX2, 4: AVX-512), so that
one file runs everywhere and is fast where it can be. Each is built for itself; this script puts them into one wheel.

On Linux it is linked for old systems (glibc 2.17 of 2012) by zig, which comes from PyPI. The tools, maturin and
ziglang, are installed into a virtual environment in `target/python` unless maturin is found.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
TOOLS = ["maturin>=1.9,<2", "ziglang"]
TARGET_CPU = {1: "x86-64", 3: "x86-64-v3", 4: "x86-64-v4"}
GLIBC = "manylinux_2_17"
#: Of the wheel file: a package index takes no larger ones without being asked.
LARGEST = 60_000_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "target/wheels", help="where the wheel is put")
    parser.add_argument("--levels", default="1,3,4", help="levels of x86-64 processors; 1 is always there")
    parser.add_argument("--profile", default="release", help="profile of Cargo")
    options = parser.parse_args()
    is_x86 = platform.machine().lower() in ("x86_64", "amd64")
    levels = sorted({1, *map(int, options.levels.split(","))}) if is_x86 else [0]
    if unknown := set(levels) - set(TARGET_CPU) - {0}:
        parser.error(f"there is no level {min(unknown)}; there are 1, 3 and 4")
    maturin = find_maturin()
    wheels = {level: build(maturin, level, options.profile) for level in levels}
    wheel = merge(wheels, options.out)
    size = wheel.stat().st_size
    if size > LARGEST:
        sys.exit(f"{wheel} has {size} bytes, more than {LARGEST}")
    print(f"{wheel} ({size / 1e6:.1f} MB)")


def find_maturin() -> Path:
    """maturin of this environment, or of one of its own, made for the purpose."""
    own = Path(sysconfig.get_path("scripts")) / "maturin"
    if own.exists():
        return own
    environment = ROOT / "target/python/tools"
    scripts = environment / ("Scripts" if os.name == "nt" else "bin")
    if not (scripts / "maturin").exists() and not (scripts / "maturin.exe").exists():
        venv.create(environment, with_pip=True)
        subprocess.run([scripts / "python", "-m", "pip", "install", "--quiet", *TOOLS], check=True)
    return scripts / "maturin"


def build(maturin: Path, level: int, profile: str) -> Path:
    """A wheel for processors of one level. Each level has a target directory of its own: other flags, other code."""
    target = ROOT / f"target/python/{level}"
    out = target / "wheels"
    shutil.rmtree(out, ignore_errors=True)
    command = [str(maturin), "build", "--quiet", "--profile", profile, "--target-dir", str(target), "--out", str(out)]
    if sys.platform == "linux":
        command += ["--zig", "--compatibility", GLIBC]
    elif level:
        # With a target the flags are not for what runs while building, which this processor might not run. Zig names one.
        command += ["--target", host_triple()]
    # Set, it replaces the flags of the workspace, which are for this machine's processor.
    flags = f"-C target-cpu={TARGET_CPU[level]}" if level else ""
    environment = {**os.environ, "RUSTFLAGS": flags, "PATH": f"{maturin.parent}{os.pathsep}{os.environ['PATH']}"}
    environment.pop("CARGO_ENCODED_RUSTFLAGS", None)
    subprocess.run(command, cwd=HERE, env=environment, check=True)
    (wheel,) = out.glob("*.whl")
    return wheel


def host_triple() -> str:
    version = subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True).stdout
    return next(line.split()[1] for line in version.splitlines() if line.startswith("host:"))


def merge(wheels: dict[int, Path], out: Path) -> Path:
    """The wheel of the lowest level, with the modules of the others beside its own."""
    base = wheels[min(wheels)]
    out.mkdir(parents=True, exist_ok=True)
    merged = out / base.name
    with zipfile.ZipFile(base) as source:
        files = {info.filename: source.read(info) for info in source.infolist()}
    for level, wheel in wheels.items():
        if wheel != base:
            name, content = native_module(wheel)
            files[name.replace("/_native.", f"/_native_v{level}.")] = content
    record = next(name for name in files if name.endswith(".dist-info/RECORD"))
    del files[record]
    lines = [f"{name},sha256={digest(content)},{len(content)}" for name, content in files.items()]
    files[record] = "\n".join([*lines, f"{record},,", ""]).encode()
    with zipfile.ZipFile(merged, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in files.items():
            # Without the time of the build, so that the same code gives the same bytes.
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.external_attr = 0o644 << 16
            archive.writestr(info, content, zipfile.ZIP_DEFLATED)
    return merged


def native_module(wheel: Path) -> tuple[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.startswith("reversi_oracle/_native.") and is_library(name)]
        return name, archive.read(name)


def is_library(name: str) -> bool:
    return name.endswith((".so", ".pyd"))


def digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    main()
