#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""shuffle.py POLICY COUNT FOLDER: writes COUNT files that say the same in another order, from a fixed seed.

Keys of mappings and items of sets change places; the words of `exact` keep their order, and lists that an acceptance
of a warning points into by number stay as they are. The files are in YAML's flow form."""
import json
import random
import sys

import yaml


def kept(tree):
    """Names of keys whose lists are pointed into by number."""
    names = {"exact"}
    for acceptance in (tree["spec"].get("accept") or []):
        names |= {part.split("[")[0] for part in acceptance["at"].split(".") if "[" in part}
    return names


def shuffled(node, keep, rng):
    if isinstance(node, dict):
        keys = list(node)
        rng.shuffle(keys)
        return {key: (shuffled_items(node[key], keep, rng) if key in keep else shuffled(node[key], keep, rng)) for key in keys}
    if isinstance(node, list):
        items = [shuffled(item, keep, rng) for item in node]
        rng.shuffle(items)
        return items
    return node


def shuffled_items(node, keep, rng):
    return [shuffled(item, keep, rng) for item in node] if isinstance(node, list) else shuffled(node, keep, rng)


def main():
    policy, count, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    with open(policy, encoding="ascii") as file:
        tree = yaml.load(file, Loader=yaml.BaseLoader)  # every scalar a word, as the policy language has it
    rng = random.Random(20261130)
    keep = kept(tree)
    for number in range(count):
        with open(f"{folder}/{number:03}.yaml", "w", encoding="ascii") as file:
            json.dump(shuffled(tree, keep, rng), file)
            file.write("\n")


main()
