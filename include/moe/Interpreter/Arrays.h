// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments from files, results to files.

#ifndef MOE_INTERPRETER_ARRAYS_H
#define MOE_INTERPRETER_ARRAYS_H

#include "moe/Cost/Result.h"
#include "moe/Interpreter/Arguments.h"
#include "moe/Interpreter/Program.h"
#include "llvm/Support/SourceMgr.h"

namespace moe {

/// Where an argument is from.
struct ArrayInput {
  /// A number, or a name in the program's text with or without its %.
  std::string argument;
  /// With `{rank}` a file for each rank.
  std::string file;
};

/// Reads the arguments of a program, whose text is among `sources`, from their
/// files and checks them: element type and shape, and that ranks which hold
/// the same data are given the same.
std::optional<cost::Failure> loadArrays(llvm::ArrayRef<ArrayInput> inputs,
                                        const Program &program,
                                        const llvm::SourceMgr &sources,
                                        ArgumentOptions &arguments);

/// Writes result i of all ranks to `result<i>.npy` in a directory, which is
/// made if it is not there, the ranks as the first dim.
std::optional<cost::Failure>
writeArrays(llvm::StringRef directory, const Program &program,
            const std::vector<RankTensors> &results);

} // namespace moe

#endif // MOE_INTERPRETER_ARRAYS_H
