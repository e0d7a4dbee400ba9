# SPDX-License-Identifier: MIT
"""What the registry does not say about the codecs' Std structures: when an optional pointer counts,
and how long an array is whose length stands elsewhere. All expressions are C, on the structure
"from" that holds the pointer.
"""

import re

HEADERS = ['vk_video/vulkan_video_codec_%sstd%s.h' % (codec, direction)
           for codec, directions in (('h264', ('', '_decode', '_encode')),
                                     ('h265', ('', '_decode', '_encode')),
                                     ('av1', ('', '_decode', '_encode')),
                                     ('vp9', ('', '_decode')))
           for direction in directions]

# Pointers that count only under this condition. Applications leave the others uninitialised.
GUARDS = {
    ('StdVideoH264SequenceParameterSet', 'pScalingLists'):
        'from->flags.seq_scaling_matrix_present_flag',
    ('StdVideoH264SequenceParameterSet', 'pSequenceParameterSetVui'):
        'from->flags.vui_parameters_present_flag',
    ('StdVideoH264SequenceParameterSet', 'pOffsetForRefFrame'):
        'from->pic_order_cnt_type == STD_VIDEO_H264_POC_TYPE_1',
    ('StdVideoH264SequenceParameterSetVui', 'pHrdParameters'):
        'from->flags.nal_hrd_parameters_present_flag || from->flags.vcl_hrd_parameters_present_flag',
    ('StdVideoH264PictureParameterSet', 'pScalingLists'):
        'from->flags.pic_scaling_matrix_present_flag',
    ('StdVideoEncodeH264ReferenceListsInfo', 'pRefList0ModOperations'):
        'from->flags.ref_pic_list_modification_flag_l0',
    ('StdVideoEncodeH264ReferenceListsInfo', 'pRefList1ModOperations'):
        'from->flags.ref_pic_list_modification_flag_l1',

    # A VPS has hrd_parameters() only behind its timing information (H.265, 7.3.2.1).
    ('StdVideoH265VideoParameterSet', 'pHrdParameters'):
        'from->flags.vps_timing_info_present_flag',
    ('StdVideoH265SequenceParameterSet', 'pScalingLists'):
        'from->flags.sps_scaling_list_data_present_flag',
    ('StdVideoH265SequenceParameterSet', 'pLongTermRefPicsSps'):
        'from->flags.long_term_ref_pics_present_flag',
    ('StdVideoH265SequenceParameterSet', 'pSequenceParameterSetVui'):
        'from->flags.vui_parameters_present_flag',
    ('StdVideoH265SequenceParameterSet', 'pPredictorPaletteEntries'):
        'from->flags.sps_palette_predictor_initializers_present_flag',
    ('StdVideoH265SequenceParameterSetVui', 'pHrdParameters'):
        'from->flags.vui_hrd_parameters_present_flag',
    ('StdVideoH265HrdParameters', 'pSubLayerHrdParametersNal'):
        'from->flags.nal_hrd_parameters_present_flag',
    ('StdVideoH265HrdParameters', 'pSubLayerHrdParametersVcl'):
        'from->flags.vcl_hrd_parameters_present_flag',
    ('StdVideoH265PictureParameterSet', 'pScalingLists'):
        'from->flags.pps_scaling_list_data_present_flag',
    ('StdVideoH265PictureParameterSet', 'pPredictorPaletteEntries'):
        'from->flags.pps_palette_predictor_initializers_present_flag',
    ('StdVideoEncodeH265PictureInfo', 'pShortTermRefPicSet'):
        '!from->flags.short_term_ref_pic_set_sps_flag',

    ('StdVideoAV1SequenceHeader', 'pTimingInfo'): 'from->flags.timing_info_present_flag',
    ('StdVideoAV1TileInfo', 'pWidthInSbsMinus1'): '!from->flags.uniform_tile_spacing_flag',
    ('StdVideoAV1TileInfo', 'pHeightInSbsMinus1'): '!from->flags.uniform_tile_spacing_flag',
    ('StdVideoDecodeAV1PictureInfo', 'pSegmentation'): 'from->flags.segmentation_enabled',
    ('StdVideoDecodeAV1PictureInfo', 'pLoopRestoration'): 'from->flags.UsesLr',
    ('StdVideoDecodeAV1PictureInfo', 'pFilmGrain'): 'from->flags.apply_grain',
    ('StdVideoEncodeAV1PictureInfo', 'pSegmentation'): 'from->flags.segmentation_enabled',
    ('StdVideoEncodeAV1PictureInfo', 'pLoopRestoration'): 'from->flags.UsesLr',

    ('StdVideoDecodeVP9PictureInfo', 'pSegmentation'): 'from->flags.segmentation_enabled',
}

# Pointers that are NULL in every copy.
DROPPED = {
    # They repeat the tiles' sizes, and applications fill them wrongly.
    ('StdVideoAV1TileInfo', 'pMiColStarts'),
    ('StdVideoAV1TileInfo', 'pMiRowStarts'),
    # Its length is a count of the bound session parameters: rp_av1_removal_times_copy().
    ('StdVideoEncodeAV1PictureInfo', 'pBufferRemovalTimes'),
}

# Arrays as long as what the structure's own holder says: the functions that copy these structures
# take that count as a parameter, and each holder says what it passes on.
HELD_COUNT = 'sub_layer_count'
HELD = {
    ('StdVideoH265VideoParameterSet', 'pHrdParameters'): 'from->vps_max_sub_layers_minus1 + 1u',
    ('StdVideoH265SequenceParameterSet', 'pSequenceParameterSetVui'):
        'from->sps_max_sub_layers_minus1 + 1u',
    ('StdVideoH265SequenceParameterSetVui', 'pHrdParameters'): HELD_COUNT,
}
TAKES_COUNT = {'StdVideoH265HrdParameters', 'StdVideoH265SequenceParameterSetVui'}
LENGTHS = {
    ('StdVideoH265HrdParameters', 'pSubLayerHrdParametersNal'): HELD_COUNT,
    ('StdVideoH265HrdParameters', 'pSubLayerHrdParametersVcl'): HELD_COUNT,
}


def types(include_folder):
    """The structures that the headers declare."""
    found = set()
    for header in HEADERS:
        with open(include_folder + '/' + header, encoding='utf-8') as file:
            found.update(re.findall(r'^} (\w+);', file.read(), re.M))
    return found
