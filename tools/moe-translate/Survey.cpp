// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command moe-translate --survey.

#include "Survey.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Frontend/ConfigSurvey.h"
#include "moe/Frontend/GateWords.h"
#include "moe/Options/JobOptions.h"
#include "moe/Support/Json.h"
#include "moe/Support/TextFile.h"
#include "moe/Tools/BindOptions.h"
#include "moe/Tools/GivenOnce.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace moe;

namespace {
/// Exit codes.
constexpr int kAllImport = 0, kOneFails = 1, kWrong = 2;

struct Surveyed {
  /// Path relative to the folder.
  std::string file;
  ConfigSurvey survey;
};
} // namespace

bool moe::asksToSurvey(int argc, const char *const *argv) {
  for (int i = 1; i < argc; ++i) {
    StringRef argument = argv[i];
    if (argument == "--")
      return false;
    if (argument.consume_front("-")) {
      argument.consume_front("-");
      if (argument == "survey" || argument.starts_with("survey="))
        return true;
    }
  }
  return false;
}

static StringRef getNetworkName(ExpertNetwork network) {
  switch (network) {
  case ExpertNetwork::SwiGLU:
    return "swiglu";
  case ExpertNetwork::GeGLU:
    return "geglu";
  case ExpertNetwork::ClampedSwiGLU:
    return "clamped_swiglu";
  case ExpertNetwork::GPTGelu:
    return "gelu";
  case ExpertNetwork::GPTRelu:
    return "relu";
  case ExpertNetwork::GPTRelu2:
    return "relu2";
  }
  return "";
}

/// Describes the gate, for example "sigmoid with a bias, 8 of 256, groups 4 of
/// 8, normalized, scale 2.5".
static std::string describeGate(const ModelConfig &config) {
  std::string text = getGateName(config.getGate()).str();
  if (config.hasSelectionBias)
    text += " with a bias";
  if (config.hasRouterBias)
    text += " with biased logits";
  text += ", " + std::to_string(config.topK) + " of " +
          std::to_string(config.getScoredExperts());
  if (config.groups && config.groups->count > 1)
    text += ", groups " + std::to_string(config.groups->chosen) + " of " +
            std::to_string(config.groups->count);
  if (config.normalizesWeights())
    text += ", normalized";
  if (config.weightScale() != 1)
    text += ", scale " + moe::cost::formatNumber(config.weightScale());
  return text;
}

/// Describes the experts, for example "256 of 7168 x 2048 (swiglu), shared
/// 2048".
static std::string describeExperts(const ModelConfig &config) {
  std::string text = std::to_string(config.numExperts) + " of " +
                     std::to_string(config.getExpertWidth()) + " x " +
                     std::to_string(config.expertFFNSize) + " (" +
                     getNetworkName(config.network).str() + ")";
  if (config.identityExperts > 0)
    text += ", " + std::to_string(config.identityExperts) +
            " that give tokens back";
  if (config.sharedFFNSize > 0)
    text += ", shared " + std::to_string(config.sharedFFNSize) +
            (config.hasSharedGate ? " with a gate" : "");
  return text;
}

static std::string listRead(const ConfigSurvey &survey) {
  std::vector<std::string> keys;
  for (const SurveyedKey &key : survey.keys)
    if (key.use == KeyUse::Read)
      keys.push_back(key.path);
  return join(keys, ", ");
}

/// Lists the keys that are not read, the most important ones first.
static std::string listNotRead(const ConfigSurvey &survey) {
  std::vector<std::string> keys;
  for (KeyUse use : {KeyUse::Unread, KeyUse::Harmless, KeyUse::Other})
    for (const SurveyedKey &key : survey.keys)
      if (key.use == use)
        keys.push_back(
            use == KeyUse::Unread     ? key.path + " (routing or experts)"
            : use == KeyUse::Harmless ? key.path + " (" + key.why + ")"
                                      : key.path);
  return join(keys, ", ");
}

static size_t countUnread(const ConfigSurvey &survey) {
  return size_t(count_if(survey.keys, [](const SurveyedKey &key) {
    return key.use == KeyUse::Unread;
  }));
}

static void print(ArrayRef<Surveyed> surveys, raw_ostream &os) {
  size_t imported = 0, unread = 0;
  for (const auto &[file, survey] : surveys) {
    const ModelConfig &config = survey.config;
    bool isDone = survey.error.empty();
    imported += isDone;
    unread += countUnread(survey);
    os << file << "\n";
    if (!config.family.empty())
      os << "  family    " << config.family << "\n";
    if (isDone)
      os << "  layers    " << config.moeLayers.size() << " of "
         << config.numLayers << " with experts\n  gate      "
         << describeGate(config) << "\n  experts   " << describeExperts(config)
         << "\n";
    os << "  read      " << listRead(survey) << "\n  not read  "
       << listNotRead(survey) << "\n";
    if (!config.leavesOut.empty())
      os << "  left out  " << join(config.leavesOut, "; ") << "\n";
    if (!isDone)
      os << "  error     " << survey.error << "\n";
  }
  os << surveys.size() << " configs, " << imported << " can be imported, "
     << unread << " keys about routing or experts are not read\n";
}

