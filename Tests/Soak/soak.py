"""`make soak`: mixed flows of every provider for ten minutes, half of them with kill -9 and full disks.

Prints the figures, and ends with 1 if a limit is exceeded. `--record` also writes them to
Docs/Reliability.md.
"""

import argparse
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "Tools"))

import phases  # noqa: E402  (it needs the tools of the tests)
import report  # noqa: E402

PAGE = HERE.parents[1] / "Docs/Reliability.md"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--untimed", action="store_true", help="no limits of latency and memory, for debug builds")
    parser.add_argument("--record", action="store_true", help=f"write the figures to {PAGE.name}")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        folder = pathlib.Path(folder)
        steady = phases.run_steady(folder, given.seconds / 2)
        killed = phases.run_with_kills(folder, given.seconds / 2)
    text = report.section(steady, killed, round(given.seconds))
    print(text)
    failures = report.failures(steady, killed, not given.untimed)
    for failure in failures:
        print(f"FAILED: {failure}", file=sys.stderr)
    if given.record and not failures:
        report.replace_section(PAGE, text)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
