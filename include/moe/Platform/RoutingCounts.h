//===- RoutingCounts.h - Reading tokens per expert --------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_PLATFORM_ROUTINGCOUNTS_H
#define MOE_PLATFORM_ROUTINGCOUNTS_H

#include "moe/Cost/Result.h"

#include <string>
#include <string_view>
#include <vector>

namespace moe::platform {

/// Tokens that each expert got, one row for each source; a single row stands
/// for all of them. At least one row, all of the same length of at least one,
/// whole numbers in [0, 2^53].
using RoutingCounts = std::vector<std::vector<double>>;

/// Reads counts: {"counts": [tokens of each expert]} or {"counts": [[...],
/// ...]} with a row a source. The failure is one line: file, line and column,
/// the path of the key, what is allowed, and what was found.
cost::Result<RoutingCounts> loadRoutingCounts(const std::string &path);

/// The same for a text; `name` stands for the file in messages.
cost::Result<RoutingCounts> parseRoutingCounts(std::string_view text,
                                               const std::string &name);

} // namespace moe::platform

#endif // MOE_PLATFORM_ROUTINGCOUNTS_H
