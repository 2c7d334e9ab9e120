// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface: prediction of expert loads.

#include "extend/Call.h"
#include "moe/Fabric/LoadPrediction.h"
#include "moert_plan.h"

using namespace moert;
namespace fabric = moe::fabric;

/// Converts one load to shares; an error names the array.
static Status readLoad(const char *what, const double *tokens, int64_t experts,
                       fabric::Load &load) {
  auto read = fabric::normalizeLoad({tokens, tokens + experts});
  if (!read)
    return Status(MOERT_INVALID_ARGUMENT,
                  std::string(what) + ": " + read.getError());
  load = std::move(*read);
  return {};
}

moert_status moert_plan_predict_load(int32_t num_experts, int32_t num_samples,
                                     const double *before, const double *after,
                                     const double *weights, const double *now,
                                     int64_t rounds, double *predicted,
                                     moert_plan_load_result *result) {
  return answer(nullptr, __func__, [&]() -> Status {
    Status status = expectIn("num_experts", num_experts, 1, 4096);
    if (status.ok())
      status = expectIn("num_samples", num_samples, 1, 65536);
    if (status.ok())
      status = expectIn("rounds", rounds, 1, int64_t(1) << 40);
    if (!status.ok())
      return status;
    struct {
      const void *pointer;
      const char *what;
    } places[] = {{before, "loads of the layer before"},
                  {after, "loads of the layer"},
                  {now, "the load of the layer before now"},
                  {predicted, "a place for the prediction"}};
    for (auto [pointer, what] : places)
      if (!pointer)
        return missing(what);
    std::vector<fabric::LoadSample> samples(static_cast<size_t>(num_samples));
    for (size_t k = 0; k < samples.size(); ++k) {
      size_t first = k * static_cast<size_t>(num_experts);
      status =
          readLoad("before", before + first, num_experts, samples[k].before);
      if (status.ok())
        status =
            readLoad("after", after + first, num_experts, samples[k].after);
      if (!status.ok())
        return status;
      if (weights)
        samples[k].weight = weights[k];
    }
    fabric::Load load;
    status = readLoad("now", now, num_experts, load);
    if (!status.ok())
      return status;
    fabric::FitOptions options;
    options.gap = 1e-10;
    options.rounds = rounds;
    auto fit = fabric::fitTransition(samples, options);
    if (!fit)
      return Status(MOERT_INVALID_ARGUMENT, fit.getError());
    fabric::Load next = fabric::predictLoad(fit->matrix, load);
    std::copy(next.begin(), next.end(), predicted);
    if (result)
      *result = {static_cast<int32_t>(fit->rank), fit->error, fit->gap};
    return {};
  });
}
