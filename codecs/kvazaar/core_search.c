/* SPDX-License-Identifier: MIT */
/* kvazaar's search.c, unchanged. The search of a block's intra modes is that of refresh.c.
 */
#undef kvz_search_cu_intra /* other names, of 10 bits */
#undef kvz_search_cu_intra_chroma
#define kvz_search_cu_intra rp_kvazaar_search_cu_intra
#define kvz_search_cu_intra_chroma rp_kvazaar_search_cu_intra_chroma
#include "search.c"
