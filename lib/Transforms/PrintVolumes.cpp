//===- PrintVolumes.cpp - Print what collectives send -----------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/BuiltinOps.h"
#include "moe/Analysis/Volumes.h"
#include "moe/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

namespace moe {
#define GEN_PASS_DEF_PRINTVOLUMES
#include "moe/Transforms/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

static StringRef stringify(VolumeBound bound) {
  switch (bound) {
  case VolumeBound::Exact:
    return "exact";
  case VolumeBound::Upper:
    return "upper";
  case VolumeBound::PerIteration:
    return "per-iteration";
  }
  llvm_unreachable("unknown bound");
}

namespace {

/// Volumes of one kind of collective along the same axes.
struct Total {
  int64_t count = 0;
  /// An op with chunks of several sizes has a volume for each, in a row.
  Operation *last = nullptr;
  /// nullopt once the bytes of one op are unknown.
  std::optional<int64_t> bytes = 0;
  bool exact = true;

  void add(const CollectiveVolume &volume) {
    count += volume.op != last;
    last = volume.op;
    std::optional<int64_t> more = volume.getTotalBytes();
    int64_t sum;
    if (bytes && more && !llvm::AddOverflow(*bytes, *more, sum))
      bytes = sum;
    else
      bytes.reset();
    exact &= volume.bound == VolumeBound::Exact;
  }
};

/// Totals by axes, then by kind of collective, each in order of appearance.
using Totals = llvm::MapVector<std::pair<StringRef, CollectiveKind>, Total>;

struct PrintVolumes : public moe::impl::PrintVolumesBase<PrintVolumes> {
  using PrintVolumesBase::PrintVolumesBase;

  void runOnOperation() override {
    SmallVector<CollectiveVolume> volumes = computeVolumes(getOperation());
    Totals totals;
    for (const CollectiveVolume &volume : volumes)
      totals[{volume.axes, volume.kind}].add(volume);
    llvm::raw_ostream &os = llvm::outs();
    switch (format) {
    case TableFormat::Pretty:
      printPretty(os, totals);
      break;
    case TableFormat::CSV:
      printCSV(os, volumes);
      break;
    case TableFormat::JSON:
      printJSON(os, volumes, totals);
      break;
    }
    os.flush();
    markAllAnalysesPreserved();
  }

private:
  static std::string formatBytes(std::optional<int64_t> bytes) {
    return bytes ? std::to_string(*bytes) : "unknown";
  }

  void printPretty(llvm::raw_ostream &os, const Totals &totals) {
    os << "Bytes one rank sends to other ranks\n";
    os << llvm::format("%-16s %-18s %7s %20s\n", "axes", "collective", "ops",
                       "bytes");
    SmallVector<StringRef> axes;
    for (const auto &[key, total] : totals)
      if (!llvm::is_contained(axes, key.first))
        axes.push_back(key.first);
    auto line = [&](StringRef axis, StringRef op, const Total &total) {
      os << llvm::format("%-16s %-18s %7lld %20s%s\n", axis.str().c_str(),
                         op.str().c_str(), static_cast<long long>(total.count),
                         formatBytes(total.bytes).c_str(),
                         total.exact ? "" : " at most or per iteration");
    };
    for (StringRef axis : axes) {
      Total sum;
      for (const auto &[key, total] : totals) {
        if (key.first != axis)
          continue;
        line(axis, stringifyCollectiveKind(key.second), total);
        sum.count += total.count;
        sum.exact &= total.exact;
        int64_t bytes;
        if (sum.bytes && total.bytes &&
            !llvm::AddOverflow(*sum.bytes, *total.bytes, bytes))
          sum.bytes = bytes;
        else
          sum.bytes.reset();
      }
      line(axis, "total", sum);
    }
  }

  void printCSV(llvm::raw_ostream &os, ArrayRef<CollectiveVolume> volumes) {
    // Names come from users: quoted where csv needs it.
    auto quote = [](StringRef text) {
      if (text.find_first_of(",\"\r\n") == StringRef::npos)
        return text.str();
      std::string quoted = "\"";
      for (char c : text)
        quoted += c == '"' ? "\"\"" : std::string(1, c);
      return quoted + "\"";
    };
    os << "function,layer,phase,op,axes,bytes,times,bound\n";
    for (const CollectiveVolume &volume : volumes) {
      os << quote(volume.function) << ',' << quote(volume.layer) << ','
         << volume.phase << ',' << stringifyCollectiveKind(volume.kind) << ','
         << quote(volume.axes) << ',';
      if (volume.bytes)
        os << *volume.bytes;
      os << ',' << volume.times << ',' << stringify(volume.bound) << '\n';
    }
  }

  void printJSON(llvm::raw_ostream &os, ArrayRef<CollectiveVolume> volumes,
                 const Totals &totals) {
    auto number = [](std::optional<int64_t> value) {
      return value ? llvm::json::Value(*value) : llvm::json::Value(nullptr);
    };
    llvm::json::OStream json(os, /*IndentSize=*/2);
    json.object([&] {
      json.attributeArray("ops", [&] {
        for (const CollectiveVolume &volume : volumes)
          json.object([&] {
            json.attribute("function", volume.function);
            json.attribute("layer", volume.layer);
            json.attribute("phase", volume.phase);
            json.attribute("op", stringifyCollectiveKind(volume.kind));
            json.attribute("axes", volume.axes);
            json.attribute("bytes", number(volume.bytes));
            json.attribute("times", volume.times);
            json.attribute("bound", stringify(volume.bound));
          });
      });
      json.attributeArray("totals", [&] {
        for (const auto &[key, total] : totals)
          json.object([&] {
            json.attribute("axes", key.first);
            json.attribute("op", stringifyCollectiveKind(key.second));
            json.attribute("count", total.count);
            json.attribute("bytes", number(total.bytes));
            json.attribute("exact", total.exact);
          });
      });
    });
    os << '\n';
  }
};

} // namespace
