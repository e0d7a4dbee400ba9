# SPDX-License-Identifier: MIT
"""Old forms of commands, written as calls of the newest form.

Parameters and members are matched by name; arrays whose element type has changed are converted a
few at a time, on the stack.
"""

CHUNK = 16  # elements converted per call

FORWARDS = {
    'vkCmdCopyBuffer': 'vkCmdCopyBuffer2',
    'vkCmdCopyImage': 'vkCmdCopyImage2',
    'vkCmdCopyBufferToImage': 'vkCmdCopyBufferToImage2',
    'vkCmdCopyImageToBuffer': 'vkCmdCopyImageToBuffer2',
    'vkCmdBlitImage': 'vkCmdBlitImage2',
    'vkCmdResolveImage': 'vkCmdResolveImage2',
    'vkCmdResetEvent': 'vkCmdResetEvent2',
    'vkCmdWriteTimestamp': 'vkCmdWriteTimestamp2',
    'vkCmdBindDescriptorSets': 'vkCmdBindDescriptorSets2',
    'vkCmdPushConstants': 'vkCmdPushConstants2',
    'vkCmdPushDescriptorSet': 'vkCmdPushDescriptorSet2',
    'vkCmdPushDescriptorSetWithTemplate': 'vkCmdPushDescriptorSetWithTemplate2',
    'vkCmdSetDescriptorBufferOffsetsEXT': 'vkCmdSetDescriptorBufferOffsets2EXT',
    'vkCmdBindDescriptorBufferEmbeddedSamplersEXT':
        'vkCmdBindDescriptorBufferEmbeddedSamplers2EXT',
    'vkCmdDispatch': 'vkCmdDispatchBase',
    'vkBindBufferMemory': 'vkBindBufferMemory2',
    'vkBindImageMemory': 'vkBindImageMemory2',
    'vkGetBufferMemoryRequirements': 'vkGetBufferMemoryRequirements2',
    'vkGetImageMemoryRequirements': 'vkGetImageMemoryRequirements2',
    'vkGetImageSparseMemoryRequirements': 'vkGetImageSparseMemoryRequirements2',
    'vkGetImageSubresourceLayout': 'vkGetImageSubresourceLayout2',
    'vkMapMemory': 'vkMapMemory2',
    'vkUnmapMemory': 'vkUnmapMemory2',
    'vkGetDeviceQueue': 'vkGetDeviceQueue2',
    'vkGetPhysicalDeviceFeatures': 'vkGetPhysicalDeviceFeatures2',
    'vkGetPhysicalDeviceProperties': 'vkGetPhysicalDeviceProperties2',
    'vkGetPhysicalDeviceFormatProperties': 'vkGetPhysicalDeviceFormatProperties2',
    'vkGetPhysicalDeviceImageFormatProperties': 'vkGetPhysicalDeviceImageFormatProperties2',
    'vkGetPhysicalDeviceQueueFamilyProperties': 'vkGetPhysicalDeviceQueueFamilyProperties2',
    'vkGetPhysicalDeviceMemoryProperties': 'vkGetPhysicalDeviceMemoryProperties2',
    'vkGetPhysicalDeviceSparseImageFormatProperties':
        'vkGetPhysicalDeviceSparseImageFormatProperties2',
}

# Members of the new form that no parameter of the old one gives.
STAGES = 'pipelineBindPoint == VK_PIPELINE_BIND_POINT_COMPUTE ? VK_SHADER_STAGE_COMPUTE_BIT\n' \
    '                                                                 : VK_SHADER_STAGE_ALL_GRAPHICS'
EXPRESSIONS = {
    ('vkCmdBindDescriptorSets', 'stageFlags'): STAGES,
    ('vkCmdPushDescriptorSet', 'stageFlags'): STAGES,
    ('vkCmdSetDescriptorBufferOffsetsEXT', 'stageFlags'): STAGES,
    ('vkCmdBindDescriptorBufferEmbeddedSamplersEXT', 'stageFlags'): STAGES,
    ('vkCmdWriteTimestamp', 'stage'): 'pipelineStage',
    ('vkCmdDispatch', 'baseGroupX'): '0',
    ('vkCmdDispatch', 'baseGroupY'): '0',
    ('vkCmdDispatch', 'baseGroupZ'): '0',
}


