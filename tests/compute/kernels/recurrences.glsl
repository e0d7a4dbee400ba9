// SPDX-License-Identifier: MIT
// Recurrences, read by recurrences.comp and by recurrences.c: PART(number, statements) that make r0
// and r1 of a and b, which each invocation has of its own, and of s and n, which all have.
#define TWICE(e) e e
#define FOUR(e) TWICE(e) TWICE(e)
#define EIGHT(e) TWICE(e) FOUR(e) TWICE(e)
#define SIXTEEN(e) FOUR(e) EIGHT(e) FOUR(e)
#define SQUARE(to) x = to(x * x + c);
#define TURN(to) x = to(y * x + y); y = to(x * y + x);
#define CUT(off) x = (y * x + y) off; y = (x * y + x) off;
#define TURN_LATE(to) x = to((x + to(1)) * y); y = to(x * (to(1) + y));
#define TURN_BACK(to) x = to(x * y + y); y = to(y * x + x);

PART(0, U32 x = a; U32 c = b; SIXTEEN(SQUARE(TO32)) r0 = x;)
PART(1, U32 x = a; U32 c = s; EIGHT(SQUARE(TO32)) r0 = x;)
PART(2, U32 x = a; U32 y = b; EIGHT(TURN(TO32)) r0 = x; r1 = y;)
PART(3, U32 x = a; U32 y = b; EIGHT(TURN_BACK(TO32)) x = x * y + y; r0 = x; r1 = y;)
PART(4, U32 x = a; U32 c = b; EIGHT(SQUARE(TO32)) r1 = x; FOUR(SQUARE(TO32)) r0 = x;)
PART(5, U32 x = a; U32 y = b; FOUR(TURN(TO32)) r1 = x; FOUR(TURN(TO32)) r0 = y;)
PART(6, U32 x = a; U32 c = b; TWICE(SQUARE(TO32)) SQUARE(TO32) r0 = x;)
PART(7, U16 x = TO16(a); U16 c = TO16(b); EIGHT(SQUARE(TO16)) r0 = OF16(x);)
PART(8, U16 x = TO16(a); U16 y = TO16(b); EIGHT(TURN(TO16)) r0 = OF16(x); r1 = OF16(y);)
PART(9, S8 x = TO8(a); S8 y = TO8(b); FOUR(TURN(TO8)) TURN(TO8) r0 = OF8(x); r1 = OF8(y);)
PART(10, U32 x = a; U32 y = b; EIGHT(TURN(TO32)) r0 = x & 0xffffu; r1 = (y & 0xffffu) << 16;)
PART(11, U32 x = a; U32 y = b; EIGHT(TURN(TO32)) r0 = x & 0x1ffffu; r1 = y & 0xffu;)
PART(12, U32 x = a; U32 y = b; EIGHT(TURN(TO32)) r0 = x & 0xffu; r1 = (y >> 1) & 0xffffu;)
PART(13, U16 x = TO16(a); U16 c = TO16(s); EIGHT(SQUARE(TO16)) r0 = OF16(x);)
PART(14, U16 x = TO16(a); U16 y = TO16(b);
     for (U32 k = 0u; k < n; k++) { FOUR(TURN(TO16)) } r0 = OF16(x); r1 = OF16(y);)
PART(15, U32 x = a; U32 y = b;
     for (U32 k = 0u; k < (b & 127u); k++) { FOUR(TURN(TO32)) } r0 = x; r1 = y;)
PART(16, U16 x = TO16(a); U16 c = TO16(b);
     for (U32 k = 0u; k < (b & 127u); k++) { FOUR(SQUARE(TO16)) } r0 = OF16(x);)
PART(17, U32 x = a; U32 c = x; EIGHT(SQUARE(TO32)) r0 = x;)
PART(18, U32 x = a; U32 y = b; if ((a & 4u) != 0u) { EIGHT(TURN(TO32)) } else { x = s; } r0 = x ^ y;)
PART(19, U32 x = a; U32 y = b; EIGHT(TURN(TO32)) r0 = (b & 8u) != 0u ? x & 255u : s; r1 = y & 15u;)
PART(20, U32 x = a; U32 c = b; EIGHT(SQUARE(TO32)) r0 = (x * 77u + (c ^ x)) & 0xffffu;)
PART(21, U32 x = a; U32 c = b; EIGHT(SQUARE(TO32)) r0 = c << (x & 15u); r1 = (s << (x & 31u)) & 0xffffu;)
PART(22, U32 x = a; U32 y = b; FOUR(TURN_LATE(TO32)) FOUR(TURN_LATE(TO32)) r0 = x; r1 = y;)
PART(23, S8 x = TO8(a); S8 y = TO8(b);
     for (U32 k = 0u; k < n; k++) { FOUR(TURN_LATE(TO8)) } r0 = OF8(x); r1 = OF8(y);)
PART(24, U32 x = a & 255u; U32 y = b; FOUR(CUT(& 255u)) r0 = x; r1 = y;)
PART(25, U32 x = SX16(a); U32 y = SX16(b); FOUR(TURN(SX16)) r0 = x; r1 = y;)
PART(26, U32 x = a; U32 y = b; FOUR(CUT(& 0xffffffu)) r0 = x & 0xffffu; r1 = y & 255u;)
PART(27, U32 x = a; U32 y = b; FOUR(CUT(& 255u)) r0 = x >> 1; r1 = y;)
PART(28, U32 x = a; U32 y = b; FOUR(CUT(& 0xf7u)) r0 = x; r1 = y;)
PART(29, U32 x = a; U32 y = b; FOUR(TURN(SX8)) r0 = x & 0xffffu; r1 = y & 0x1ffu;)
PART(30, U32 x = a; U32 y = b;
     for (U32 k = 0u; k < n; k++) { FOUR(CUT(& 0xffffu)) } r0 = x; r1 = x + (y & 255u);)
PART(31, U32 x = a; U32 c = b; FOUR(x = (x * x + c) & 0xffffu; c = c >> 1;) r0 = x; r1 = c;)
PART(32, U32 x = (a * a + b) & 15u; r0 = (s << x) & 7u; r1 = (b << x) & 6u;)