static StringRef getUseName(KeyUse use) {
  switch (use) {
  case KeyUse::Read:
    return "read";
  case KeyUse::Harmless:
    return "harmless";
  case KeyUse::Other:
    return "other";
  case KeyUse::Unread:
    return "unread";
  }
  return "";
}

static void printJson(ArrayRef<Surveyed> surveys, raw_ostream &os) {
  json::OStream out(os, /*IndentSize=*/2);
  auto writeConfig = [&](const ModelConfig &config) {
    out.attribute("layers", config.numLayers);
    out.attribute("moe_layers", int64_t(config.moeLayers.size()));
    out.attribute("gate", getGateName(config.getGate()));
    out.attribute("top_k", config.topK);
    out.attribute("selection_bias", config.hasSelectionBias);
    out.attribute("groups", config.groups ? config.groups->count : 1);
    out.attribute("top_groups", config.groups ? config.groups->chosen : 1);
    out.attribute("normalize", config.normalizesWeights());
    out.attribute("scale", config.weightScale());
    out.attribute("experts", config.numExperts);
    out.attribute("identity_experts", config.identityExperts);
    out.attribute("hidden_size", config.hiddenSize);
    out.attribute("expert_width", config.getExpertWidth());
    out.attribute("expert_ffn_size", config.expertFFNSize);
    out.attribute("network", getNetworkName(config.network));
    out.attribute("shared_ffn_size", config.sharedFFNSize);
  };
  out.object([&] {
    out.attributeArray("configs", [&] {
      for (const auto &[file, survey] : surveys)
        out.object([&, &file = file, &survey = survey] {
          out.attribute("file", file);
          out.attribute("family", survey.config.family);
          if (survey.error.empty())
            writeConfig(survey.config);
          else
            out.attribute("error", survey.error);
          out.attributeArray("keys", [&] {
            for (const SurveyedKey &key : survey.keys)
              out.object([&] {
                out.attribute("key", key.path);
                out.attribute("use", getUseName(key.use));
                if (!key.why.empty())
                  out.attribute("why", key.why);
              });
          });
          out.attributeArray("leaves_out", [&] {
            for (const std::string &phrase : survey.config.leavesOut)
              out.value(phrase);
          });
        });
    });
  });
  os << "\n";
}

/// Returns the .json files in a folder and its subfolders, sorted, as paths
/// relative to it.
static cost::Result<std::vector<std::string>> listConfigs(StringRef folder) {
  std::vector<std::string> files;
  std::error_code code;
  for (sys::fs::recursive_directory_iterator it(folder, code), end;
       it != end && !code; it.increment(code))
    if (StringRef(it->path()).ends_with(".json") &&
        !sys::fs::is_directory(it->path()))
      files.push_back(
          StringRef(it->path()).drop_front(folder.size()).ltrim('/').str());
  if (code)
    return cost::Failure{("--survey: " + folder + ": " + code.message()).str()};
  if (files.empty())
    return cost::Failure{("--survey: expected a folder with .json files, found "
                          "none in " +
                          folder)
                             .str()};
  sort(files);
  return files;
}

int moe::runSurvey(int argc, const char *const *argv) {
  static cl::OptionCategory category("moe-translate --survey options");
  static cl::opt<std::string> survey(
      "survey", cl::value_desc("DIR"),
      cl::desc("Print for each .json config of a folder and of the folders in "
               "it: family, layers, gate, experts, the keys that an import "
               "reads, and those it does not"),
      cl::cat(category));
  static cl::opt<bool> asJson("json", cl::desc("Print the answer as JSON"),
                              cl::cat(category));
  static OptionTable table;
  static ConfigMapOption map(table);
  static IgnoredKeysOption ignoredKeys(table);
  static BoundOptions bound(table, category);
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "moe-translate: print which keys of models' configs are read\n",
          &errs()))
    return kWrong;
  auto fail = [](const Twine &message) {
    errs() << "moe-translate: error: " << message << "\n";
    return kWrong;
  };
  if (std::string wrong = checkGivenOnce(); !wrong.empty())
    return fail(wrong);
  if (survey.empty())
    return fail("--survey: expected a folder, got nothing");
  if (auto failure = map.read())
    return fail(failure->message);
  cost::Result<std::vector<std::string>> files = listConfigs(survey);
  if (!files)
    return fail(files.getFailure().message);
  std::vector<Surveyed> surveys;
  for (const std::string &file : *files) {
    SmallString<128> path(survey);
    sys::path::append(path, file);
    cost::Result<std::string> text =
        moe::support::readTextFile(path.str().str(), "a model's config");
    if (!text)
      return fail("--survey: " + text.getFailure().message);
    ConfigSurvey one = surveyConfig(*text, file, map.get(), ignoredKeys.get());
    surveys.push_back({file, std::move(one)});
  }
  if (asJson)
    printJson(surveys, outs());
  else
    print(surveys, outs());
  return all_of(surveys,
                [](const Surveyed &one) { return one.survey.error.empty(); })
             ? kAllImport
             : kOneFails;
}