class Forwarder:
    def __init__(self, registry, old, new):
        self.registry = registry
        self.old = {p.name: p for p in old.params}
        self.command = old
        self.new = new
        self.before = []   # declarations
        self.after = []    # what is copied out
        self.chunk = None  # (member, old array, count, element struct)
        self.outputs = None

    def body(self):
        args = [self._argument(p) for p in self.new.params]
        call = 'rp_%s(%s)' % (self.new.name[2:], ', '.join(args))
        if self.chunk:
            return self.before + self._chunked(call)
        if self.outputs:
            return self.before + self._counted(call)
        if self.command.result == self.new.result and self.command.result != 'void' \
                and not self.after:
            return self.before + ['    return %s;' % call]
        if self.command.result != 'void':
            return self.before + ['    const VkResult result = %s;' % call] + self.after + \
                ['    return result;']
        ignored = '(void)' if self.new.result != 'void' else ''
        return self.before + ['    %s%s;' % (ignored, call)] + self.after

    def _argument(self, p):
        struct = self.registry.structs.get(p.type)
        same = self.old.get(p.name)
        expression = EXPRESSIONS.get((self.command.name, p.name))
        if expression:
            return expression
        if struct is None or struct.stype is None:
            if same is not None:
                return p.name
            if p.name.endswith('Count'):  # vkBindBufferMemory2: one info
                return '1'
            raise ValueError('%s: no %s' % (self.command.name, p.name))
        if p.is_const:
            self._info(struct)
            return '&info'
        if p.len:
            self._output_array(p, struct)
            return 'items'
        self._output(struct)
        return '&out'

    def _info(self, struct):
        lines = []
        for member in struct.members[2:]:
            source = self.old.get(member.name)
            expression = EXPRESSIONS.get((self.command.name, member.name))
            if source is not None and source.type != member.type and source.len:
                self.chunk = (member, source)
            elif expression is not None:
                lines.append('        .%s = %s,' % (member.name, expression))
            elif source is not None:
                lines.append('        .%s = %s,' % (member.name, member.name))
            else:
                whole = [o for o in self.old.values()
                         if o.type == member.type and o.is_const and o.pointers == 1]
                if whole:
                    lines.append('        .%s = *%s,' % (member.name, whole[0].name))
        mutable = '' if self.chunk else 'const '
        self.before += ['    %s%s info = {' % (mutable, struct.name),
                        '        .sType = %s,' % struct.stype] + lines + ['    };']

    def _output_member(self, struct):
        """The old parameter that takes a member of the new output."""
        for member in struct.members[2:]:
            for p in self.old.values():
                if p.type == member.type and p.pointers == 1 and not p.is_const:
                    return member, p
        raise ValueError(self.command.name)

    def _output(self, struct):
        member, p = self._output_member(struct)
        self.before.append('    %s out = { .sType = %s };' % (struct.name, struct.stype))
        self.after.append('    *%s = out.%s;' % (p.name, member.name))

    def _output_array(self, p, struct):
        member, old = self._output_member(struct)
        self.outputs = (p.len, struct, member, old)

    def _chunked(self, call):
        member, source = self.chunk
        element = self.registry.structs[member.type]
        count = source.len
        out = ['    for (uint32_t done = 0; done < %s;) {' % count,
               '        %s items[%d];' % (element.name, CHUNK),
               '        uint32_t n = 0;',
               '        for (; n < %d && done < %s; n++, done++) {' % (CHUNK, count),
               '            const %s *from = &%s[done];' % (source.type, source.name),
               '            items[n] = (%s){ .sType = %s };' % (element.name, element.stype)]
        for m in element.members[2:]:
            if m.array:
                out.append('            memcpy(items[n].%s, from->%s, sizeof(from->%s));'
                           % (m.name, m.name, m.name))
            else:
                out.append('            items[n].%s = from->%s;' % (m.name, m.name))
        return out + ['        }', '        info.%s = n;' % count,
                      '        info.%s = items;' % member.name,
                      '        %s;' % call, '    }']

    def _counted(self, call):
        count, struct, member, old = self.outputs
        return ['    if (!%s) {' % old.name,
                '        %s;' % call.replace('items', 'NULL'),
                '        return;', '    }',
                '    %s items[%d];' % (struct.name, CHUNK),
                '    *%s = RP_MIN(*%s, %d);' % (count, count, CHUNK),
                '    for (uint32_t i = 0; i < *%s; i++)' % count,
                '        items[i] = (%s){ .sType = %s };' % (struct.name, struct.stype),
                '    %s;' % call,
                '    for (uint32_t i = 0; i < *%s; i++)' % count,
                '        %s[i] = items[i].%s;' % (old.name, member.name)]
