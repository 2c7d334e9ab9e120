//===- RoutingCounts.cpp - Reading tokens per expert ----------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Platform/RoutingCounts.h"
#include "moe/Support/ObjectReader.h"
#include "moe/Support/TextFile.h"

#include <cmath>

using namespace moe;
using namespace moe::platform;
using namespace moe::support;

/// Whole numbers up to this are exact in floating point.
static constexpr double kMaxCount = 0x1p53;

static std::vector<double> readRow(ReaderContext &context,
                                   const std::vector<JsonValue> &items,
                                   const std::string &path) {
  std::vector<double> row;
  for (size_t i = 0; i < items.size(); ++i) {
    // Scripts that compute a count may well write it as 1024.0.
    double number = items[i].number;
    if (items[i].kind != JsonValue::Kind::Number || number < 0 ||
        number != std::floor(number) || number > kMaxCount)
      context.fail(items[i].place, path + "[" + std::to_string(i) + "]",
                   "expected a whole number in [0, 2^53], got " +
                       items[i].describe());
    row.push_back(number);
  }
  return row;
}

cost::Result<RoutingCounts>
moe::platform::parseRoutingCounts(std::string_view text,
                                  const std::string &name) {
  cost::Result<JsonValue> root = parseJson(text, name);
  if (!root)
    return root.getFailure();
  ReaderContext context{name, ""};
  ObjectReader reader(context, *root, "");
  RoutingCounts counts;
  const std::vector<JsonValue> *items =
      context.hasFailed() ? nullptr : reader.findArray("counts");
  if (!context.hasFailed() && (!items || items->empty()))
    reader.fail("counts",
                std::string("expected an array of tokens per expert, or of one "
                            "such array a source, got ") +
                    (items ? "an empty array" : "nothing: the key is missing"));
  if (!context.hasFailed()) {
    if (items->front().kind != JsonValue::Kind::Array)
      counts.push_back(readRow(context, *items, "counts"));
    else
      for (size_t i = 0; i < items->size(); ++i) {
        const JsonValue &row = (*items)[i];
        std::string path = "counts[" + std::to_string(i) + "]";
        size_t expected = items->front().items.size();
        if (row.kind != JsonValue::Kind::Array || row.items.empty() ||
            row.items.size() != expected)
          context.fail(
              row.place, path,
              "expected an array of " +
                  (expected ? std::to_string(expected) + " numbers"
                            : std::string("at least one number")) +
                  " like the first, got " +
                  (row.kind == JsonValue::Kind::Array
                       ? "an array of " + std::to_string(row.items.size())
                       : row.describe()));
        counts.push_back(readRow(context, row.items, path));
      }
    reader.finish();
  }
  if (context.hasFailed())
    return cost::Failure{context.problem};
  return counts;
}

cost::Result<RoutingCounts>
moe::platform::loadRoutingCounts(const std::string &path) {
  cost::Result<std::string> text =
      readTextFile(path, "a file of tokens per expert");
  if (!text)
    return text.getFailure();
  return parseRoutingCounts(*text, path);
}
