# SPDX-License-Identifier: MIT
"""What the pages of reelpipe-report are made of: text, tables, numbers."""
import html

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 78em; padding: 0 1em;
       color: #1d2430; background: #fff; }
h1 { font-size: 1.7em; } h2 { margin-top: 2.2em; border-bottom: 1px solid #d5dae2; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: .6em 0 1.2em; }
th, td { padding: .2em .6em; text-align: right; border-bottom: 1px solid #e8ebf0; }
th:first-child, td:first-child { text-align: left; }
pre, code { font: 13px/1.45 ui-monospace, monospace; } pre { background: #f5f7fa; padding: .7em; }
.source td { padding: 0 .7em; border: 0; } .source td:last-child { text-align: left;
       white-space: pre; font: 13px/1.45 ui-monospace, monospace; }
.note { color: #56606e; } .better { color: #1a7f37; } .worse { color: #b42318; }
li { margin: .4em 0; }
"""


def escape(value):
    return html.escape(str(value))


def table(head, rows, name=""):
    cells = "".join(f"<th>{escape(h)}</th>" for h in head)
    body = "".join("<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>\n" for row in rows)
    return f'<table class="{name}">\n<tr>{cells}</tr>\n{body}</table>\n'


def percent(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else ""


def share(part, whole):
    return f"{part / whole:.4g}" if whole else "undefined"


def milliseconds(ns):
    return f"{ns / 1e6:.3f}"
