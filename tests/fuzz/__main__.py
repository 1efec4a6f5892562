"""`make fuzz`: each target for its share of the time, in a process of its own. Exit code 1 when one failed.

New inputs go to a temporary folder; one that broke something is printed, and belongs into `corpus/`.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

TARGETS = ("line", "request", "outline")
CORPUS = Path(__file__).parent / "corpus"
INPUT_BYTES = 4096
HANG_S = 10
QUIET = ("-verbosity=0", "-print_final_stats=1")


def main() -> int:
    """Runs the targets asked for, or is one of them."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("only", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)}")
    parser.add_argument("--seconds", type=int, default=300, help="for all targets together")
    parser.add_argument("--child", choices=TARGETS, help=argparse.SUPPRESS)
    options, rest = parser.parse_known_args()
    if options.child:
        return fuzz(options.child, rest)
    names = options.only or list(TARGETS)
    return max(run(name, max(1, options.seconds // len(names))) for name in names)


def run(name: str, seconds: int) -> int:
    """One target in a process of its own: the fuzzer ends its process with the first fault."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        limits = [f"-max_total_time={seconds}", f"-max_len={INPUT_BYTES}", f"-timeout={HANG_S}"]
        places = [f"-artifact_prefix={folder}/fault-", folder, str(CORPUS / name)]
        done = subprocess.run(
            [sys.executable, "-m", "fuzz", "--child", name, *QUIET, *limits, *places],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        told = {key: value for key, _, value in (one.partition(": ") for one in done.stderr.splitlines())}
        print(f"{name}: {told.get('stat::number_of_executed_units', '?').strip()} inputs in {seconds} s")
        for fault in sorted(Path(folder).glob("fault-*")):
            print(f"  broken by {fault.read_bytes()!r}\n{done.stderr[-3000:]}")
        if done.returncode and "?" in told.get("stat::number_of_executed_units", "?"):
            print(done.stderr[-3000:])
    return int(done.returncode != 0)


def fuzz(name: str, arguments: list[str]) -> int:
    """Hands the process over to the fuzzer."""
    import atheris  # installed by `make fuzz` alone

    with atheris.instrument_imports(include=["navlog.schemas", "navlog.daemon.extract"]):
        from fuzz import targets
    atheris.Setup([sys.argv[0], *arguments], targets.TARGETS[name])
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
