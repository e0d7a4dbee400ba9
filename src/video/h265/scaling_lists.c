/* SPDX-License-Identifier: MIT */
/* Scaling lists (7.3.4, 7.4.5).
 */
#include "video/h265/parameter_sets.h"

#include <string.h>

/* Table 7-6, for matrixId 0 to 2 and 3 to 5, in the order of the syntax. */
static const uint8_t default_8x8[2][64] = {
    {16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 17, 16, 17, 16, 17, 18, 17, 18, 18, 17, 18, 21,
     19, 20, 21, 20, 19, 21, 24, 22, 22, 24, 24, 22, 22, 24, 25, 25, 27, 30, 27, 25, 25, 29,
     31, 35, 35, 31, 29, 36, 41, 44, 41, 36, 47, 54, 54, 47, 65, 70, 65, 88, 88, 115},
    {16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 17, 17, 17, 17, 17, 18, 18, 18, 18, 18, 18, 20,
     20, 20, 20, 20, 20, 20, 24, 24, 24, 24, 24, 24, 24, 24, 25, 25, 25, 25, 25, 25, 25, 28,
     28, 28, 28, 28, 28, 33, 33, 33, 33, 33, 41, 41, 41, 41, 54, 54, 54, 71, 71, 91},
};

/* One matrix: its coefficients and, of 16x16 and 32x32, its DC; dc is NULL for the others. */
struct matrix {
    uint8_t *at;
    uint8_t *dc;
    uint32_t count;
};

/* Matrices of 32x32 are luma's alone: intra and inter. */
static struct matrix
matrix_of(StdVideoH265ScalingLists *lists, uint32_t size_id, uint32_t i)
{
    switch (size_id) {
    case 0:
        return (struct matrix){lists->ScalingList4x4[i], NULL, 16};
    case 1:
        return (struct matrix){lists->ScalingList8x8[i], NULL, 64};
    case 2:
        return (struct matrix){lists->ScalingList16x16[i], &lists->ScalingListDCCoef16x16[i], 64};
    default:
        return (struct matrix){lists->ScalingList32x32[i], &lists->ScalingListDCCoef32x32[i], 64};
    }
}

/* Predicts from another matrix, delta entries before; from the default one with delta 0. */
static void
predict(StdVideoH265ScalingLists *lists, uint32_t size_id, uint32_t i, uint32_t delta)
{
    const struct matrix to = matrix_of(lists, size_id, i);
    if (delta > 0) {
        const struct matrix from = matrix_of(lists, size_id, i - delta);
        memcpy(to.at, from.at, to.count);
        if (to.dc)
            *to.dc = *from.dc;
        return;
    }
    const bool is_inter = size_id == 3 ? i == 1 : i >= 3;
    if (size_id == 0)
        memset(to.at, 16, to.count);
    else
        memcpy(to.at, default_8x8[is_inter], to.count);
    if (to.dc)
        *to.dc = 16;
}

static uint8_t
code_coefficient(struct rp_h265_syntax *syntax, uint32_t last, uint8_t value)
{
    const int32_t difference = (int32_t)((value - last) & 255);
    const int32_t delta =
        rp_h265_se(syntax, -128, 127, difference > 127 ? difference - 256 : difference);
    const uint8_t coded = (uint8_t)((int32_t)last + delta);
    rp_h265_require(syntax, coded > 0);
    return coded;
}

static void
code_matrix(struct rp_h265_syntax *syntax, const struct matrix *matrix)
{
    uint32_t last = 8;
    if (matrix->dc) {
        *matrix->dc = (uint8_t)(rp_h265_se(syntax, -7, 247, *matrix->dc - 8) + 8);
        last = *matrix->dc;
    }
    for (uint32_t k = 0; k < matrix->count; k++) {
        matrix->at[k] = code_coefficient(syntax, last, matrix->at[k]);
        last = matrix->at[k];
    }
}

void
rp_h265_code_scaling_lists(struct rp_h265_syntax *syntax, StdVideoH265ScalingLists *lists)
{
    for (uint32_t size_id = 0; size_id < 4; size_id++) {
        for (uint32_t i = 0; i < (size_id == 3 ? 2u : 6u); i++) {
            const struct matrix matrix = matrix_of(lists, size_id, i);
            if (rp_h265_flag(syntax, true)) /* scaling_list_pred_mode_flag */
                code_matrix(syntax, &matrix);
            else
                predict(lists, size_id, i, rp_h265_ue(syntax, i, 0));
        }
    }
}
