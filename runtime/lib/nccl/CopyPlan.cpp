// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Box copies on GPUs.

#include "nccl/CopyPlan.h"
#include <cstdlib>

using namespace moert;
using namespace moert::nccl;

/// Returns the size of the widest word that divides the rows of a box, in
/// bytes.
static int64_t getWordBytes(const Box &box, const void *target,
                            const void *source, int64_t elementBytes) {
  if (box.sizes.empty() || box.targetStrides.back() != 1 ||
      box.sourceStrides.back() != 1)
    return elementBytes;
  int64_t bits = static_cast<int64_t>(reinterpret_cast<uintptr_t>(target) |
                                      reinterpret_cast<uintptr_t>(source)) |
                 box.sizes.back() * elementBytes;
  for (size_t d = 0; d + 1 < box.sizes.size(); ++d)
    bits |= box.targetStrides[d] * elementBytes |
            box.sourceStrides[d] * elementBytes;
  int64_t word = elementBytes;
  while (word < 16 && bits % (2 * word) == 0)
    word *= 2;
  return word;
}

CopyPlan nccl::planCopy(const Box &box, void *target, const void *source,
                        size_t elementBytes) {
  CopyPlan plan;
  auto bytes = static_cast<int64_t>(elementBytes);
  int64_t word = getWordBytes(box, target, source, bytes);
  cuda::BoxArgs &args = plan.args;
  args.target = target;
  args.source = source;
  args.elementBytes = static_cast<int>(word);
  args.dims = static_cast<int>(box.sizes.size());
  args.count = 1;
  int64_t targetReach = 0, sourceReach = 0;
  for (int d = 0; d < args.dims; ++d) {
    bool isRow = d + 1 == args.dims && word != bytes;
    args.sizes[d] = isRow ? box.sizes[d] * bytes / word : box.sizes[d];
    args.targetStrides[d] = isRow ? 1 : box.targetStrides[d] * bytes / word;
    args.sourceStrides[d] = isRow ? 1 : box.sourceStrides[d] * bytes / word;
    args.count *= args.sizes[d];
    targetReach += (args.sizes[d] - 1) * std::abs(args.targetStrides[d]);
    sourceReach += (args.sizes[d] - 1) * std::abs(args.sourceStrides[d]);
  }
  // Indices of threads exceed the end by up to one step of all threads.
  constexpr int64_t kNarrow = 1 << 30;
  args.isNarrow =
      args.count <= kNarrow && targetReach <= kNarrow && sourceReach <= kNarrow;

  int last = args.dims - 1;
  bool isRun =
      args.dims == 0 || (args.dims == 1 && args.targetStrides[0] == 1 &&
                         args.sourceStrides[0] == 1);
  // A tile that is mostly empty is not worth its barriers.
  bool isTurned = args.dims >= 2 && args.targetStrides[last] == 1 &&
                  args.sourceStrides[last] != 1 &&
                  args.sourceStrides[last - 1] == 1 && args.sizes[last] >= 16 &&
                  args.sizes[last - 1] >= 16;
  plan.way = isRun      ? CopyPlan::Way::Run
             : isTurned ? CopyPlan::Way::Tiles
                        : CopyPlan::Way::Words;
  return plan;
}
