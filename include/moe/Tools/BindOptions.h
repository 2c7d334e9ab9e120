// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of options on the command line.

#ifndef MOE_TOOLS_BINDOPTIONS_H
#define MOE_TOOLS_BINDOPTIONS_H

#include "moe/Options/Option.h"
#include "llvm/Support/CommandLine.h"
#include <memory>
#include <vector>

namespace moe {

/// Lets the command line give the options of a table, which must outlive it:
/// those that the table has by now.
class BoundOptions {
public:
  BoundOptions(OptionTable &table, llvm::cl::SubCommand &command);
  BoundOptions(OptionTable &table, llvm::cl::OptionCategory &category);
  ~BoundOptions();

private:
  std::vector<std::unique_ptr<llvm::cl::Option>> options;
};

/// Whether a command takes an option of that name.
bool hasOption(llvm::cl::SubCommand &command, llvm::StringRef name);

} // namespace moe

#endif // MOE_TOOLS_BINDOPTIONS_H
