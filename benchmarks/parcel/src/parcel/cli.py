"""The command line."""

import argparse


def build_parser():
    parser = argparse.ArgumentParser(prog="parcel")
    parser.add_argument("--verbose", action="store_true", help="Say more.")
    commands = parser.add_subparsers(dest="command")
    track = commands.add_parser("track", help="Follow one parcel.")
    track.add_argument("number")
    track.add_argument("--format", choices=["text", "json", "csv"], default="text", help="How to print it.")
    track.add_argument("--interval", type=int, default=60, help="Seconds between two looks (default: 60).")
    listing = commands.add_parser("list", help="List parcels.")
    listing.add_argument("--limit", type=int, default=20, help="At most so many.")
    listing.add_argument("--since", default=None, help="Only those handed in since then.")
    serve = commands.add_parser("serve", help="Answer over HTTP.")
    serve.add_argument("--port", type=int, default=8080)
    return parser


def main():
    build_parser().parse_args()
