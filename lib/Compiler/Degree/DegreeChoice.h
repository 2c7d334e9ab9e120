// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice of layers' degrees.

#ifndef MOE_LIB_COMPILER_DEGREE_DEGREECHOICE_H
#define MOE_LIB_COMPILER_DEGREE_DEGREECHOICE_H

#include "ChunkedLayer.h"
#include "moe/Compiler/Decision.h"
#include "moe/Schedule/BeamSearch.h"
#include "moe/Schedule/GradientPartition.h"
#include "moe/Transforms/Passes.h"

namespace moe {

/// A layer variant with a position `G` for gradients in its order, and its
/// planned time.
struct DegreeCandidate {
  schedule::BackwardChoice time;
  LayerVariant form;
  /// True if chunks have sizes outside the measured range of the machine.
  bool isExtrapolated = false;
};

/// Returns all possible degrees with the given order, by degree. With
/// `ChunkOrder::Best`, also returns the best orders for gradients that take
/// `gradientsUs` each.
std::vector<DegreeCandidate> listCandidates(const ChunkedLayer &layer,
                                            ChunkOrder order,
                                            llvm::ArrayRef<double> gradientsUs);

/// Returns every possible degree of at least two chunks in its best order with
/// overlapped gradients that take `gradientUs`, by degree.
std::vector<DegreeCandidate> listBestOrders(const ChunkedLayer &layer,
                                            double gradientUs);

/// A layer in chunks with these numbers of parts.
struct UnequalVariant {
  DegreeCandidate candidate;
  llvm::SmallVector<int64_t> parts;
};
UnequalVariant makeUnequal(const PartedLayer &layer, llvm::StringRef order,
                           llvm::ArrayRef<int64_t> parts);

/// Variants in chunks of unequal sizes that take less than `lessThanUs` with
/// overlapped gradients of `gradientUs`, each in its best order or in the fixed
/// one. Contains the best sizes of each degree up to `maxDegree` that may have
/// such variants.
struct UnequalVariants {
  std::vector<UnequalVariant> forms;
  /// Lower bound for all sizes, degrees and orders.
  double lowerBoundUs = 0;
};
UnequalVariants listUnequal(const PartedLayer &layer, ChunkOrder order,
                            int64_t maxDegree, double gradientUs,
                            double lessThanUs);

/// Returns the fastest candidate with overlapped gradients that take
/// `gradientUs`. Among candidates within the fraction `uncertainty` of the
/// minimum, or within rounding, returns the one with the fewest chunks. May be
/// null.
const DegreeCandidate *findFastest(llvm::ArrayRef<DegreeCandidate> candidates,
                                   double gradientUs, double uncertainty);

/// Returns, for example, "4 equal chunks"; "no pipeline" for one.
std::string describeChunkCount(int64_t count);

/// Returns candidates of equal chunks by their number, for a decision. Adds the
/// bound on all of them to `notes`.
std::vector<Candidate> listDegrees(const ChunkedLayer &layer, ChunkOrder order,
                                   std::vector<std::string> &notes);

} // namespace moe

#endif // MOE_LIB_COMPILER_DEGREE_DEGREECHOICE_H
