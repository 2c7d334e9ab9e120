// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the bytes that collectives send.

#include "mlir/IR/BuiltinOps.h"
#include "moe/Analysis/Volumes.h"
#include "moe/Support/Report.h"
#include "moe/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"

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
  case VolumeBound::Even:
    return "even";
  case VolumeBound::Upper:
    return "upper";
  case VolumeBound::PerIteration:
    return "per-iteration";
  case VolumeBound::Unread:
    return "unread";
  }
  llvm_unreachable("unknown bound");
}

namespace {

/// Volumes of one kind of collective along the same axes.
struct Total {
  int64_t count = 0;
  /// The op of the last volume, because an op with chunks of several sizes has
  /// several consecutive volumes.
  Operation *last = nullptr;
  /// nullopt after an op with unknown bytes.
  std::optional<int64_t> bytes = 0;
  VolumeBound bound = VolumeBound::Exact;

  bool isExact() const { return bound == VolumeBound::Exact; }
  /// Returns the note for readers if the bytes are not exact.
  StringRef describe() const {
    return isExact()                      ? ""
           : bound == VolumeBound::Even   ? "with even routing"
           : bound == VolumeBound::Unread ? "not read: not counted"
                                          : "at most or per iteration";
  }
  /// Reduces the accuracy to the accuracy of another volume.
  void loosen(VolumeBound other) { bound = std::max(bound, other); }

  void add(const CollectiveVolume &volume) {
    count += volume.op != last;
    last = volume.op;
    std::optional<int64_t> more = volume.getTotalBytes();
    int64_t sum;
    if (bytes && more && !llvm::AddOverflow(*bytes, *more, sum))
      bytes = sum;
    else
      bytes.reset();
    loosen(volume.bound);
  }
};

/// Totals by axes, then by kind of collective, each in order of appearance.
using Totals = llvm::MapVector<std::pair<StringRef, StringRef>, Total>;

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
      makeOps(volumes).printCSV(os);
      break;
    case TableFormat::JSON:
      printJSON(os, volumes, totals);
      break;
    }
    os.flush();
    markAllAnalysesPreserved();
  }

private:
  static moe::support::Cell toCell(std::optional<int64_t> bytes) {
    return bytes ? moe::support::Cell(*bytes) : moe::support::Unknown{};
  }

  static moe::support::Report makeOps(ArrayRef<CollectiveVolume> volumes) {
    using moe::support::Column;
    moe::support::Report report({Column("function", ""), Column("layer", ""),
                                 Column("phase", ""), Column("op", ""),
                                 Column("axes", ""), Column("bytes", ""),
                                 Column("times", ""), Column("bound", "")});
    for (const CollectiveVolume &volume : volumes)
      report.addRow({volume.function.str(), volume.layer.str(),
                     volume.phase.str(), volume.kind.str(), volume.axes,
                     toCell(volume.bytes), volume.times,
                     stringify(volume.bound).str()});
    return report;
  }

  static moe::support::Report makeTotals(const Totals &totals) {
    using moe::support::Column;
    moe::support::Report report({Column("axes", ""), Column("op", ""),
                                 Column("count", ""), Column("bytes", ""),
                                 Column("exact", "")});
    for (const auto &[key, total] : totals)
      report.addRow({key.first.str(), key.second.str(), total.count,
                     toCell(total.bytes), total.isExact()});
    return report;
  }

  void printPretty(llvm::raw_ostream &os, const Totals &totals) {
    using moe::support::Column;
    moe::support::Report report(
        {Column("", "axes").atLeast(16),
         Column("", "collective").atLeast(18).after(1),
         Column("", "ops").right().atLeast(7).after(1),
         Column("", "bytes").right().atLeast(20).after(1).orElse("unknown"),
         Column("", "").after(1)});
    SmallVector<StringRef> axes;
    for (const auto &[key, total] : totals)
      if (!llvm::is_contained(axes, key.first))
        axes.push_back(key.first);
    auto add = [&](StringRef axis, StringRef op, const Total &total) {
      report.addRow({axis.str(), op.str(), total.count, toCell(total.bytes),
                     total.describe().str()});
    };
    for (StringRef axis : axes) {
      Total sum;
      for (const auto &[key, total] : totals) {
        if (key.first != axis)
          continue;
        add(axis, key.second, total);
        sum.count += total.count;
        sum.loosen(total.bound);
        int64_t bytes;
        if (sum.bytes && total.bytes &&
            !llvm::AddOverflow(*sum.bytes, *total.bytes, bytes))
          sum.bytes = bytes;
        else
          sum.bytes.reset();
      }
      add(axis, "total", sum);
    }
    os << "Bytes one rank sends to other ranks\n";
    report.printTable(os);
  }

  void printJSON(llvm::raw_ostream &os, ArrayRef<CollectiveVolume> volumes,
                 const Totals &totals) {
    llvm::json::OStream json(os, /*IndentSize=*/2);
    json.object([&] {
      json.attributeArray("ops", [&] { makeOps(volumes).printItems(json); });
      json.attributeArray("totals",
                          [&] { makeTotals(totals).printItems(json); });
    });
    os << '\n';
  }
};

} // namespace
