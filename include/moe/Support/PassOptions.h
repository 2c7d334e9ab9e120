// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of passes that may be given only once.

#ifndef MOE_SUPPORT_PASSOPTIONS_H
#define MOE_SUPPORT_PASSOPTIONS_H

#include "mlir/Pass/Pass.h"
#include "moe/Support/OldNames.h"
#include "moe/Support/OptionValues.h"

namespace moe {

/// Returns an error if an option of a pass or pipeline is given twice, because
/// MLIR silently takes the last one. For example: "moe-pipeline: expected
/// degree once, got it more than once"; empty if none. `user` is the pass or
/// pipeline. Lists must also be given in one piece.
std::string checkGivenOnce(llvm::StringRef user, llvm::StringRef options);

/// Appends the available options to a message about an unknown option of a
/// pass; `pipeline` is the pass as text with its options. Returns other
/// messages unchanged.
std::string describeOptions(std::string message, llvm::StringRef pipeline);

/// The base of all passes of this project, both in moe-opt and in the plugin.
template <typename OpT> class MoEPass : public mlir::OperationPass<OpT> {
public:
  llvm::LogicalResult
  initializeOptions(llvm::StringRef given,
                    llvm::function_ref<llvm::LogicalResult(const llvm::Twine &)>
                        report) override {
    std::string options = renameOptions(given);
    if (std::string problem = checkGivenOnce(this->getArgument(), options);
        !problem.empty())
      return report(problem);
    CollectedProblems values;
    // MLIR reports that an option is unknown without listing the available
    // ones, and does not report an invalid value.
    return mlir::OperationPass<OpT>::initializeOptions(
        options, [&](const llvm::Twine &message) {
          if (!values.getText().empty())
            return report(this->getArgument() + ": " + values.getText());
          std::string text;
          llvm::raw_string_ostream os(text);
          this->printAsTextualPipeline(os);
          return report(describeOptions(message.str(), text));
        });
  }

protected:
  using mlir::OperationPass<OpT>::OperationPass;
};

} // namespace moe

#endif // MOE_SUPPORT_PASSOPTIONS_H
