/* Each stands alone, and guards itself. */
#include "moert_plan.h"
#include "moert_ocs.h"
#include "moert_extend.h"
#include "moert_ocs.h"
#include "moert_plan.h"

moert_status ok(const moert_ocs_config *ocs, const moert_plan_level *level);
moert_status ok(const moert_ocs_config *ocs, const moert_plan_level *level) {
  moert_plan_circuits_args args;
  moert_ocs_region_config region;
  if (moert_plan_circuits_default(&args) != MOERT_OK ||
      moert_ocs_region_config_default(&region) != MOERT_OK)
    return MOERT_BACKEND_ERROR;
  return ocs && level ? MOERT_OK : MOERT_INVALID_ARGUMENT;
}
