/* SPDX-License-Identifier: MIT */
/* Libraries that are opened at run time (platform/module.h).
 */
#include "platform/module.h"

#include "test.h"

static void
symbols_are_those_of_what_a_library_needs_too(void)
{
    void *driver = rp_module_open(RP_TEST_DRIVER);
    REQUIRE(driver);
    REQUIRE(rp_module_symbol(driver, "vk_icdGetInstanceProcAddr"));
    REQUIRE(rp_module_symbol(driver, "malloc")); /* of the C library */
    REQUIRE(!rp_module_symbol(driver, "rp_no_such_function"));
    rp_module_close(driver);
}

int
main(void)
{
    RUN(symbols_are_those_of_what_a_library_needs_too);
    return 0;
}
