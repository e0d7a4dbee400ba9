/* SPDX-License-Identifier: MIT */
/* The operations as C++ and GLM have them. */
#define GLM_FORCE_SILENT_WARNINGS
#define GLM_ENABLE_EXPERIMENTAL
#include <glm/glm.hpp>
#include <glm/gtc/packing.hpp>

#include <cstdint>

namespace
{
using namespace glm;

/* GLM's of the same names have other types. */
using ::int16_t;
using ::int64_t;
using ::int8_t;
using ::uint16_t;
using ::uint64_t;
using ::uint8_t;

/* GLM 0.9.9 subtracts the other way round. */
uint
sub_borrow(uint x, uint y, uint &borrow)
{
    borrow = x < y ? 1u : 0u;
    return x - y;
}
#define usubBorrow sub_borrow

#include "operations.glsl"
} // namespace

extern "C" uint32_t reference(uint32_t family, uint32_t number, uint32_t x, uint32_t y, uint32_t z);

uint32_t
reference(uint32_t family, uint32_t number, uint32_t x, uint32_t y, uint32_t z)
{
    switch (family) {
    case 0:
        return integers(number, x, y, z);
    case 1:
        return wide_integers(number, x, y, z);
    case 2:
        return narrow_integers(number, x, y, z);
    case 3:
        return doubles(number, x, y, z);
    case 4:
        return floats(number, x, y, z);
    default:
        return floatBitsToUint(near_floats(number, x, y, z));
    }
}
