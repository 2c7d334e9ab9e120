// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tools register of optical circuits and fabrics.
//
// The component is optional. A build without it (MOE_ENABLE_CIRCUITS=OFF) has
// the same functions, which register nothing.

#ifndef MOE_CIRCUITS_REGISTER_H
#define MOE_CIRCUITS_REGISTER_H

namespace moe {

/// Adds the planners of fabrics and circuits to the list of planners.
void registerCircuitPlanners();

} // namespace moe

#endif // MOE_CIRCUITS_REGISTER_H
