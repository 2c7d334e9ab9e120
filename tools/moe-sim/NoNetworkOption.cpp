// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A build without network fabrics has no model of one.

#include "NetworkOption.h"

std::unique_ptr<moe::NetworkOption> moe::makeNetworkOption(OptionTable &) {
  return nullptr;
}
