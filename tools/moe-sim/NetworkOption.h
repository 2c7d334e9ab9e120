// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of moe-sim that select a model of the network.

#ifndef MOE_TOOLS_MOESIM_NETWORKOPTION_H
#define MOE_TOOLS_MOESIM_NETWORKOPTION_H

#include "moe/Compiler/NetworkModel.h"
#include "moe/Options/Option.h"

namespace moe {

class NetworkOption {
public:
  virtual ~NetworkOption() = default;

  virtual bool isSet() const = 0;
  /// What is wrong with the options together; empty when nothing is.
  virtual std::string check() const = 0;
  /// The network for a program of so many ranks; null where none was given.
  /// With 0 ranks only what is wrong with the options themselves is found.
  virtual cost::Result<std::unique_ptr<NetworkModel>>
  read(int64_t ranks, const cost::Machine *machine = nullptr) const = 0;
};

/// Adds the options to the table; null in a build without such a model.
std::unique_ptr<NetworkOption> makeNetworkOption(OptionTable &table);

} // namespace moe

#endif // MOE_TOOLS_MOESIM_NETWORKOPTION_H
