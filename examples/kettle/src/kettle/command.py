"""The `kettle` command."""

import argparse

from kettle.heating import heat


def main() -> None:
    parser = argparse.ArgumentParser("kettle")
    parser.add_argument("--target", type=int, default=100, help="the temperature to stop at")
    parser.add_argument("--timeout", type=int, default=240, help="seconds until it gives up")
    arguments = parser.parse_args()
    heat(arguments.target, arguments.timeout)
