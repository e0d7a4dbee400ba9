#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rate-distortion of the driver's encoders beside the command lines of x264, aomenc and SVT-AV1.

usage: quality.py CLIENT CLIP.y4m [x264 | aomenc | svt-av1] [LEVEL...]
  CLIENT   the path of reelpipe-encode
  x264     (default) encodes H.264, aomenc and svt-av1 AV1
  LEVEL    quality levels (default: 0 2 5, of AV1 0 3); x264 has a preset, aomenc a speed for each;
           SVT-AV1 has preset 12 for all

Both encode the clip at four constant quantizers and at four bit rates, variable and constant, with a
buffer of one second: IDR and P pictures (key and inter frames), no lookahead, no psychovisual tuning,
which is what the application's decisions leave to an encoder of single pictures. x264 has one
reference, as ours; the real-time mode of aomenc and the low-delay one of SVT-AV1 have more: they
cannot be told. Rates that the device does not have are left out. Prints the BD-rates (Bjontegaard:
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
MODES = ("constant QP", "VBR", "CBR")
GOP = 60
BEST_DB = 100  # of pictures without an error


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{command[0]} failed: {result.stderr[-2000:]}")
    return result.stderr


def client_options(mode, value):
    return {"constant QP": ["--qp", str(value)], "VBR": ["--vbr", f"{value}:{2 * value}"],
            "CBR": ["--cbr", str(value)]}[mode]


def encode_ours(client, clip, out, options):
    run(client, "--device", "Reelpipe", "-i", clip, "-o", out, "--gop", str(GOP), "--in-flight", "1",
        *options)


def encode_x264(clip, out, level, mode, value):
    if mode == "constant QP":
        options = ["--qp", str(value), "--ipratio", "1"]
    else:
        max_rate = 2 * value if mode == "VBR" else value
        options = ["--bitrate", str(value), "--vbv-maxrate", str(max_rate), "--vbv-bufsize",
                   str(value), "--vbv-init", "0.75"]
    run("x264", "--quiet", "--preset", PRESETS[level], "--tune", "zerolatency", "--threads", "1",
        "--no-sliced-threads", "--keyint", str(GOP), "--min-keyint", str(GOP), "--no-scenecut",
        "--bframes", "0", "--ref", "1", "--weightp", "0", "--no-mbtree", "--rc-lookahead", "0",
        "--no-psy", "--deblock", "0:0", *options, "-o", out, clip)


def encode_aomenc(clip, out, level, mode, value):
    if mode == "constant QP":
        q = str(value // 4)  # of 0 to 63
        options = ["--end-usage=q", f"--cq-level={q}", f"--min-q={q}", f"--max-q={q}"]
    else:
        options = [f"--end-usage={mode.lower()}", f"--target-bitrate={value}", "--buf-sz=1000",
                   "--buf-initial-sz=750", "--buf-optimal-sz=750"]
    run("aomenc", "--quiet", "--disable-warning-prompt", "--rt", "--passes=1", f"--cpu-used={10 - level}", "--threads=1",
        "--lag-in-frames=0", "--sb-size=64", "--aq-mode=0", "--deltaq-mode=0", f"--kf-min-dist={GOP}",
        f"--kf-max-dist={GOP}", "--enable-palette=0", "--enable-global-motion=0",
        "--enable-warped-motion=0", "--enable-obmc=0", "--enable-restoration=0", *options, "--ivf",
        "-o", out, clip)


def encode_svt(clip, out, level, mode, value):
    if mode == "constant QP":
        options = ["--rc", "0", "--aq-mode", "0", "--qp", str(value // 4)]
    else:
        options = ["--rc", "2", "--tbr", str(value)]
    run("SvtAv1EncApp", "--progress", "0", "--preset", "12", "--pred-struct", "1", "--lp", "1",
        "--keyint", str(GOP), "--scm", "0", "--enable-tf", "0", "--scd", "0", *options, "-b", out, "-i",
        clip)


class Peer:
    """Beside whom: name of a level, its encoder, levels, quantizers, options and suffix of ours."""

    def __init__(self, name_of, encode, levels, quantizers, options_of, suffix, modes=MODES):
        self.name_of, self.encode, self.levels, self.quantizers = name_of, encode, levels, quantizers
        self.options_of, self.suffix, self.modes = options_of, suffix, modes


def h264_options(level):
    return ["--quality", str(level), *(["--cavlc"] if level == 0 else [])]


def av1_options(level):
    return ["--quality", str(level)]


PEERS = {
    "x264": Peer(lambda level: PRESETS[level], encode_x264, [0, 2, 5], [22, 27, 32, 37], h264_options,
                 "h264"),
    "aomenc": Peer(lambda level: f"AV1, speed {10 - level}", encode_aomenc, [0, 3],
                   [80, 120, 160, 200], av1_options, "ivf"),
    "svt-av1": Peer(lambda level: f"AV1, speed {10 - level} (SVT-AV1: preset 12)", encode_svt, [0, 3],
                    [80, 120, 160, 200], av1_options, "ivf",
                    ("constant QP", "CBR")),  # a low delay goes with no other rate
}


def has_mode(client, clip, out, options):
    """Whether the device has the rate control."""
    return subprocess.run([client, "--device", "Reelpipe", "-i", clip, "-o", out, "--frames", "1",
                           *options], capture_output=True, check=False).returncode == 0


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


def values_of(peer, mode):
    return peer.quantizers if mode == "constant QP" else KBPS


def curves_of(client, clip, peer, level, mode, seconds, folder):
    ours, others = [], []
    out = os.path.join(folder, f"out.{peer.suffix}")
    for value in values_of(peer, mode):
        encode_ours(client, clip, out, peer.options_of(level) + client_options(mode, value))
        ours.append(measure(out, clip, seconds))
        peer.encode(clip, out, level, mode, value)
        others.append(measure(out, clip, seconds))
    return ours, others


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
    client, clip, *rest = sys.argv[1:]
    peer = PEERS[rest.pop(0) if rest and rest[0] in PEERS else "x264"]
    seconds = seconds_of(clip)
    with tempfile.TemporaryDirectory() as folder:
        for level in [int(text) for text in rest] or peer.levels:
            for mode in peer.modes:
                options = peer.options_of(level) + client_options(mode, values_of(peer, mode)[0])
                if has_mode(client, clip, os.path.join(folder, f"try.{peer.suffix}"), options):
                    ours, others = curves_of(client, clip, peer, level, mode, seconds, folder)
                    report(f"{peer.name_of(level)}, {mode}", ours, others)


if __name__ == "__main__":
    main()
