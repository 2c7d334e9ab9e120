// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fabric of moe-sim.

#ifndef MOE_TOOLS_MOESIM_FABRICUSEOPTION_H
#define MOE_TOOLS_MOESIM_FABRICUSEOPTION_H

#include "moe/Circuits/FabricOption.h"
#include "moe/Compiler/Prediction.h"

namespace moe {

/// `--fabric`, what else is said of it, and `--circuits`.
class FabricUseOption {
public:
  explicit FabricUseOption(OptionTable &table);

  bool isSet() const { return fabric.isSet(); }
  /// What is wrong with the options together; empty when nothing is.
  std::string check() const;

  /// The fabric for a program of so many ranks, servers having as many as the
  /// machine's; nothing where none was given. With 0 ranks only what is wrong
  /// with the options themselves is found.
  cost::Result<std::optional<FabricUse>>
  read(int64_t ranks, const cost::Machine *machine = nullptr) const;

private:
  FabricOption fabric;
  TextOption circuits;
};

} // namespace moe

#endif // MOE_TOOLS_MOESIM_FABRICUSEOPTION_H
