// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A build without optical circuits has no planners of fabrics to print.

#include "Commands.h"

void moe::plan::registerFabricPrintings() {}
