# SPDX-License-Identifier: MIT
"""What the generators need of vk.xml and video.xml: enumerators, structs, commands, and what
enables a command. Only what holds for api "vulkan" and needs no window system."""

import os
import re
import xml.etree.ElementTree as ET

EXTENSION_BASE = 1000000000
EXTENSION_RANGE = 1000


def is_vulkan(element, attribute='api'):
    return 'vulkan' in element.get(attribute, 'vulkan').split(',')


class Field:
    """A parameter of a command or a member of a struct."""

    def __init__(self, element):
        text = ''
        for part in [element.text] + [t for c in element if c.tag != 'comment'
                                      for t in (c.text, c.tail)] + \
                [c.tail for c in element if c.tag == 'comment']:
            text += part or ''
        self.decl = ' '.join(text.split())
        self.name = element.find('name').text
        self.type = element.find('type').text
        self.is_const = 'const' in self.decl.split('*')[0]
        self.pointers = self.decl.count('*')
        self.array = re.findall(r'\[(\w+)\]', self.decl)
        self.len = element.get('altlen') or element.get('len') or ''
        self.values = element.get('values')
        self.is_optional = 'true' in element.get('optional', '').split(',')
        self.is_bitfield = ':' in self.decl
        self.selector = element.get('selector')    # of a union: the member that says which
        self.selection = element.get('selection')  # of a union's member: its value

    def declare(self, name=None):
        """The C declaration; for pointers and plain values."""
        return self.decl if name is None else re.sub(r'\b%s\b' % self.name, name, self.decl)


class Struct:
    def __init__(self, element):
        self.name = element.get('name')
        self.is_union = element.get('category') == 'union'
        self.members = [Field(m) for m in element.findall('member') if is_vulkan(m)]
        self.extends = [s for s in element.get('structextends', '').split(',') if s]
        first = self.members[0] if self.members else None
        self.stype = first.values if first is not None and first.name == 'sType' else None

    def member(self, name):
        return next((m for m in self.members if m.name == name), None)


class Command:
    def __init__(self, element):
        proto = element.find('proto')
        self.name = proto.find('name').text
        self.result = proto.find('type').text
        self.params = [Field(p) for p in element.findall('param') if is_vulkan(p)]
        self.success = element.get('successcodes', '').split(',')
        self.queues = element.get('queues', '')

    def level(self):
        kind = self.params[0].type if self.params else ''
        if self.name == 'vkGetInstanceProcAddr':
            return 'GLOBAL'
        if kind == 'VkInstance':
            return 'INSTANCE'
        if kind == 'VkPhysicalDevice':
            return 'PHYSICAL_DEVICE'
        if kind in ('VkDevice', 'VkQueue', 'VkCommandBuffer'):
            return 'DEVICE'
        return 'GLOBAL'


class Extension:
    def __init__(self, element):
        self.name = element.get('name')
        self.platform = element.get('platform')
        self.is_instance = element.get('type') == 'instance'
        self.depends = element.get('depends', '')
        self.promoted = element.get('promotedto', '')
        self.commands = [c.get('name') for r in element.findall('require') if is_vulkan(r)
                         for c in r.findall('command')]
        self.types = [t.get('name') for r in element.findall('require') if is_vulkan(r)
                      for t in r.findall('type')]
        self.spec_version = next((int(e.get('value')) for e in element.findall('require/enum')
                                  if e.get('name').endswith('_SPEC_VERSION') and e.get('value')), 1)

    def enumerator(self):
        return 'RP_' + self.name[3:].upper()


class Registry:
    def __init__(self, folder):
        self.vk = ET.parse(os.path.join(folder, 'vk.xml')).getroot()
        self.video = ET.parse(os.path.join(folder, 'video.xml')).getroot()
        self._values = None
        self._read_types()
        self._read_commands()
        self._read_extensions()

    def _read_types(self):
        self.structs = {}
        self.struct_alias = {}
        self.type_category = {}
        for root in (self.vk, self.video):
            for element in root.findall('types/type'):
                if not is_vulkan(element):
                    continue
                name = element.get('name') or element.findtext('name')
                self.type_category[name] = element.get('category')
                if element.get('category') not in ('struct', 'union'):
                    continue
                if element.get('alias'):
                    self.struct_alias[name] = element.get('alias')
                else:
                    self.structs[name] = Struct(element)

    def _read_commands(self):
        self.commands = {}
        self.command_alias = {}
        for element in self.vk.findall('commands/command'):
            if not is_vulkan(element):
                continue
            if element.get('alias'):
                self.command_alias[element.get('name')] = element.get('alias')
            else:
                command = Command(element)
                self.commands[command.name] = command

    def _read_extensions(self):
        self.core_minor = {}       # command: minor version of core
        self.type_core_minor = {}  # struct: likewise
        for feature in self.vk.findall('feature'):
            if not is_vulkan(feature):
                continue
            minor = int(feature.get('number').split('.')[1])
            for require in feature.findall('require'):
                if not is_vulkan(require):
                    continue
                for command in require.findall('command'):
                    self.core_minor.setdefault(command.get('name'), minor)
                for kind in require.findall('type'):
                    self.type_core_minor.setdefault(kind.get('name'), minor)
        self.extensions = {}
        for element in self.vk.findall('extensions/extension'):
            if 'vulkan' in element.get('supported', '').split(','):
                self.extensions[element.get('name')] = Extension(element)

    def physical_device_commands(self):
        """Those of every extension, newest names, whatever the platform."""
        names = [self.canonical(c) for e in self.extensions.values() for c in e.commands]
        return [n for n in dict.fromkeys(names)
                if n in self.commands and self.commands[n].level() == 'PHYSICAL_DEVICE']

    def formats(self):
        return self.vk.findall('formats/format')

    def canonical(self, name):
        while name in self.command_alias:
            name = self.command_alias[name]
        return name

    def canonical_struct(self, name):
        while name in self.struct_alias:
            name = self.struct_alias[name]
        return name

    def enum_value(self, name):
        """The number of an enumerator that is not an alias."""
        if self._values is None:
            self._values = dict(self._enum_values())
        return self._values[name]

    def _enum_values(self):
        for enum in self.vk.findall('enums/enum'):
            if re.fullmatch(r'-?(0x)?[0-9A-Fa-f]+', enum.get('value', '')):
                yield enum.get('name'), int(enum.get('value'), 0)
        for block in self.vk.findall('feature') + self.vk.findall('extensions/extension'):
            number = block.get('number')
            for enum in block.findall('require/enum'):
                if enum.get('offset'):
                    extension = int(enum.get('extnumber') or number)
                    value = EXTENSION_BASE + (extension - 1) * EXTENSION_RANGE \
                        + int(enum.get('offset'))
                    yield enum.get('name'), -value if enum.get('dir') == '-' else value
                elif enum.get('extends') and re.fullmatch(r'-?\d+', enum.get('value', '')):
                    yield enum.get('name'), int(enum.get('value'))


def read_list(path):
    """Lines of words; # starts a comment."""
    with open(path, encoding='utf-8') as file:
        lines = [line.split('#')[0].split() for line in file]
    return [line for line in lines if line]


def write(path, lines):
    with open(path, 'w', encoding='utf-8') as file:
        file.write('\n'.join(lines) + '\n')
