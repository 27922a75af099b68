#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""compile.py BULKHEAD LARGE: what compiling large policies takes. Figures, no verdict."""
import json
import os
import subprocess
import sys
import tempfile
import time

KINDS = {"a": "files", "b": "trees", "c": "patterns among files", "d": "32 tools", "e": "prohibitions"}


def compiled(bulkhead, path):
    """The command's JSON, its seconds and its peak memory in MiB."""
    out, into = os.pipe()
    began = time.monotonic()
    child = os.fork()
    if not child:
        os.dup2(into, 1)
        os.execv(bulkhead, [bulkhead, "compile", "--json", "--stats", path])
    os.close(into)
    with os.fdopen(out) as file:
        text = file.read()
    _, status, usage = os.wait4(child, 0)
    if status:
        sys.exit(f"{path}: status {status}: {text[:300]}")
    return json.loads(text), time.monotonic() - began, usage.ru_maxrss / 1024


def main():
    bulkhead, large = sys.argv[1:3]
    print(f"{'policy':<24}{'rules':>8}{'seconds':>10}{'of it tables':>14}{'MiB peak':>10}{'states':>9}{'cells':>9}{'bytes':>12}")
    with tempfile.TemporaryDirectory() as folder:
        for count in (100, 5000, 100000):
            for kind, name in KINDS.items():
                path = f"{folder}/{kind}.yaml"
                with open(path, "wb") as file:
                    subprocess.run([large, kind, str(count)], stdout=file, check=True)
                said, seconds, memory = compiled(bulkhead, path)
                size = said["size"]
                print(f"{name:<24}{size['rules']:>8}{seconds:>10.2f}{said['build_ms'] / 1000:>14.2f}{memory:>10.0f}"
                      f"{size['states']:>9}{size['cells']:>9}{size.get('bytes', 0):>12}", flush=True)


main()
