// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options that name output files.

#ifndef MOE_TOOLS_OUTPUTOPTION_H
#define MOE_TOOLS_OUTPUTOPTION_H

#include "llvm/Support/CommandLine.h"
#include <string>

namespace moe {

/// The path of a file that a tool writes after its work, or, if `isFolder`, of
/// a folder for several files.
class OutputOption : public llvm::cl::opt<std::string> {
public:
  using llvm::cl::opt<std::string>::opt;
  ~OutputOption() override;

  bool isSet() const { return getNumOccurrences() > 0; }

  bool isFolder = false;
  /// If set, "-" is standard output, which then has no other output.
  bool mayBeStdout = true;

private:
  /// Registration is explicit, because not all of LLVM's options have the type
  /// information to identify these among them.
  [[maybe_unused]] bool isListed = list(this);
  static bool list(const OutputOption *option);
};

/// Returns why the output of such an option cannot be written. For example:
/// "--report: none/x.html: expected a file that can be written, got: No such
/// file or directory"; empty if all outputs can be written. Must be called
/// after parsing the command line and before the work.
std::string checkOutputs();

} // namespace moe

#endif // MOE_TOOLS_OUTPUTOPTION_H
