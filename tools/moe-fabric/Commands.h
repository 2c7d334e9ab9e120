// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The planners of fabrics as commands.

#ifndef MOE_TOOLS_MOE_FABRIC_COMMANDS_H
#define MOE_TOOLS_MOE_FABRIC_COMMANDS_H

namespace moe::plan {

/// Registers the printers of the fabric planners' answers; does nothing in a
/// build without fabrics (tools/moe-plan/NoFabricCommands.cpp).
void registerFabricPrintings();

} // namespace moe::plan

#endif // MOE_TOOLS_MOE_FABRIC_COMMANDS_H
