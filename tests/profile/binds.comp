#version 450
// SPDX-License-Identifier: MIT
// Slots by a bit each of USED; the others are not there.
layout(local_size_x = 1) in;
layout(constant_id = 0) const uint number = 0; // tells pipelines from each other
layout(push_constant) uniform Pushed { uvec4 words; } pushed;

#define SLOT(set_number, place, name) \
    layout(set = set_number, binding = place) buffer Block##name { uint word; } name
#if (USED & 1) != 0
SLOT(0, 0, b0);
#endif
#if (USED & 2) != 0
SLOT(0, 1, b1);
#endif
#if (USED & 4) != 0
SLOT(0, 2, b2);
#endif
#if (USED & 8) != 0
SLOT(0, 3, b3);
#endif
#if (USED & 16) != 0
layout(set = 0, binding = 4) buffer Block4 { uint word; } b4[2];
#endif
#if (USED & 32) != 0
SLOT(0, 5, b5);
#endif
#if (USED & 64) != 0
SLOT(1, 0, b6);
#endif
#if (USED & 128) != 0
SLOT(1, 1, b7);
#endif
#if (USED & 256) != 0
SLOT(1, 2, b8);
#endif
#if (USED & 512) != 0
SLOT(2, 0, b9);
#endif
#if (USED & 1024) != 0
SLOT(2, 1, b10);
#endif
#if (USED & 2048) != 0
SLOT(2, 2, b11);
#endif

void main()
{
#if (USED & 2) != 0
    b1.word = number;
#endif
#if (USED & 4) != 0
    b2.word = number;
#endif
#if (USED & 8) != 0
    b3.word = number;
#endif
#if (USED & 16) != 0
    b4[0].word = number;
    b4[1].word = number;
#endif
#if (USED & 32) != 0
    b5.word = number;
#endif
#if (USED & 64) != 0
    b6.word = number;
#endif
#if (USED & 128) != 0
    b7.word = number;
#endif
#if (USED & 256) != 0
    b8.word = number;
#endif
#if (USED & 512) != 0
    b9.word = number;
#endif
#if (USED & 1024) != 0
    b10.word = number;
#endif
#if (USED & 2048) != 0
    b11.word = number;
#endif
#if (USED & 1) != 0
    b0.word = pushed.words.x + 3 * pushed.words.y + 5 * pushed.words.z + 7 * pushed.words.w;
#endif
}
