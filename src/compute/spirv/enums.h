/* SPDX-License-Identifier: MIT */
/* Numbers of the SPIR-V 1.6 specification that compute shaders can meet.
 */
#ifndef RP_COMPUTE_SPIRV_ENUMS_H
#define RP_COMPUTE_SPIRV_ENUMS_H

#include "compute/spirv/opcode_tables.h"

#define SPV_MAGIC 0x07230203u
#define SPV_CAPABILITY_ADDRESSES 5347u /* PhysicalStorageBufferAddresses */
#define SPV_MAX_BOUND 0x400000u        /* 2.17: universal limit of ids, rounded up */

enum spv_op {
#define SPV_ENUM(name, number, type, result, words) SPV_OP_##name = number,
    SPV_OPCODES(SPV_ENUM)
#undef SPV_ENUM
};

enum spv_glsl_op {
#define SPV_ENUM(name, number, operands) SPV_GLSL_##name = number,
    SPV_GLSL_OPCODES(SPV_ENUM)
#undef SPV_ENUM
};

enum spv_storage {
    SPV_UNIFORM_CONSTANT = 0,
    SPV_INPUT = 1,
    SPV_UNIFORM = 2,
    SPV_OUTPUT = 3,
    SPV_WORKGROUP = 4,
    SPV_PRIVATE = 6,
    SPV_FUNCTION = 7,
    SPV_PUSH_CONSTANT = 9,
    SPV_IMAGE = 11,
    SPV_STORAGE_BUFFER = 12,
    SPV_PHYSICAL_STORAGE_BUFFER = 5349,
};

enum spv_decoration_kind {
    SPV_SPEC_ID = 1,
    SPV_BLOCK = 2,
    SPV_BUFFER_BLOCK = 3,
    SPV_ROW_MAJOR = 4,
    SPV_ARRAY_STRIDE = 6,
    SPV_MATRIX_STRIDE = 7,
    SPV_BUILT_IN = 11,
    SPV_ALIASED = 20,
    SPV_VOLATILE = 21,
    SPV_COHERENT = 23,
    SPV_NON_WRITABLE = 24,
    SPV_BINDING = 33,
    SPV_DESCRIPTOR_SET = 34,
    SPV_OFFSET = 35,
    SPV_FP_ROUNDING_MODE = 39,
    SPV_NO_CONTRACTION = 42,
    SPV_ARRAY_STRIDE_ID = 5124,
    SPV_OFFSET_ID = 5125,
};

enum spv_memory_operand {
    SPV_MEMORY_VOLATILE = 0x1,
    SPV_MEMORY_ALIGNED = 0x2,
    SPV_MEMORY_MAKE_POINTER_AVAILABLE = 0x8,
    SPV_MEMORY_MAKE_POINTER_VISIBLE = 0x10,
};

enum spv_built_in {
    SPV_NUM_WORKGROUPS = 24,
    SPV_WORKGROUP_SIZE = 25,
    SPV_WORKGROUP_ID = 26,
    SPV_LOCAL_INVOCATION_ID = 27,
    SPV_GLOBAL_INVOCATION_ID = 28,
    SPV_LOCAL_INVOCATION_INDEX = 29,
    SPV_SUBGROUP_SIZE = 36,
    SPV_NUM_SUBGROUPS = 38,
    SPV_SUBGROUP_ID = 40,
    SPV_SUBGROUP_LOCAL_INVOCATION_ID = 41,
    SPV_SUBGROUP_EQ_MASK = 4416,
    SPV_SUBGROUP_GE_MASK = 4417,
    SPV_SUBGROUP_GT_MASK = 4418,
    SPV_SUBGROUP_LE_MASK = 4419,
    SPV_SUBGROUP_LT_MASK = 4420,
    SPV_DEVICE_INDEX = 4438,
    SPV_SAMPLER_HEAP = 5122,
    SPV_RESOURCE_HEAP = 5123,
};

enum spv_execution_mode {
    SPV_LOCAL_SIZE = 17,
    SPV_LOCAL_SIZE_ID = 38,
    SPV_DENORM_PRESERVE = 4459,
    SPV_DENORM_FLUSH_TO_ZERO = 4460,
    SPV_SIGNED_ZERO_INF_NAN_PRESERVE = 4461,
    SPV_ROUNDING_MODE_RTE = 4462,
    SPV_ROUNDING_MODE_RTZ = 4463,
    SPV_DERIVATIVE_GROUP_QUADS = 5289,
    SPV_DERIVATIVE_GROUP_LINEAR = 5290,
};

enum spv_dim {
    SPV_DIM_1D = 0,
    SPV_DIM_2D = 1,
    SPV_DIM_3D = 2,
    SPV_DIM_CUBE = 3,
    SPV_DIM_BUFFER = 5,
    SPV_DIM_SUBPASS = 6,
};

enum spv_image_operand {
    SPV_IMAGE_BIAS = 1 << 0,
    SPV_IMAGE_LOD = 1 << 1,
    SPV_IMAGE_GRAD = 1 << 2,
    SPV_IMAGE_CONST_OFFSET = 1 << 3,
    SPV_IMAGE_OFFSET = 1 << 4,
    SPV_IMAGE_CONST_OFFSETS = 1 << 5,
    SPV_IMAGE_SAMPLE = 1 << 6,
    SPV_IMAGE_MIN_LOD = 1 << 7,
    SPV_IMAGE_MAKE_AVAILABLE = 1 << 8,
    SPV_IMAGE_MAKE_VISIBLE = 1 << 9,
    SPV_IMAGE_NON_PRIVATE = 1 << 10,
    SPV_IMAGE_VOLATILE = 1 << 11,
    SPV_IMAGE_SIGN_EXTEND = 1 << 12,
    SPV_IMAGE_ZERO_EXTEND = 1 << 13,
    SPV_IMAGE_NONTEMPORAL = 1 << 14,
};

enum spv_group_operation {
    SPV_REDUCE = 0,
    SPV_INCLUSIVE_SCAN = 1,
    SPV_EXCLUSIVE_SCAN = 2,
    SPV_CLUSTERED_REDUCE = 3,
    SPV_PARTITIONED_REDUCE = 6,
    SPV_PARTITIONED_INCLUSIVE_SCAN = 7,
    SPV_PARTITIONED_EXCLUSIVE_SCAN = 8,
};

enum spv_model {
    SPV_MODEL_GL_COMPUTE = 5,
};

enum spv_fp_encoding {
    SPV_FP_ENCODING_BFLOAT16 = 0,
};

enum spv_scope {
    SPV_SCOPE_SUBGROUP = 3,
};

#endif
