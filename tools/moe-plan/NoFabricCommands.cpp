// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A build without network fabrics has no answers of their planners to print.

#include "../moe-fabric/Commands.h"

void moe::plan::registerFabricPrintings() {}
