// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads arguments from files and writes results to files.

#ifndef MOE_INTERPRETER_ARRAYS_H
#define MOE_INTERPRETER_ARRAYS_H

#include "moe/Cost/Result.h"
#include "moe/Interpreter/Arguments.h"
#include "moe/Interpreter/Program.h"
#include "llvm/Support/SourceMgr.h"

namespace moe {

/// An argument and the file with its values.
struct ArrayInput {
  /// The argument's number, or its name in the program's text with or without
  /// `%`.
  std::string argument;
  /// With `{rank}` in the path, each rank has its own file.
  std::string file;
};

/// Reads the arguments of a program from their files. The program's text must
/// be in `sources`, because arguments may be given by name. Checks the element
/// type and the shape, and that ranks which hold the same data are given the
/// same data.
std::optional<cost::Failure> loadArrays(llvm::ArrayRef<ArrayInput> inputs,
                                        const Program &program,
                                        const llvm::SourceMgr &sources,
                                        ArgumentOptions &arguments);

/// Writes result i of all ranks to `<directory>/result<i>.npy`; the first dim
/// is the rank. Creates the directory if it does not exist.
std::optional<cost::Failure>
writeArrays(llvm::StringRef directory, const Program &program,
            const std::vector<RankTensors> &results);

} // namespace moe

#endif // MOE_INTERPRETER_ARRAYS_H
