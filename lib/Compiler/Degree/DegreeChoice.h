// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The best degree of a layer.

#ifndef MOE_LIB_COMPILER_DEGREE_DEGREECHOICE_H
#define MOE_LIB_COMPILER_DEGREE_DEGREECHOICE_H

#include "ChunkedLayer.h"
#include "moe/Compiler/Decision.h"
#include "moe/Schedule/BeamSearch.h"
#include "moe/Schedule/GradientPartition.h"
#include "moe/Transforms/Passes.h"

namespace moe {

/// A form of a layer, whose order has a place `G` for gradients, and what it
/// takes by plan.
struct DegreeCandidate {
  schedule::BackwardChoice time;
  LayerVariant form;
  /// Whether chunks have sizes that the machine was not measured at.
  bool isExtrapolated = false;
};

/// All possible degrees of a layer in the order, by degree; with
/// `ChunkOrder::Best` also the best orders for gradients that take
/// `gradientsUs` each.
std::vector<DegreeCandidate> listCandidates(const ChunkedLayer &layer,
                                            ChunkOrder order,
                                            llvm::ArrayRef<double> gradientsUs);

/// Every possible degree of at least two chunks in its best order beside
/// gradients that take `gradientUs`, by degree.
std::vector<DegreeCandidate> listBestOrders(const ChunkedLayer &layer,
                                            double gradientUs);

/// A layer in chunks of so many parts each.
struct UnequalVariant {
  DegreeCandidate candidate;
  llvm::SmallVector<int64_t> parts;
};
UnequalVariant makeUnequal(const PartedLayer &layer, llvm::StringRef order,
                           llvm::ArrayRef<int64_t> parts);

/// Forms in chunks of unequal sizes that take less than `lessThanUs` beside
/// gradients that take `gradientUs`, each in its best order or in the fixed
/// one: the best sizes of each degree up to `maxDegree` that may have such.
struct UnequalVariants {
  std::vector<UnequalVariant> forms;
  /// What no sizes of any degree beat in any order.
  double lowerBoundUs = 0;
};
UnequalVariants listUnequal(const PartedLayer &layer, ChunkOrder order,
                            int64_t maxDegree, double gradientUs,
                            double lessThanUs);

/// The fastest beside gradients that take `gradientUs`; of equal ones, which
/// differ from the least by the fraction `uncertainty` of it or by rounding,
/// the one of the fewest chunks. Null for none.
const DegreeCandidate *findFastest(llvm::ArrayRef<DegreeCandidate> candidates,
                                   double gradientUs, double uncertainty);

/// "4 equal chunks"; "no pipeline" for one.
std::string describeChunkCount(int64_t count);

/// Equal chunks of a layer by their number, as a decision shows them. `notes`
/// gets the bound on all of them.
std::vector<Candidate> listDegrees(const ChunkedLayer &layer, ChunkOrder order,
                                   std::vector<std::string> &notes);

} // namespace moe

#endif // MOE_LIB_COMPILER_DEGREE_DEGREECHOICE_H
