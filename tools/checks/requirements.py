#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the registry requires of a device that lists these extensions and features (Vulkan,
"Feature Requirements"), with and without each codec.

usage: requirements.py REPOSITORY REGISTRY_FOLDER

Prints one line per extension or feature that is missing and exits with 1 if there is one.
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "gen"))
from registry import Registry, is_vulkan, read_list  # noqa: E402

# "All Vulkan graphics implementations must support ...": these mean nothing without graphics.
GRAPHICS_ALONE = {
    "multiview", "imagelessFramebuffer", "dynamicRendering", "dynamicRenderingLocalRead",
    "fullDrawIndexUint32", "independentBlend", "sampleRateShading", "drawIndirectFirstInstance",
    "depthClamp", "depthBiasClamp", "fragmentStoresAndAtomics", "largePoints", "bresenhamLines",
    "vertexAttributeInstanceRateDivisor", "indexTypeUint8",
}

# The words of icd/conditions.h that hold together.
BUILDS = ({"always"}, {"always", "video", "encode"}, {"always", "video", "decode"},
          {"always", "video", "encode", "decode"})


def holds(expression, names):
    """Of names joined by + (and) and , (or), which bind alike, from left to right."""
    tokens = re.findall(r"[()+,]|[^()+,\s]+", expression)

    def term():
        token = tokens.pop(0)
        if token != "(":
            return token.split("::")[-1] in names
        value = chain()
        tokens.pop(0)
        return value

    def chain():
        value = term()
        while tokens and tokens[0] != ")":
            operator, right = tokens.pop(0), term()
            value = value and right if operator == "+" else value or right
        return value

    return chain()


def missing(registry, extensions, features):
    """What is not there though a core version or one of the extensions asks for it."""
    versions = {f.get("name") for f in registry.vk.findall("feature") if is_vulkan(f)}
    names = versions | extensions | features
    blocks = registry.vk.findall("feature") + registry.vk.findall("extensions/extension")
    for block in (b for b in blocks if b.get("name") in versions | extensions):
        depends = block.get("depends")
        if depends and not holds(depends, names):
            yield f"{block.get('name')} depends on {depends}"
        for require in block.findall("require"):
            if not is_vulkan(require) or not holds(require.get("depends", block.get("name")), names):
                continue
            for feature in require.findall("feature"):
                choice = set(feature.get("name").split(","))
                if not choice & (features | GRAPHICS_ALONE):
                    yield (f"{block.get('name')} requires {feature.get('name')}"
                           f" ({require.get('depends', 'always')})")


def main():
    root = pathlib.Path(sys.argv[1])
    registry = Registry(sys.argv[2])
    lists = [[(row + ["always"])[:2] for row in read_list(root / "icd" / f"{kind}.txt")]
             for kind in ("extensions", "features")]
    findings = set()
    for build in BUILDS:
        extensions, features = ({name for name, condition in rows if condition in build}
                                for rows in lists)
        findings |= set(missing(registry, extensions, features))
    print("\n".join(sorted(findings)))
    sys.exit(1 if findings else 0)


main()
