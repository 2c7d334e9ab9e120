// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options that name what is written.

#ifndef MOE_TOOLS_OUTPUTOPTION_H
#define MOE_TOOLS_OUTPUTOPTION_H

#include "llvm/Support/CommandLine.h"
#include <string>

namespace moe {

/// The path of a file that a tool writes when its work is done; or, with
/// `isFolder`, of a folder for several.
class OutputOption : public llvm::cl::opt<std::string> {
public:
  using llvm::cl::opt<std::string>::opt;
  ~OutputOption() override;

  bool isSet() const { return getNumOccurrences() > 0; }

  bool isFolder = false;
  /// Whether "-" is standard output, which nothing else goes to then.
  bool mayBeStdout = true;

private:
  /// Not all of LLVM's options have the type information that would tell these
  /// among them.
  [[maybe_unused]] bool isListed = list(this);
  static bool list(const OutputOption *option);
};

/// Why what is named by such an option, and given, cannot be written:
/// "--report: none/x.html: expected a file that can be written, got: No such
/// file or directory"; empty when all can. To be called when the command line has
/// been parsed, before the work.
std::string checkOutputs();

} // namespace moe

#endif // MOE_TOOLS_OUTPUTOPTION_H
