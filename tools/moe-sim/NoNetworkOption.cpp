// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A build without optical circuits has no model of fabrics.

#include "NetworkOption.h"

std::unique_ptr<moe::NetworkOption> moe::makeNetworkOption(OptionTable &) {
  return nullptr;
}
