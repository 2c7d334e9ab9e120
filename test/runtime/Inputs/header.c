/* Twice, because a header guards itself. */
#include "moert.h"
#include "moert.h"

#ifndef __cplusplus
#define static_assert _Static_assert
#endif

static_assert(MOERT_VERSION_MAJOR == 0 && MOERT_VERSION_MINOR == 16, "version");
static_assert(MOERT_OK == 0, "success is zero");
static_assert(MOERT_BACKEND_ERROR == 7, "codes keep their numbers");

moert_status ok(void);
moert_status ok(void) { return MOERT_OK; }
