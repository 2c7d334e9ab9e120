// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of passes, each given once.

#ifndef MOE_SUPPORT_PASSOPTIONS_H
#define MOE_SUPPORT_PASSOPTIONS_H

#include "mlir/Pass/Pass.h"
#include "moe/Support/OldNames.h"
#include "moe/Support/OptionValues.h"

namespace moe {

/// MLIR takes the last of options that are given twice to a pass or a pipeline
/// and says nothing. What is wrong with the text of options instead:
/// "moe-pipeline: expected degree once, got it more than once"; empty when
/// nothing is. `user` is the pass or pipeline. Lists are given in one piece,
/// too.
std::string checkGivenOnce(llvm::StringRef user, llvm::StringRef options);

/// The message that an option of a pass is unknown, with those that there are
/// behind it; they are read from `pipeline`, the pass as text with its options.
/// Other messages stay as they are.
std::string describeOptions(std::string message, llvm::StringRef pipeline);

/// The base of our passes, wherever they are registered: in moe-opt and in the
/// plugin.
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
    // MLIR says that there is no such option, and not which there are; of a wrong
    // value it says nothing.
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
