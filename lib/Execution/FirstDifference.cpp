// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the first difference of results over all ranks.

#include "FirstDifference.h"

using namespace mlir;
using namespace moe;
using namespace moe::run;
using cost::Result;

Result<std::optional<std::string>>
moe::run::tellFirst(Job &job, const std::optional<Difference> &own,
                    llvm::function_ref<void(llvm::raw_ostream &)> print) {
  int64_t numRanks = job.getNumRanks();
  Result<int64_t> first =
      job.min(own ? own->result * numRanks + job.getRank() : INT64_MAX);
  if (!first)
    return first.getFailure();
  if (*first == INT64_MAX)
    return std::optional<std::string>();
  auto owner = static_cast<int32_t>(*first % numRanks);
  std::string words;
  llvm::raw_string_ostream os(words);
  if (job.getRank() == owner)
    print(os);
  Result<std::string> told = job.broadcast(words, owner);
  if (!told)
    return told.getFailure();
  return std::optional<std::string>(*told);
}

Result<std::optional<std::string>>
moe::run::tellGreatest(Job &job, const Tolerance &tolerance, TypeRange types,
                       const std::vector<RankTensors> &got,
                       const std::vector<RankTensors> &expected,
                       ArrayRef<double> magnitudes) {
  if (tolerance.isExact())
    return std::optional<std::string>();
  std::optional<GreatestDifference> own =
      findGreatestDifference(types, got, expected, magnitudes);
  Result<double> greatest = job.max(own ? own->share : 0);
  if (!greatest)
    return greatest.getFailure();
  std::optional<Difference> at;
  if (own && own->share == *greatest)
    at = own->at;
  return tellFirst(job, at, [&](llvm::raw_ostream &os) {
    os << printGreatestDifference(*own, job.getRank(), expected);
  });
}

Result<std::string>
moe::run::tellRounding(Job &job, TypeRange types,
                       const std::vector<RankTensors> &got,
                       const std::vector<RankTensors> &expected,
                       ArrayRef<double> magnitudes) {
  Tolerance rounding = getRounding(types);
  bool isFar = findFirstDifference(types, got, expected, rounding, magnitudes)
                   .has_value();
  Result<double> anyFar = job.max(isFar);
  if (!anyFar)
    return anyFar.getFailure();
  if (*anyFar > 0)
    return std::string();
  auto greatest =
      tellGreatest(job, rounding, types, got, expected, magnitudes);
  if (!greatest)
    return greatest.getFailure();
  std::string text;
  if (*greatest) {
    llvm::raw_string_ostream os(text);
    printWithinRounding(rounding, **greatest, os);
  }
  return text;
}
