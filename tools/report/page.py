#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes one self-contained HTML page of what tools/bench measured.

usage: page.py RESULTS.jsonl OUT.html
  RESULTS  lines of JSON: {"bench": NAME} begins a chapter; rows have name, unit, ours, low, high and,
           beside a peer, peer and ratio, and a goal where there is one; curves have curve, ours, peer;
           plots have plot, x, unit and lines, each with its name and points
"""
import html
import json
import math
import os
import sys
import time

TITLES = {
    "video": "Encode and decode: beside libx264, libaom, libavcodec and libdav1d called directly",
    "transfer": "Copies: beside memcpy and memset",
    "compute": "Compute: beside lavapipe and native C",
    "scaling": "Scaling over sessions and cores (dotted: twice the cores, twice the work)",
    "cores": "Small work, many threads, sessions and processes: what they cost each other",
    "quality": "Quality: beside the command lines of x264, aomenc and SVT-AV1",
}
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 62em; padding: 0 1em;
       color: #1d2430; background: #fff; }
h1 { font-size: 1.7em; } h2 { margin-top: 2.2em; border-bottom: 1px solid #d5dae2; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .25em .6em; text-align: right; border-bottom: 1px solid #e8ebf0; }
th:first-child, td:first-child { text-align: left; }
.met { color: #1a7f37; } .missed { color: #b42318; font-weight: 600; }
.value { paint-order: stroke; stroke: #fff; stroke-width: 4px; }
.plots { display: flex; flex-wrap: wrap; gap: 1.5em; } figure { margin: 1em 0; }
figcaption { font-size: .9em; color: #56606e; } .note { color: #56606e; }
"""
OURS, PEER, GRID = "#0b62c4", "#c4620b", "#e0e4ea"
MORE = ("#1a7f37", "#7a3fb0")


def escape(text):
    return html.escape(str(text))


def number(value):
    return f"{value:.3g}" if abs(value) < 100 else f"{value:.0f}"


def cpu_name():
    with open("/proc/cpuinfo") as file:
        for line in file:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return "an unnamed CPU"


def read(path):
    """Chapters as (name, rows, curves, plots)."""
    chapters = []
    with open(path) as file:
        for line in file:
            try:
                entry = json.loads(line)
            except ValueError:
                continue  # what a program says besides
            if "bench" in entry:
                chapters.append((entry["bench"], [], [], []))
            elif chapters:
                chapters[-1][2 if "curve" in entry else 3 if "plot" in entry else 1].append(entry)
    return chapters


def verdict(row):
    if not row.get("goal"):
        return ""
    value = row["ratio"] or row["ours"]
    name = "met" if value <= row["goal"] else "missed"
    return f'<span class="{name}">&le; {number(row["goal"])}</span>'


def table(rows):
    if not rows:
        return ""
    if any("psnr" in row for row in rows):
        body = "".join(f"<tr><td>{escape(r['name'])}<td>{r['psnr']:+.2f} %<td>{r['ssim']:+.2f} %"
                       for r in rows)
        return ("<table><tr><th>more bits for the same quality<th>PSNR of luma<th>SSIM" + body +
                "</table>")
    body = ""
    for row in rows:
        peer = f"{number(row['peer'])} {row['unit']}" if row["peer"] else ""
        ratio = f"{row['ratio']:.3f}" if row["ratio"] else ""
        body += (f"<tr><td>{escape(row['name'])}<td>{number(row['ours'])} {row['unit']}"
                 f"<td>{number(row['low'])}&hellip;{number(row['high'])}<td>{peer}<td>{ratio}"
                 f"<td>{verdict(row)}")
    return ("<table><tr><th><th>ours, median<th>quartiles<th>peer<th>ours / peer<th>goal" + body +
            "</table>")


def bars(rows):
    """Ratios as bars; the line is the peer."""
    rows = [row for row in rows if row.get("ratio")]
    if not rows:
        return ""
    width, left, step = 860, 380, 20
    high = max(1.25, max(row["ratio"] for row in rows) * 1.05)
    high = min(high, 3.0)
    scale = (width - left - 60) / high
    height = step * len(rows) + 30
    out = [f'<svg viewBox="0 0 {width} {height}" width="100%" role="img">']
    x = left + scale
    out.append(f'<text x="{x:.1f}" y="{height - 6}" font-size="12" text-anchor="middle" '
               f'fill="{PEER}">peer = 1</text>')
    for i, row in enumerate(rows):
        y = i * step + 4
        length = min(row["ratio"], high) * scale
        out.append(f'<text x="{left - 8}" y="{y + 12}" font-size="12" text-anchor="end">'
                   f'{escape(row["name"])}</text>'
                   f'<rect x="{left}" y="{y}" width="{length:.1f}" height="14" fill="{OURS}"/>'
                   f'<text x="{left + length + 5:.1f}" y="{y + 12}" font-size="12" class="value">'
                   f'{row["ratio"]:.2f}</text>')
    out.append(f'<line x1="{x:.1f}" y1="0" x2="{x:.1f}" y2="{height - 22}" stroke="{PEER}" '
               f'stroke-width="2" stroke-opacity="0.6"/></svg>')
    return "<figure>" + "".join(out) + "<figcaption>Time, ours / peer: shorter is faster." \
        "</figcaption></figure>"


