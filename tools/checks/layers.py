# SPDX-License-Identifier: MIT
"""The layers of the driver: which folder may use which. Read by sources.py (includes) and by
symbols.py (symbols of the built objects)."""
import pathlib

# Highest first. A folder uses what stands below it; folders of one line do not know each other.
# quirks, capture and profile are called from above them, and from object through structs of
# function pointers.
LAYERS = (
    ("icd/layer",),
    ("icd",),
    ("src/queue",),
    ("src/cmd",),
    ("src/quirks", "src/capture", "src/profile"),
    ("src/object",),
    ("src/video", "src/compute", "src/transfer"),
    ("codecs/*",),
    ("codecs/library", "codecs/planes", "codecs/pool", "codecs/rate"),
    ("src/format",),
    ("src/util",),
    ("src/platform",),
    ("include/reelpipe",),
)

# The layers inside a room, highest first: its folders, files by name, and "." for the other files
# beside the folders.
ROOMS = {
    "src/compute": (
        ("dispatch.c", "kernel.c", "kernel.h", "kernel_save.c", "program_code.c", "slice.c",
         "slice.h", "variants.c", "variants.h", "watch.c", "watch.h"),
        ("spirv",), ("ir",), ("machine",), ("exec",), ("image",), (".",)),
    # The table of standards knows the codecs; the engines and what they share know none.
    "src/video": (
        ("profile.c",), ("standard.c",), ("h264", "h265", "av1", "vp9"), ("encode", "decode"),
        ("rgb",), (".",)),
    "codecs/avcodec": (("stubs.c",), ("h264", "h265", "vp9"), ("library",)),
    "codecs/x264": (
        ("encoder.c", "stubs.c"), ("picture",), ("rate/order.c", "rate/order.h"), ("encoder.h", "pool.c"),
        ("picture/slot.h",), ("rate",), ("picture/content.c", "picture/content.h"),
        ("check.c", "check.h", "context.c"), ("glue",), ("context.h",), ("glue/core.h",)),
    "codecs/rate": (
        ("session.c", "session.h", "turns.c", "turns.h"), ("control.c", "control.h"), ("target.c", "target.h"),
        ("retry.c", "retry.h"), ("law.c",),
        ("mean_constant.c", "mean_variable.c"), ("window.c",), ("mean.c", "mean.h", "recent.c"),
        ("bounds.c", "bounds.h", "laws.h"), ("content.c", "content.h", "virtual_buffer.c"),
        (".",)),
}


def room_of(path):
    """The room that holds a file, as in LAYERS ("codecs/x264" for "codecs/*"), or None."""
    parts = path.split("/")
    for depth in (2, 1):
        folder = "/".join(parts[:depth])
        if len(parts) > depth and rank_of(folder) is not None:
            return folder
    return None


def rank_of(room):
    """How high a room stands: 0 is the lowest."""
    for rank, rooms in enumerate(reversed(LAYERS)):
        if room in rooms:
            return rank
    parent = room.rpartition("/")[0]
    return rank_of(parent + "/*") if parent == "codecs" and not room.endswith("*") else None


def inner_rank(room, path):
    """How high a file stands inside its room, or None where the room has no layers for it."""
    inner = path[len(room) + 1:]
    names = (inner, inner.partition("/")[0] if "/" in inner else ".")
    for name in names:
        for rank, layer in enumerate(reversed(ROOMS.get(room, ()))):
            if name in layer:
                return rank
    return None


def has_place(path):
    """Whether a source of the driver stands somewhere in LAYERS and in the ROOMS of its room; what
    has no place could use everything."""
    room = room_of(path)
    return room is not None and (room not in ROOMS or inner_rank(room, path) is not None)


def gone(root):
    """The names of LAYERS and ROOMS that are not there."""
    names = [room for rooms in LAYERS for room in rooms if not room.endswith("*")]
    names += [f"{room}/{name}" for room, layers in ROOMS.items() for layer in layers
              for name in layer]
    return [name for name in names if not (root / name).exists()]


def goes_up(user, used):
    """Whether the file `user` stands too low, or beside, to use the file `used`."""
    user_room, used_room = room_of(user), room_of(used)
    if user_room is None or used_room is None:
        return False
    if user_room != used_room:
        return rank_of(user_room) <= rank_of(used_room)
    ranks = inner_rank(user_room, user), inner_rank(user_room, used)
    if None in ranks:
        return False
    folders = pathlib.PurePath(user).parent, pathlib.PurePath(used).parent
    return ranks[0] < ranks[1] or (ranks[0] == ranks[1] and folders[0] != folders[1])
