# SPDX-License-Identifier: MIT
"""Bodies of the commands that the driver does not implement."""

# What the headers of window systems call their types; we include none of them.
WINDOW_SYSTEM_VALUES = {
    'VisualID': 'unsigned long',
    'RROutput': 'unsigned long',
    'xcb_visualid_t': 'uint32_t',
}
WINDOW_SYSTEM_POINTERS = ['Display', 'xcb_connection_t', 'wl_display', 'ubm_device', 'IDirectFB',
                          '_screen_window']


def declare_parameter(param):
    """The C declaration; a window system's types as what they are on Linux."""
    if param.type in WINDOW_SYSTEM_POINTERS:
        return 'void *%s' % param.name
    if param.type in WINDOW_SYSTEM_VALUES:
        return '%s %s' % (WINDOW_SYSTEM_VALUES[param.type], param.name)
    return param.decl


def is_output(param):
    return param.pointers == 1 and not param.is_const and \
        param.type not in ('void', 'VkAllocationCallbacks', 'VkBaseOutStructure') and \
        param.type not in WINDOW_SYSTEM_POINTERS


def failing_body(registry, command):
    """Fails, and leaves nothing undefined behind."""
    out = []
    for p in command.params:
        if not is_output(p):
            continue
        category = registry.type_category.get(p.type)
        struct = registry.structs.get(p.type)
        if category == 'handle' and p.len:
            counts = [c for c in command.params if c.name == p.len and c.pointers]
            if counts:
                continue  # the count becomes 0
            out.append('    for (uint32_t i = 0; i < %s; i++)' % p.len)
            out.append('        %s[i] = VK_NULL_HANDLE;' % p.name)
        elif category == 'handle':
            out.append('    *%s = VK_NULL_HANDLE;' % p.name)
        elif not p.len and (struct is None or struct.stype is None) and \
                not p.name.endswith('Size'):
            out.append('    memset(%s, 0, sizeof(*%s));' % (p.name, p.name))
    if command.result == 'VkResult':
        out.append('    return VK_ERROR_FEATURE_NOT_PRESENT;')
    elif command.result != 'void':
        out.append('    return 0;')
    return out


def empty_body(registry, command):
    """Answers that there is none: an empty list, zeros, false. What would make or take something
    fails."""
    out = []
    for p in command.params:
        if not is_output(p) or p.len:
            continue  # of an array the count says that it is empty
        struct = registry.structs.get(p.type)
        if struct is not None and struct.stype is not None:
            out.append('    memset((VkBaseOutStructure *)%s + 1, 0, '
                       'sizeof(*%s) - sizeof(VkBaseOutStructure));' % (p.name, p.name))
        else:
            out.append('    memset(%s, 0, sizeof(*%s));' % (p.name, p.name))
    if command.result == 'VkResult':
        is_query = command.name.startswith(('vkGet', 'vkEnumerate'))
        out.append('    return %s;' % ('VK_SUCCESS' if is_query
                                       else 'VK_ERROR_INITIALIZATION_FAILED'))
    elif command.result != 'void':
        out.append('    return 0;')
    return out
