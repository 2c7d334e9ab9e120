// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The base of all passes of this project.

#ifndef MOE_SUPPORT_PASSBASE_TD
#define MOE_SUPPORT_PASSBASE_TD

include "mlir/Pass/PassBase.td"

/// A pass on an op; each of its options may be given only once.
class MoEPass<string argument, string operation>
    : PassBase<argument, "::moe::MoEPass<" # operation # ">">;

/// Option of passes that predict times.
def PlatformOption
    : Option<"platform", "platform", "std::string", "\"\"",
             "Platform file (JSON) or name of a shipped platform (default: the "
             "module's platform)">;

#endif // MOE_SUPPORT_PASSBASE_TD
