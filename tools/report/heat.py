# SPDX-License-Identifier: MIT
"""Heat maps of a profile (maps.bin): each a small PNG inside of the page, with what its colours mean."""
import base64
import html
import struct
import zlib

TITLES = {
    "instructions": "Instructions of the invocation",
    "efficiency": "E of its warp, by instruction",
    "rounds": "Rounds of loops",
    "sectors": "Sectors that its warp asked for",
    "order": "Order of execution of workgroups",
    "findings": "Findings",
}
STOPS = ((0, (13, 8, 65)), (64, (103, 24, 140)), (128, (196, 59, 96)), (192, (249, 149, 65)),
         (255, (252, 253, 160)))
SLICE_GAP = 1
MAX_SIDE = 380  # pixels of the page
STYLE = """
.maps { display: flex; flex-wrap: wrap; gap: 1.2em; } .maps figure { margin: 0; }
.maps img { image-rendering: pixelated; display: block; border: 1px solid #d5dae2; }
.maps figcaption { font-size: .87em; color: #56606e; max-width: 26em; }
.scale { display: inline-block; width: 6em; height: .7em; margin: 0 .4em; }
"""


def palette():
    colours = []
    for i in range(256):
        k = max(n for n, (at, _) in enumerate(STOPS) if at <= i and n < len(STOPS) - 1)
        (a, low), (b, high) = STOPS[k:k + 2]
        colours.append(tuple(round(l + (h - l) * (i - a) / (b - a)) for l, h in zip(low, high)))
    return colours


PALETTE = palette()


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, rows):
    """Rows of bytes, each an index into PALETTE."""
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    data = b"".join(b"\0" + row for row in rows)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) +
            chunk(b"PLTE", bytes(c for colour in PALETTE for c in colour)) +
            chunk(b"IDAT", zlib.compress(data, 9)) + chunk(b"IEND", b""))


def indices(values, low, high):
    if high <= low:
        return bytes(len(values))
    scale = 255 / (high - low)
    return bytes(int((v - low) * scale + .5) for v in values)


def figure(name, values, size):
    """Slices of z stand below each other."""
    width, height, slices = size
    low, high = (0.0, 1.0) if name == "efficiency" else (min(values), max(values))
    rows = []
    for z in range(slices):
        if z:
            rows += [bytes(width)] * SLICE_GAP
        for y in range(height):
            at = (z * height + y) * width
            rows.append(indices(values[at:at + width], low, high))
    data = base64.b64encode(png(width, len(rows), rows)).decode()
    factor = max(1, min(MAX_SIDE // width, MAX_SIDE // len(rows)))
    mean = sum(values) / len(values)
    title = TITLES.get(name, name)
    bar = ", ".join("rgb({} {} {})".format(*colour) for _, colour in STOPS)
    return (f'<figure id="map-{html.escape(name)}"><img alt="{html.escape(title)}" '
            f'width="{width * factor}" height="{len(rows) * factor}" '
            f'src="data:image/png;base64,{data}">'
            f"<figcaption><b>{html.escape(title)}</b><br>{low:.6g}"
            f'<span class="scale" style="background: linear-gradient(to right, {bar})"></span>{high:.6g}'
            f"; mean {mean:.6g}</figcaption></figure>\n")


def figures(told, data):
    """told: of profile.json; data: maps.bin. ValueError where it lacks what is told."""
    size, extent, names = told["size"], told["extent"], told["names"]
    count = size[0] * size[1] * size[2]
    if count < 1 or min(size) < 1 or told["offset"] < 0:
        raise ValueError("maps without cells")
    page = "<h3>Over the grid</h3>\n"
    page += (f'<p class="note">{extent[0]} x {extent[1]} x {extent[2]} invocations in '
             f"{size[0]} x {size[1]} x {size[2]} cells, x to the right, y downwards"
             + (", slices of z below each other" if size[2] > 1 else "") + ". A cell has the mean of its "
             "invocations. Of the pipeline's dispatches it is the one with the most.</p>\n")
    page += '<div class="maps">\n'
    for i, name in enumerate(names):
        at = told["offset"] + 4 * i * count
        if at + 4 * count > len(data):
            raise ValueError("maps.bin is too short")
        page += figure(name, struct.unpack_from(f"<{count}f", data, at), size)
    return page + "</div>\n"
