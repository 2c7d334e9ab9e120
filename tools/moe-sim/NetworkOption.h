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
  /// Checks the options together. Returns the error, empty if there is none.
  virtual std::string check() const = 0;
  /// Returns the network for a program with `ranks` ranks, or null if none was
  /// given. With 0 ranks, only checks the options themselves.
  virtual cost::Result<std::unique_ptr<NetworkModel>>
  read(int64_t ranks, const cost::Machine *machine = nullptr) const = 0;
};

/// Adds the options to the table; null in a build without such a model.
std::unique_ptr<NetworkOption> makeNetworkOption(OptionTable &table);

} // namespace moe

#endif // MOE_TOOLS_MOESIM_NETWORKOPTION_H
