#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""PyTorch's operations by its Vulkan backend give what they give on the CPU: each of those that
the backend has is run on tensors of a few shapes and compared, within what floats of 32 bits summed
in another order differ by.

usage: pytorch.py [--time ROUNDS]
  --time   prints for larger tensors how many ms of CPU time an operation takes, with its results'
           way back, instead of comparing

The first Vulkan device is taken: VK_LOADER_DRIVERS_SELECT says which there are. The status is 1
when a result differs.
"""
import argparse
import sys
import time

import torch
import torch.nn.functional as F

ELEMENTWISE = {
    "sigmoid": torch.sigmoid, "tanh": torch.tanh, "hardswish": F.hardswish, "relu": torch.relu,
    "hardsigmoid": F.hardsigmoid, "abs": torch.abs, "exp": torch.exp,
    "gelu": lambda a: F.gelu(a, approximate="tanh"), "leaky_relu": lambda a: F.leaky_relu(a, .1),
    "clamp": lambda a: a.clamp(-.5, .5), "add a number": lambda a: a + 2.5,
    "pow": lambda a: torch.pow(a.abs(), 1.5), "sqrt": lambda a: torch.sqrt(a.abs()),
    "softmax": lambda a: F.softmax(a, 1), "log_softmax": lambda a: F.log_softmax(a, 1),
}
PAIRS = {"add": torch.add, "sub": torch.sub, "mul": torch.mul, "div": torch.div}
SHAPES = [(1, 3, 8, 8), (2, 5, 17, 13), (1, 64, 56, 56), (7, 9), (3, 64, 64)]

torch.manual_seed(1)
r = torch.randn


def w(*shape):
    """Weights: they stay on the CPU, as those of modules do, and the backend packs them."""
    return [r(*shape)]


# Name, function, operands.
OTHERS = [
    ("conv2d 3x3", lambda x, k, b: F.conv2d(x, k, b, padding=1),
     r(1, 16, 32, 32), w(24, 16, 3, 3), w(24)),
    ("conv2d 1x1", F.conv2d, r(1, 32, 28, 28), w(64, 32, 1, 1), w(64)),
    ("conv2d depthwise", lambda x, k, b: F.conv2d(x, k, b, padding=1, groups=16),
     r(1, 16, 32, 32), w(16, 1, 3, 3), w(16)),
    ("conv2d stride 2", lambda x, k, b: F.conv2d(x, k, b, stride=2, padding=2),
     r(1, 3, 65, 63), w(8, 3, 5, 5), w(8)),
    ("conv_transpose2d", lambda x, k, b: F.conv_transpose2d(x, k, b, stride=2),
     r(1, 8, 15, 15), w(8, 6, 3, 3), w(6)),
    ("max_pool2d", lambda a: F.max_pool2d(a, 3, 2), r(1, 8, 33, 33)),
    ("avg_pool2d", lambda a: F.avg_pool2d(a, 3, 2, 1), r(1, 8, 33, 33)),
    ("adaptive_avg_pool2d", lambda a: F.adaptive_avg_pool2d(a, (1, 1)), r(1, 8, 33, 33)),
    ("nearest", lambda a: F.interpolate(a, scale_factor=2, mode="nearest"), r(1, 8, 13, 13)),
    ("bilinear", lambda a: F.interpolate(a, scale_factor=2, mode="bilinear", align_corners=True),
     r(1, 8, 13, 13)),
    ("mm", torch.mm, r(50, 70), w(70, 30)),
    ("addmm", torch.addmm, w(30), r(50, 70), w(70, 30)),
    ("bmm", torch.bmm, r(3, 50, 70), r(3, 70, 30)),
    ("linear", F.linear, r(50, 70), w(30, 70), w(30)),
    ("layer_norm", lambda a, k, b: F.layer_norm(a, [13], k, b), r(2, 5, 17, 13), r(13), r(13)),
    ("cat of channels", lambda a, b: torch.cat([a, b], 1), r(1, 3, 9, 9), r(1, 5, 9, 9)),
    ("cat of rows", lambda a, b: torch.cat([a, b], 2), r(1, 3, 9, 9), r(1, 3, 5, 9)),
    ("stack", lambda a, b: torch.stack([a, b], 0), r(9, 11), r(9, 11)),
    ("permute", lambda a: a.permute(0, 2, 3, 1), r(1, 3, 9, 11)),
    ("transpose", lambda a: a.transpose(1, 2), r(3, 9, 11)),
    ("slice", lambda a: a[:, 1:5, 2:9:2], r(3, 9, 11)),
    ("select", lambda a: a.select(1, 2), r(3, 9, 11)),
    ("reshape", lambda a: a.reshape(9, 33), r(3, 9, 11)),
    ("mean", lambda a: a.mean([2, 3]), r(2, 5, 9, 11)),
    ("sum", lambda a: a.sum([2, 3]), r(2, 5, 9, 11)),
    ("cumsum", lambda a: a.cumsum(1), r(1, 8, 9, 11)),
    ("reflection", lambda a: F.pad(a, (2, 1, 1, 2), mode="reflect"), r(1, 3, 9, 11)),
    ("replication", lambda a: F.pad(a, (2, 1, 1, 2), mode="replicate"), r(1, 3, 9, 11)),
    ("glu", lambda a: F.glu(a, 1), r(1, 8, 9, 11)),
    ("flip", lambda a: torch.flip(a, [2]), r(1, 8, 9, 11)),
    ("repeat", lambda a: a.repeat(1, 2, 2, 1), r(1, 8, 9, 11)),
    ("expand", lambda a: a.expand(2, 8, 9, 11), r(1, 8, 9, 11)),
]
TIMED = [
    ("conv2d 3x3, 64 to 64 of 56x56", lambda x, k, b: F.conv2d(x, k, b, padding=1),
     r(1, 64, 56, 56), w(64, 64, 3, 3), w(64)),
    ("conv2d 1x1, 64 to 128 of 56x56", F.conv2d, r(1, 64, 56, 56), w(128, 64, 1, 1), w(128)),
    ("conv2d 7x7, 3 to 64 of 112x112", lambda x, k, b: F.conv2d(x, k, b, stride=2, padding=3),
     r(1, 3, 224, 224), w(64, 3, 7, 7), w(64)),
    ("conv2d depthwise, 64 of 112x112", lambda x, k, b: F.conv2d(x, k, b, padding=1, groups=64),
     r(1, 64, 112, 112), w(64, 1, 3, 3), w(64)),
    ("conv_transpose2d, 32 of 28x28", lambda x, k, b: F.conv_transpose2d(x, k, b, stride=2),
     r(1, 32, 28, 28), w(32, 32, 3, 3), w(32)),
    ("mm of 512", torch.mm, r(512, 512), w(512, 512)),
    ("bmm, 8 of 128x64", torch.bmm, r(8, 128, 64), r(8, 64, 128)),
    ("linear, 64 of 1024", F.linear, r(64, 1024), w(1024, 1024), w(1024)),
    ("softmax of channels, 64 of 56x56", lambda a: F.softmax(a, 1), r(1, 64, 56, 56)),
    ("avg_pool2d, 64 of 112x112", lambda a: F.avg_pool2d(a, 2), r(1, 64, 112, 112)),
    ("mean, 64 of 56x56", lambda a: a.mean([2, 3]), r(1, 64, 56, 56)),
    ("sum of channels, 64 of 56x56", lambda a: a.sum([1]), r(1, 64, 56, 56)),
    ("bilinear, 32 of 56x56",
     lambda a: F.interpolate(a, scale_factor=2, mode="bilinear", align_corners=True),
     r(1, 32, 56, 56)),
    ("gelu, 64 of 112x112", lambda a: F.gelu(a, approximate="tanh"), r(1, 64, 112, 112)),
    ("add, 64 of 112x112", torch.add, r(1, 64, 112, 112), r(1, 64, 112, 112)),
    ("cat, 32 and 32 of 112x112", lambda a, b: torch.cat([a, b], 1),
     r(1, 32, 112, 112), r(1, 32, 112, 112)),
    ("permute, 32 of 56x56", lambda a: a.permute(0, 2, 3, 1), r(1, 32, 56, 56)),
    ("flip, 32 of 56x56", lambda a: torch.flip(a, [2]), r(1, 32, 56, 56)),
]


def operations():
    for shape in SHAPES:
        for name, function in ELEMENTWISE.items():
            yield f"{name} {shape}", function, r(*shape)
        for name, function in PAIRS.items():
            yield f"{name} {shape}", function, r(*shape), torch.rand(*shape) + .5
    yield from OTHERS


def on_cpu(operand):
    return operand[0] if isinstance(operand, list) else operand


def on_vulkan(operand):
    return operand[0] if isinstance(operand, list) else operand.to("vulkan")


def differs(function, operands):
    """What is wrong with the result; or None."""
    expected = function(*map(on_cpu, operands))
    result = function(*map(on_vulkan, operands)).cpu()
    if result.shape != expected.shape:
        return f"shape {tuple(result.shape)}, not {tuple(expected.shape)}"
    error = (result - expected).abs().max().item()
    limit = 2e-3 * max(1, expected.abs().max().item())
    return None if error <= limit else f"error {error}, more than {limit}"


def compare():
    count = wrong = 0
    for name, function, *operands in operations():
        count += 1
        problem = differs(function, operands)
        if problem:
            wrong += 1
            print(f"{name}: {problem}")
    print(f"{count - wrong} of {count} operations agree")
    return wrong > 0


def time_all(rounds):
    for name, function, *operands in TIMED:
        inputs = [on_vulkan(operand) for operand in operands]
        for warm in (True, False):
            start = time.process_time()
            for _ in range(1 if warm else rounds):
                function(*inputs).cpu()
        print(f"{name}\t{(time.process_time() - start) / rounds * 1e3:.2f} ms", flush=True)
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--time", type=int, metavar="ROUNDS")
    options = parser.parse_args()
    torch.set_num_threads(1)
    if not torch.is_vulkan_available():
        print("PyTorch finds no Vulkan device")
        return 1
    with torch.inference_mode():
        return time_all(options.time) if options.time else compare()


if __name__ == "__main__":
    sys.exit(main())