def rd_plot(curve):
    """PSNR of luma over kbit/s."""
    width, height, left, bottom = 420, 300, 46, 34
    points = curve["ours"] + curve["peer"]
    x_high = max(p[0] for p in points) * 1.05
    y_low, y_high = min(p[1] for p in points) - 1, max(p[1] for p in points) + 1

    def place(point):
        x = left + point[0] / x_high * (width - left - 24)
        y = (height - bottom) - (point[1] - y_low) / (y_high - y_low) * (height - bottom - 10)
        return x, y

    out = [f'<svg viewBox="0 0 {width} {height}" width="{width}" role="img">']
    for i in range(6):
        db = y_low + (y_high - y_low) * i / 5
        y = place((0, db))[1]
        out.append(f'<line x1="{left}" x2="{width - 24}" y1="{y:.1f}" y2="{y:.1f}" '
                   f'stroke="{GRID}"/><text x="{left - 5}" y="{y + 4:.1f}" font-size="11" '
                   f'text-anchor="end">{db:.0f}</text>')
        x = left + (width - left - 24) * i / 5
        out.append(f'<text x="{x:.1f}" y="{height - 16}" font-size="11" text-anchor="middle">'
                   f'{x_high * i / 5:.0f}</text>')
    out.append(f'<text x="{width / 2}" y="{height - 2}" font-size="11" text-anchor="middle">kbit/s'
               f'</text><text x="4" y="10" font-size="11">dB</text>')
    for name, colour, dash in (("peer", PEER, "5 4"), ("ours", OURS, "")):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(place, sorted(curve[name])))
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2" '
                   f'stroke-dasharray="{dash}"/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>'
                for x, y in map(place, curve[name])]
    out.append("</svg>")
    return (f'<figure>{"".join(out)}<figcaption>{escape(curve["curve"])}: '
            f'<span style="color:{OURS}">ours</span>, <span style="color:{PEER}">x264</span>'
            "</figcaption></figure>")


def round_step(high, count):
    """A distance of 1, 2 or 5 times a power of ten, of which count reach high."""
    power = 10 ** math.floor(math.log10(high / count))
    return next(power * n for n in (1, 2, 5, 10) if power * n * count >= high)


def line_plot(plot):
    """What gets done over a number of things, doubling; dotted: as many times as much."""
    width, height, left, top, bottom = 420, 300, 52, 22, 38
    colours = (OURS, PEER) + MORE
    points = [p for line in plot["lines"] for p in line["points"]]
    x_high = max(p[0] for p in points)
    step = round_step(max(p[1] for p in points) * 1.02, 5)
    y_high = 5 * step

    def place(point):
        x = math.log2(point[0]) / (math.log2(x_high) or 1)
        return (left + 16 + x * (width - left - 40),
                (height - bottom) - point[1] / y_high * (height - bottom - top))

    out = [f'<svg viewBox="0 0 {width} {height}" width="{width}" role="img">']
    for i in range(6):
        y = place((1, i * step))[1]
        out.append(f'<line x1="{left}" x2="{width - 8}" y1="{y:.1f}" y2="{y:.1f}" stroke="{GRID}"/>'
                   f'<text x="{left - 5}" y="{y + 4:.1f}" font-size="11" text-anchor="end">'
                   f'{number(i * step)}</text>')
    for x, _ in plot["lines"][0]["points"]:
        out.append(f'<text x="{place((x, 0))[0]:.1f}" y="{height - 18}" font-size="11" '
                   f'text-anchor="middle">{x}</text>')
    out.append(f'<text x="{width / 2}" y="{height - 3}" font-size="11" text-anchor="middle">'
               f'{escape(plot["x"])}</text><text x="4" y="10" font-size="11">'
               f'{escape(plot["unit"])}</text>')
    if plot["x"] == "cores" and plot["unit"].endswith("/s") and x_high > 1:
        one = plot["lines"][0]["points"][0][1]
        ideal = [place((x, one * x)) for i in range(65)
                 if one * (x := x_high ** (i / 64)) <= y_high]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in ideal)
        out.append(f'<polyline points="{path}" fill="none" stroke="#9aa3af" '
                   f'stroke-dasharray="1 4" stroke-width="1.5"/>')
    for line, colour in zip(plot["lines"], colours):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(place, line["points"]))
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2" '
                   f'stroke-dasharray="{"5 4" if colour == PEER else ""}"/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>'
                for x, y in map(place, line["points"])]
    names = ", ".join(f'<span style="color:{colour}">{escape(line["name"])}</span>'
                      for line, colour in zip(plot["lines"], colours))
    return (f'<figure style="width:{width}px">{"".join(out)}</svg><figcaption>'
            f'{escape(plot["plot"])}: {names}</figcaption></figure>')


def chapter(name, rows, curves, lines):
    plots = "".join(map(rd_plot, curves)) + "".join(map(line_plot, lines))
    return (f"<h2>{escape(TITLES.get(name, name))}</h2>" + bars(rows) +
            (f'<div class="plots">{plots}</div>' if plots else "") + table(rows))


def main():
    results, out = sys.argv[1:]
    body = "".join(chapter(*entry) for entry in read(results))
    date = time.strftime("%Y-%m-%d %H:%M")
    with open(out, "w") as file:
        file.write(f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Reelpipe, measured</title><style>{STYLE}</style>
<h1>Reelpipe, measured</h1>
<p class="note">{escape(cpu_name())}, {os.cpu_count()} cores, {date}. Each row alternates with its
peer in one run on this machine; medians with their quartiles. Made by tools/bench.</p>
{body}
</html>
""")


if __name__ == "__main__":
    main()
