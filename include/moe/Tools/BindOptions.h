// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Option tables on the command line.

#ifndef MOE_TOOLS_BINDOPTIONS_H
#define MOE_TOOLS_BINDOPTIONS_H

#include "moe/Options/Option.h"
#include "llvm/Support/CommandLine.h"
#include <memory>
#include <vector>

namespace moe {

/// Makes the current options of a table available on the command line. The
/// table must outlive this object.
class BoundOptions {
public:
  BoundOptions(OptionTable &table, llvm::cl::SubCommand &command);
  BoundOptions(OptionTable &table, llvm::cl::OptionCategory &category);
  ~BoundOptions();

private:
  std::vector<std::unique_ptr<llvm::cl::Option>> options;
};

/// Returns true if a command has an option with this name.
bool hasOption(llvm::cl::SubCommand &command, llvm::StringRef name);

} // namespace moe

#endif // MOE_TOOLS_BINDOPTIONS_H
