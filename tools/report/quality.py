#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rate-distortion of the driver's encoder beside the x264 command line.

usage: quality.py CLIENT CLIP.y4m [LEVEL...]
  CLIENT  the path of reelpipe-encode
  LEVEL   quality levels (default: 0 2 5); each has the name of x264's preset

Both encode the clip at four constant QPs and at four bit rates, variable and constant, with a buffer
of one second: IDR and P pictures, one reference, no lookahead, no psychovisual tuning, which is what
the application's decisions leave to an encoder of single pictures. Prints the BD-rates (Bjontegaard:
percent more bits for the same PSNR of luma, or SSIM; negative is better); with BENCH_JSON set, JSON
lines of curves and BD-rates.
"""
import json
import math
import os
import re
import subprocess
import sys
import tempfile

PRESETS = ["ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower"]
KBPS = [400, 800, 1600, 3200]
QPS = [22, 27, 32, 37]
GOP = 60
BEST_DB = 100  # of pictures without an error


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{command[0]} failed: {result.stderr[-2000:]}")
    return result.stderr


def encode_ours(client, clip, out, level, rate):
    name, value = rate
    options = {"QP": ["--qp", str(value)], "VBR": ["--vbr", f"{value}:{2 * value}"],
               "CBR": ["--cbr", str(value)]}[name]
    run(client, "--device", "Reelpipe", "-i", clip, "-o", out, "--gop", str(GOP), "--quality",
        str(level), "--in-flight", "1", *options, *(["--cavlc"] if level == 0 else []))


def encode_x264(clip, out, level, rate):
    name, value = rate
    if name == "QP":
        options = ["--qp", str(value), "--ipratio", "1"]
    else:
        max_rate = 2 * value if name == "VBR" else value
        options = ["--bitrate", str(value), "--vbv-maxrate", str(max_rate), "--vbv-bufsize",
                   str(value), "--vbv-init", "0.75"]
    run("x264", "--quiet", "--preset", PRESETS[level], "--tune", "zerolatency", "--threads", "1",
        "--no-sliced-threads", "--keyint", str(GOP), "--min-keyint", str(GOP), "--no-scenecut",
        "--bframes", "0", "--ref", "1", "--weightp", "0", "--no-mbtree", "--rc-lookahead", "0",
        "--no-psy", "--deblock", "0:0", *options, "-o", out, clip)


def seconds_of(clip):
    rate = run_out("ffprobe", "-v", "error", "-select_streams", "v:0", "-count_packets",
                   "-show_entries", "stream=r_frame_rate,nb_read_packets", "-of", "json", clip)
    stream = json.loads(rate)["streams"][0]
    numerator, denominator = map(int, stream["r_frame_rate"].split("/"))
    return int(stream["nb_read_packets"]) * denominator / numerator


def run_out(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def measure(stream, clip, seconds):
    """kbit/s, PSNR of luma in dB, SSIM in dB."""
    log = run("ffmpeg", "-nostdin", "-v", "info", "-nostats", "-i", stream, "-i", clip,
              "-filter_complex",
              "[0:v]settb=1/1000,setpts=N,split[a][b];[1:v]settb=1/1000,setpts=N,split[c][d];"
              "[a][c]psnr[p];[b][d]ssim[s]", "-map", "[p]", "-f", "null", "-", "-map", "[s]", "-f",
              "null", "-")
    psnr = min(BEST_DB, float(re.search(r"PSNR y:(inf|[0-9.]+)", log)[1]))
    ssim = float(re.search(r"SSIM Y:([0-9.]+)", log)[1])
    ssim_dB = min(BEST_DB, -10 * math.log10(max(1e-10, 1 - ssim)))
    return os.path.getsize(stream) * 8 / 1000 / seconds, psnr, ssim_dB


def polynomial(points):
    """Coefficients, lowest first, of the cubic through four points (Lagrange)."""
    total = [0.0] * 4
    for i, (xi, yi) in enumerate(points):
        factor, basis = yi, [1.0]
        for j, (xj, _) in enumerate(points):
            if i != j:
                factor /= xi - xj
                basis = [a - xj * b for a, b in zip([0.0] + basis, basis + [0.0])]
        total = [t + factor * b for t, b in zip(total, basis)]
    return total


def integral(coefficients, low, high):
    return sum(c / (k + 1) * (high ** (k + 1) - low ** (k + 1)) for k, c in enumerate(coefficients))


def bd_rate(ours, peer, metric):
    """Percent; curves of (kbit/s, PSNR, SSIM) with four points each; metric: 1 or 2. None when the
    curves have no quality in common, or one does not rise."""
    curves = [[(point[metric], math.log(point[0])) for point in curve] for curve in (ours, peer)]
    low = max(min(x for x, _ in curve) for curve in curves)
    high = min(max(x for x, _ in curve) for curve in curves)
    if low >= high or any(a[0] >= b[0] for curve in curves for a, b in zip(*order(curve))):
        return None
    areas = [integral(polynomial(curve), low, high) for curve in curves]
    return 100 * (math.exp((areas[0] - areas[1]) / (high - low)) - 1)


def order(curve):
    """Neighbours in the order of their rates."""
    points = sorted(curve, key=lambda point: point[1])
    return points[:-1], points[1:]


def curves_of(client, clip, level, rates, seconds, folder):
    ours, peer = [], []
    for rate in rates:
        out = os.path.join(folder, "out.h264")
        encode_ours(client, clip, out, level, rate)
        ours.append(measure(out, clip, seconds))
        encode_x264(clip, out, level, rate)
        peer.append(measure(out, clip, seconds))
    return ours, peer


def report(name, ours, peer):
    psnr, ssim = (bd_rate(ours, peer, metric) for metric in (1, 2))
    if "BENCH_JSON" in os.environ:
        print(json.dumps({"curve": name, "ours": ours, "peer": peer}))
        if psnr is not None and ssim is not None:
            row = {"name": name, "unit": "%", "psnr": round(psnr, 3), "ssim": round(ssim, 3)}
            print(json.dumps(row), flush=True)
    else:
        psnr, ssim = ("no common range" if x is None else f"{x:+.2f} %" for x in (psnr, ssim))
        print(f"{name:32} BD-rate: PSNR of luma {psnr}, SSIM {ssim}", flush=True)


def main():
    client, clip, *levels = sys.argv[1:]
    seconds = seconds_of(clip)
    with tempfile.TemporaryDirectory() as folder:
        for level in [int(text) for text in levels] or [0, 2, 5]:
            for mode, rates in (("constant QP", [("QP", value) for value in QPS]),
                                ("VBR", [("VBR", value) for value in KBPS]),
                                ("CBR", [("CBR", value) for value in KBPS])):
                ours, peer = curves_of(client, clip, level, rates, seconds, folder)
                report(f"{PRESETS[level]}, {mode}", ours, peer)


if __name__ == "__main__":
    main()
