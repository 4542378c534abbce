"""Builds the executable that people install: `python3 Distribution/executable.py FILE`.

It is stripped, needs only libc, and has the same bytes for the same commit.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
BUILD = ROOT / ".build"
# The names of the linker, and those of Debian's static libraries where they differ.
LIBRARIES = {
    "uv": "uv_a", "ssl": "ssl", "crypto": "crypto", "sqlite3": "sqlite3", "nghttp2": "nghttp2", "z": "z",
    "stdc++": "stdc++", "gcc_s": "gcc_eh"}
# What is left: parts of glibc, and the kernel's.
ALLOWED = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}


def to_linker(*flags):
    return [word for flag in flags for word in ("-Xlinker", flag)]


# A debug build needs more of Foundation, and names its parts as those of a shared library.
PARTS = to_linker("-l_FoundationCShims", "-l_FoundationCollections", "-lswiftSynchronization")


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, cwd=ROOT, **options)


def output(*command):
    return run(*command, stdout=subprocess.PIPE, text=True).stdout.strip()


def build(path):
    """Compiles, and writes the executable."""
    run("swift", "build", "-c", "release", "--static-swift-stdlib", "--product", "ringfence")
    return link(path, "release")


def link(path, configuration):
    """Writes the executable of what was compiled."""
    objects = BUILD / configuration / "ringfence.product/Objects.LinkFileList"
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        link_static_libraries(pathlib.Path(folder))
        # Not by `swift build`, whose flags come after the system's folders, which have shared libraries.
        run("swiftc", "-static-stdlib", "-emit-executable", "-o", path, f"@{objects}", "-L", folder,
            *(stand_in(folder) if configuration == "release" else PARTS),
            # With fixed addresses, the loader need not correct 87,000 of them at each start (decision 0074).
            "-Xclang-linker", "-no-pie", "-Xclang-linker", "-static-libgcc", "-use-ld=lld",
            *to_linker("-T", HERE / "executable.ld", "--gc-sections", "--icf=all", "--build-id=none", "--strip-all",
                       # SwiftPM gives the function another name, and the linker its usual one.
                       "--no-export-dynamic", "--defsym=main=ringfence_main"))
    needed = set(re.findall(r"NEEDED\s+(\S+)", output("objdump", "-p", path)))
    assert needed <= ALLOWED, f"{path} needs {sorted(needed - ALLOWED)}"
    return path


def stand_in(folder):
    """Compiles what takes Foundation's place."""
    file = f"{folder}/FoundationEssentials.o"
    run("swiftc", "-O", "-wmo", "-parse-as-library", "-module-name", "FoundationEssentials", "-emit-object",
        "-o", file, HERE / "FoundationEssentials.swift")
    return [file]


def link_static_libraries(folder):
    """Fills a folder with only static libraries, so that the linker finds no others."""
    for name, archive in LIBRARIES.items():
        found = pathlib.Path(output("clang", f"-print-file-name=lib{archive}.a"))
        assert found.is_absolute(), f"lib{archive}.a is not installed"
        (folder / f"lib{name}.a").symlink_to(found.resolve())


if __name__ == "__main__":
    build(pathlib.Path(sys.argv[1]).resolve())
