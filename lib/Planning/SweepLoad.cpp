// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Token loads of experts in a swept job.

#include "moe/Planning/SweepLoad.h"
#include "moe/Planning/Answers.h"
#include "moe/Traffic/Generate.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::traffic;

/// Tokens of a generated trace, enough for counts to round by less than 0.1 %.
static constexpr int64_t kTokens = int64_t(1) << 20;

/// The file's name in commands.
static constexpr const char *kMadeFile = "busy.json";

double ExpertLoad::getBusiest(int64_t ep) const {
  auto skew = schedule::getExpertSkew(counts, ep, std::nullopt);
  return skew ? skew->load : 1;
}

SweepLoadOptions::SweepLoadOptions(OptionTable &table)
    : routing(table),
      traffic(table, "traffic",
              "With --routing=dropless: file of tokens per expert, or "
              "routing trace of one layer, used for all layers "
              "(default: balanced routing)",
              "FILE"),
      imbalance(table, "imbalance",
                "Tokens of the busiest expert over an even share, instead of "
                "--traffic; all other experts get equal shares (default: 1)") {}

std::string SweepLoadOptions::getShownFile() const {
  return command.empty() ? file : kMadeFile;
}

std::string SweepLoadOptions::getGiven() const {
  return imbalance.isSet() ? "--imbalance=" + imbalance.getText().str()
         : file.empty()    ? ""
                           : "--traffic=" + file;
}

std::optional<Failure> SweepLoadOptions::makeTrace(const ModelConfig &config) {
  GenerateOptions options;
  options.pattern = Pattern::Busy;
  options.numExperts = config.numExperts;
  options.tokens = kTokens;
  options.topK = config.topK;
  Result<double> factor = imbalance.read();
  if (!factor)
    return factor.getFailure();
  options.imbalance = *factor;
  Result<Trace> trace = generate(options);
  if (!trace)
    return makeFailure("--" + trace.getError());
  SmallString<128> path;
  int handle = -1;
  if (std::error_code error =
          sys::fs::createTemporaryFile("moe-busy", "json", handle, path))
    return makeFailure("--imbalance: expected a folder for temporary files to "
                       "write to, got: " +
                       error.message());
  file = path.str().str();
  remover.setFile(file);
  raw_fd_ostream out(handle, /*shouldClose=*/true);
  out << printTrace(*trace);
  out.flush();
  if (out.has_error()) {
    std::string problem = out.error().message();
    out.clear_error();
    return makeFailure("--imbalance: expected to write " + file +
                       ", got: " + problem);
  }
  command = formatv("moe-plan traffic --generate=busy --imbalance={0} "
                    "--ranks=1 --experts={1} --top-k={2} --tokens={3} > {4}",
                    imbalance.getText(), config.numExperts,
                    config.getSentTopK(), kTokens, kMadeFile)
                .str();
  return std::nullopt;
}

Result<std::optional<ExpertLoad>>
SweepLoadOptions::readLoad(const ModelConfig &config,
                           const ImportOptions &options) {
  bool hasTraffic = traffic.isSet();
  if (!hasTraffic && !imbalance.isSet())
    return std::optional<ExpertLoad>();
  StringRef given = hasTraffic ? "traffic" : "imbalance";
  if (hasTraffic && imbalance.isSet())
    return makeFailure("--imbalance is not supported with --traffic");
  if (options.routing != Routing::Dropless)
    return makeFailure("--" + given +
                       " requires --routing=dropless, because padded buffers "
                       "have the same size for every routing");
  if (!hasTraffic) {
    if (auto failure = makeTrace(config))
      return *failure;
  } else {
    file = traffic;
  }
  Result<Trace> trace = loadTrace(file);
  if (!trace)
    return makeFailure("--" + given + ": " + trace.getError());
  if (trace->isRankToRank)
    return makeFailure("--traffic: " + file +
                       ": expected counts of experts, which are spread over as "
                       "many ranks as a layout has, got what ranks send to "
                       "ranks");
  if (trace->numExperts != config.numExperts)
    return makeFailure("--traffic: " + file + ": expected counts of the " +
                       Twine(config.numExperts) +
                       " experts of the model, got " +
                       Twine(trace->numExperts));
  for (const StepTraffic &step : trace->steps)
    for (const LayerTraffic &layer : step.layers)
      if (!layer.layer.empty())
        return makeFailure(
            "--traffic: " + file +
            ": expected counts for all layers, {\"counts\": [...]}, because "
            "stages hold different layers, got counts of layer \"" +
            layer.layer + "\"");
  if (trace->numRanks != 1)
    return makeFailure("--traffic: " + file +
                       ": expected one row for all ranks, of which layouts "
                       "have different numbers, got " +
                       Twine(trace->numRanks) + " rows");
  return std::optional(ExpertLoad{trace->getTotal()});
}
