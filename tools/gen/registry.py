# SPDX-License-Identifier: MIT
"""What the generators need of vk.xml and video.xml."""

import os
import xml.etree.ElementTree as ET

EXTENSION_BASE = 1000000000
EXTENSION_RANGE = 1000


class Registry:
    def __init__(self, folder):
        self.vk = ET.parse(os.path.join(folder, 'vk.xml')).getroot()
        self.video = ET.parse(os.path.join(folder, 'video.xml')).getroot()
        self._values = None

    def formats(self):
        return self.vk.findall('formats/format')

    def enum_value(self, name):
        """The number of an enumerator that is not an alias."""
        if self._values is None:
            self._values = dict(self._enum_values())
        return self._values[name]

    def _enum_values(self):
        for enum in self.vk.findall('enums/enum'):
            if enum.get('value'):
                yield enum.get('name'), int(enum.get('value').rstrip('UL'), 0) \
                    if enum.get('value').lstrip('-').rstrip('UL').isalnum() \
                    and enum.get('value').lstrip('-')[0].isdigit() \
                    and '.' not in enum.get('value') else 0
        for feature in self.vk.findall('feature'):
            yield from self._extension_values(feature, None)
        for extension in self.vk.findall('extensions/extension'):
            yield from self._extension_values(extension, extension.get('number'))

    @staticmethod
    def _extension_values(block, number):
        for enum in block.findall('require/enum'):
            if enum.get('offset'):
                value = EXTENSION_BASE + (int(enum.get('extnumber', number)) - 1) * EXTENSION_RANGE \
                    + int(enum.get('offset'))
                yield enum.get('name'), -value if enum.get('dir') == '-' else value
