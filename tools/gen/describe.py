#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes rp_struct_json.c and rp_struct_read.c: Vulkan structures as JSON, in both directions.

The first is the driver's (src/util/struct_json.h), for captures; the second is that of
reelpipe-replay (tools/replay/read.h). What they know: all that recorded commands point to, and what
objects are made of. A structure is an object with its members' names as keys; one with sType has
its own name under "type" and its chain, a list, under "pNext". Of a union that has a selector the
selected member is written, as a member "union.member". What has no names that C could use (other
unions, bit fields) is written as its bytes.
"""

import copy
import re
import sys

import pnext
import std_video
from registry import Registry, read_list, write

ROOTS = ['VkBufferCreateInfo', 'VkBufferViewCreateInfo', 'VkImageCreateInfo',
         'VkImageViewCreateInfo', 'VkSamplerCreateInfo', 'VkSamplerYcbcrConversionCreateInfo',
         'VkDescriptorSetLayoutCreateInfo', 'VkPipelineLayoutCreateInfo',
         'VkShaderModuleCreateInfo', 'VkComputePipelineCreateInfo', 'VkShaderCreateInfoEXT',
         'VkMemoryAllocateInfo',
         'VkBindBufferMemoryInfo', 'VkBindImageMemoryInfo', 'VkVideoSessionCreateInfoKHR',
         'VkEventCreateInfo', 'VkSemaphoreCreateInfo', 'VkBindVideoSessionMemoryInfoKHR']

# Beside those of std_video.py: pointers that count only under this condition.
CONCURRENT = 'from->sharingMode == VK_SHARING_MODE_CONCURRENT'
GUARDS = {
    ('VkBufferCreateInfo', 'pQueueFamilyIndices'): CONCURRENT,
    ('VkImageCreateInfo', 'pQueueFamilyIndices'): CONCURRENT,
    ('VkDescriptorSetLayoutBinding', 'pImmutableSamplers'):
        'from->descriptorType == VK_DESCRIPTOR_TYPE_SAMPLER || '
        'from->descriptorType == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER',
}
# What would have another process's memory or files come back, and what is an answer to the caller.
LEFT_OUT = {'VkImportMemoryFdInfoKHR', 'VkImportMemoryHostPointerInfoEXT',
            'VkExportMemoryAllocateInfo', 'VkExternalMemoryBufferCreateInfo',
            'VkExternalMemoryImageCreateInfo', 'VkPipelineCreationFeedbackCreateInfo',
            'VkBindMemoryStatus', 'VkMemoryOpaqueCaptureAddressAllocateInfo',
            'VkBufferOpaqueCaptureAddressCreateInfo', 'VkBufferDeviceAddressCreateInfoEXT',
            'VkOpaqueCaptureDataCreateInfoEXT', 'VkSamplerCustomBorderColorIndexCreateInfoEXT'}
SIGNED = {'int8_t', 'int16_t', 'int32_t', 'int64_t', 'int'}


class Descriptions(pnext.Copies):
    def _visit(self, name, chained=False):
        name = self.registry.canonical_struct(name)
        if not self._known(name) or name in LEFT_OUT:
            return
        struct = self.registry.structs[name]
        if struct.stype and name not in self.chained:
            self.chained.append(name)
        if name in self.order or self._is_opaque(struct):
            return
        self.order.append(name)
        for member in self._members(struct):
            if member.type in self.registry.structs:
                self._visit(member.type)
        if struct.stype:
            for extender in self.extenders.get(name, []):
                self._visit(extender)

    def drop_unused(self):
        """Structures that only pointers which no file can hold lead to."""
        used = set(self.chained)
        for name in self.order:
            used.update(inner for _, kind, inner, _ in self._fields(self.registry.structs[name])
                        if kind in ('struct', 'structs', 'pointer', 'pointers'))
        self.order = [name for name in self.order if name in used]

    def _members(self, struct):
        """Those of a struct; in place of a union with a selector those that it selects."""
        for m in struct.members:
            union = self.registry.structs.get(m.type)
            if not (m.selector and m.pointers == 0 and union is not None and union.is_union):
                yield m
                continue
            for choice in union.members:
                selected = copy.copy(choice)
                selected.name = '%s.%s' % (m.name, choice.name)
                selected.selector = m.selector
                yield selected

    @staticmethod
    def _selected(m, lines, what):
        """lines for a member that is there only when it is selected."""
        if not m.selection:
            return lines
        return ['    if (%s->%s == %s) {' % (what, m.selector, m.selection)] + \
            ['    ' + line for line in lines] + ['    }']

    @staticmethod
    def _is_opaque(struct):
        return struct.is_union or any(m.is_bitfield for m in struct.members)

    def _fields(self, struct):
        """(member, kind, name of its structure, C count): what is written of a structure. kind is
        one of value, array, struct, structs, pointer, pointers, text, data; or nothing at all."""
        for m in self._members(struct):
            if m.name in ('sType', 'pNext') or self._is_lost(struct, m):
                continue
            inner = self.registry.canonical_struct(m.type)
            is_struct = inner in self.order
            if m.pointers == 0:
                if is_struct:
                    yield m, 'structs' if m.array else 'struct', inner, None
                elif m.array or inner in self.registry.structs:
                    yield m, 'text' if m.type == 'char' else 'array', inner, None
                else:
                    yield m, 'value', None, None
                continue
            count = self._count(struct, m)
            if m.len == 'null-terminated':
                yield m, 'text', None, None
            elif is_struct:
                yield m, 'pointer' if count == '1' else 'pointers', inner, count
            else:
                yield m, 'data', None, count

    def _is_lost(self, struct, m):
        """What no file can hold: the application's own pointers and functions."""
        category = self.registry.type_category.get(m.type)
        if category == 'funcpointer':
            return True
        if m.pointers == 0:
            inner = self.registry.canonical_struct(m.type)
            return inner in self.registry.structs and inner not in self.order and \
                self._has_pointers(self.registry.structs[inner])
        inner = self.registry.canonical_struct(m.type)
        is_unknown_struct = inner in self.registry.structs and inner not in self.order and \
            self._has_pointers(self.registry.structs[inner])
        return m.pointers > 1 or not m.is_const or is_unknown_struct or \
            (m.type == 'void' and not m.len) or self._count(struct, m) is None or \
            (struct.name, m.name) in std_video.DROPPED

    def _guard(self, struct, m):
        key = (struct.name, m.name)
        return std_video.GUARDS.get(key) or GUARDS.get(key)

    def _held(self, struct, m):
        key = (struct.name, m.name)
        return ', ' + std_video.HELD[key] if key in std_video.HELD else ''

    def _is_handle(self, m):
        return self.registry.type_category.get(m.type) == 'handle'

    def _head(self, intro, name, arguments, suffix=''):
        held = ', uint32_t ' + std_video.HELD_COUNT if name in std_video.TAKES_COUNT else ''
        return 'static %s(%s%s)%s' % (intro, arguments, held, suffix)

    @staticmethod
    def short(name):
        return re.sub(r'^(Vk|Std)', '', name)

    # Writing.

    def writer(self):
        out = ['/* Generated by tools/gen/describe.py. */', '#include "util/struct_json.h"', '',
               '#include "util/handle.h"', '',
               *['#include <%s>' % header for header in std_video.HEADERS],
               '#include <vulkan/vulkan_core.h>', '', '#include <string.h>', '']
        out += [self._writer_head(name, ';') for name in self.order] + ['']
        for name in self.order:
            struct = self.registry.structs[name]
            out += [self._writer_head(name), '{']
            for field in self._fields(struct):
                out += self._selected(field[0], self._write_field(struct, *field), 'from')
            out += ['    (void)j; (void)from;', '}', '']
        out += ['void', 'rp_struct_json_members(struct rp_json *j, const void *structure)', '{',
                '    switch (*(const VkStructureType *)structure) {']
        for name in self.chained:
            out += ['    case %s:' % self.registry.structs[name].stype,
                    '        rp_json_key_string(j, "type", "%s");' % name,
                    '        write_%s(j, structure);' % self.short(name), '        break;']
        out += ['    default:', '        break;', '    }', '}', '',
                'bool', 'rp_struct_json_knows(VkStructureType type)', '{', '    switch (type) {']
        out += ['    case %s:' % self.registry.structs[name].stype for name in self.chained]
        return out + ['        return true;', '    default:', '        return false;', '    }', '}']

    def _writer_head(self, name, suffix=''):
        return self._head('void write_' + self.short(name), name,
                          'struct rp_json *j, const %s *from' % name, suffix)

    def _write_value(self, m, what):
        if self._is_handle(m):
            return 'rp_json_handle(j, RP_HANDLE_U64(%s));' % what
        if m.type in ('float', 'double'):
            return 'rp_json_float(j, (float)%s);' % what
        if m.type in SIGNED:
            return 'rp_json_i64(j, %s);' % what
        return 'rp_json_u64(j, (uint64_t)%s);' % what

    def _write_struct(self, inner, pointer, held):
        if self.registry.structs[inner].stype:
            return ['        rp_struct_json(j, %s);' % pointer]
        return ['        rp_json_open(j, \'{\');',
                '        write_%s(j, %s%s);' % (self.short(inner), pointer, held),
                '        rp_json_close(j, \'}\');']

    def _write_field(self, struct, m, kind, inner, count):
        f = 'from->' + m.name
        key = '    rp_json_key(j, "%s");' % m.name
        held = self._held(struct, m)
        guard = self._guard(struct, m)
        there = f + (' && (%s)' % guard if guard else '')
        if kind == 'value':
            return [key, '    ' + self._write_value(m, f)]
        if kind == 'text':
            if m.pointers == 0:
                return [key, '    rp_json_string(j, %s);' % f]
            return ['    if (%s) {' % f, '    ' + key, '        rp_json_string(j, %s);' % f, '    }']
        if kind == 'array':
            return [key, '    rp_json_bytes(j, &%s, sizeof(%s));' % (f, f)]
        if kind == 'struct':
            return [key, '    {'] + self._write_struct(inner, '&' + f, held) + ['    }']
        if kind == 'structs':
            return [key, '    rp_json_open(j, \'[\');',
                    '    for (size_t i = 0; i < sizeof(%s) / sizeof(%s[0]); i++) {' % (f, f)] + \
                self._write_struct(inner, '&%s[i]' % f, held) + \
                ['    }', '    rp_json_close(j, \']\');']
        if kind == 'pointer':
            return ['    if (%s) {' % there, '    ' + key] + self._write_struct(inner, f, held) + \
                ['    }']
        body = {'pointers': self._write_struct(inner, '&%s[i]' % f, held) if inner else [],
                'data': ['        ' + self._write_value(m, '%s[i]' % f)]}[kind]
        if kind == 'data' and not self._is_handle(m):
            size = '(size_t)(%s) * %s' % (count, '1' if m.type == 'void' else 'sizeof(%s[0])' % f)
            return ['    if (%s) {' % there, '    ' + key,
                    '        rp_json_data(j, %s, %s);' % (f, size), '    }']
        return ['    if (%s) {' % there, '    ' + key, '        rp_json_open(j, \'[\');',
                '        for (uint64_t i = 0; i < (uint64_t)(%s); i++) {' % count] + \
            ['    ' + line for line in body] + \
            ['        }', '        rp_json_close(j, \']\');', '    }']

    # Reading.

    def reader(self):
        out = ['/* Generated by tools/gen/describe.py. */', '#include "read.h"', '',
               *['#include <%s>' % header for header in std_video.HEADERS],
               '#include <vulkan/vulkan_core.h>', '', '#include <string.h>', '']
        out += [self._reader_head(name, ';') for name in self.order] + ['']
        for name in self.order:
            struct = self.registry.structs[name]
            out += [self._reader_head(name), '{', '    const %s *from = to;' % name]
            for field in self._fields(struct):
                out += self._selected(field[0], self._read_field(struct, *field), 'to')
            for field in self._fields(struct):
                out += self._check_field(struct, *field)
            out += ['    (void)json; (void)from; (void)r;', '    return true;', '}', '']
        out += ['bool', 'replay_read_known(struct replay_reader *r, const cJSON *json, '
                'const char *type,', '                  void **out)', '{']
        for name in self.chained:
            out += ['    if (strcmp(type, "%s") == 0) {' % name,
                    '        %s *to = replay_read_alloc(r, 1, sizeof(*to));' % name,
                    '        if (!to)', '            return false;',
                    '        to->sType = %s;' % self.registry.structs[name].stype,
                    '        *out = to;',
                    '        return read_%s(r, json, to);' % self.short(name), '    }']
        return out + ['    *out = NULL;', '    return true;', '}']

    def _reader_head(self, name, suffix=''):
        return self._head('bool read_' + self.short(name), name,
                          'struct replay_reader *r, const cJSON *json, %s *to' % name, suffix)

    def _read_value(self, m, json, what):
        if self._is_handle(m):
            return 'replay_read_handle(r, %s, %s, "%s", %s)' % (
                json, what, m.type, 'true' if m.is_optional else 'false')
        if m.type in ('float', 'double'):
            return 'replay_read_float(r, %s, %s)' % (json, what)
        return 'replay_read_number(r, %s, %s, sizeof(*%s))' % (json, what, what)

    def _read_struct(self, inner, json, pointer, held):
        if self.registry.structs[inner].stype:
            return 'replay_read_into(r, %s, "%s", %s, sizeof(*%s))' % (json, inner, pointer, pointer)
        return 'read_%s(r, %s, %s%s)' % (self.short(inner), json, pointer, held)

    def _read_field(self, struct, m, kind, inner, count):
        t = 'to->' + m.name
        get = 'replay_get(json, "%s")' % m.name
        # Counts that a holder says are checked against what the holder has read already.
        held = self._held(struct, m)
        fail = ['        return false;']
        if kind == 'value':
            return ['    if (!%s)' % self._read_value(m, get, '&' + t)] + fail
        if kind == 'text':
            if m.pointers == 0:
                return ['    if (!replay_read_chars(r, %s, %s, sizeof(%s)))' % (get, t, t)] + fail
            return ['    if (!replay_read_text(r, %s, &%s))' % (get, t)] + fail
        if kind == 'array':
            return ['    if (!replay_read_bytes(r, %s, &%s, sizeof(%s)))' % (get, t, t)] + fail
        if kind == 'struct':
            return ['    if (!%s)' % self._read_struct(inner, get, '&' + t, held)] + fail
        if kind == 'structs':
            return ['    for (size_t i = 0; i < sizeof(%s) / sizeof(%s[0]); i++) {' % (t, t),
                    '        if (!%s)' % self._read_struct(
                        inner, 'cJSON_GetArrayItem(%s, (int)i)' % get, '&%s[i]' % t, held),
                    '            return false;', '    }']
        if kind == 'data' and not self._is_handle(m):
            size = '1' if m.type == 'void' else 'sizeof(*%s)' % t
            return ['    if (%s) {' % get, '        size_t count;', '        void *data;',
                    '        if (!replay_read_data(r, %s, %s, &data, &count))' % (get, size),
                    '            return false;', '        %s = data;' % t,
                    '        if (count != (size_t)(%s))' % count,
                    '            return replay_fail(r, "%s.%s: %%zu elements", count);' % (
                        struct.name, m.name), '    }']
        if kind == 'pointer':
            return ['    if (%s) {' % get,
                    '        %s *array = replay_read_alloc(r, 1, sizeof(*array));' % m.type,
                    '        if (!array || !%s)' % self._read_struct(inner, get, 'array', held),
                    '            return false;', '        %s = array;' % t, '    }']
        item = self._read_struct(inner, 'item', '&array[i]', held) if kind == 'pointers' else \
            self._read_value(m, 'item', '&array[i]')
        return ['    if (%s) {' % get, '        const cJSON *list = %s, *item;' % get,
                '        const size_t count = (size_t)cJSON_GetArraySize(list);',
                '        size_t i = 0;',
                '        %s *array = replay_read_alloc(r, count, sizeof(*array));' % m.type,
                '        if (!array)', '            return false;',
                '        cJSON_ArrayForEach(item, list) {',
                '            if (!%s)' % item, '                return false;',
                '            i++;', '        }', '        %s = array;' % t,
                '        if (count != (size_t)(%s))' % count,
                '            return replay_fail(r, "%s.%s: %%zu elements", count);' % (
                    struct.name, m.name), '    }']

    def _check_field(self, struct, m, kind, inner, count):
        """A pointer that is not there must be one that may be NULL."""
        if kind not in ('pointer', 'pointers', 'data') or m.is_optional:
            return []
        guard = self._guard(struct, m)
        condition = '!to->%s && (%s)' % (m.name, count)
        if guard:
            condition += ' && (%s)' % guard
        return ['    if (%s)' % condition,
                '        return replay_fail(r, "%s.%s is missing");' % (struct.name, m.name)]


def main():
    folder, commands, header_folder, writer, reader = sys.argv[1:6]
    pnext.read_core_types(header_folder)
    descriptions = Descriptions(Registry(folder), [line[0] for line in read_list(commands)], ROOTS)
    descriptions.drop_unused()
    write(writer, descriptions.writer())
    write(reader, descriptions.reader())


if __name__ == '__main__':
    main()
