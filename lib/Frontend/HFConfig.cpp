// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hugging Face config.json to ModelConfig.
//
// One reader for all families: which key says what, and the rules that models
// differ in, are the family's (ModelFamilies.cpp; see docs/Frontend.md).

#include "ConfigKeys.h"
#include "FamilyConfigReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace moe;

//===----------------------------------------------------------------------===//
// Which family
//===----------------------------------------------------------------------===//

/// Where configs of models that see or hear keep the part that reads.
static constexpr StringRef kTextParts[] = {"text_config",
                                           "thinker_config.text_config",
                                           "language_config", "llm_config"};

/// The config's names, most specific first: its classes, its model type, the
/// model type of its text part. Several versions of a model may share a model
/// type ("bailing_moe"), but not a class.
static std::vector<std::string> getNames(ConfigReader &in) {
  std::vector<std::string> names = in.getStrings("architectures");
  names.push_back(in.getString("model_type"));
  for (StringRef part : kTextParts)
    if (in.hasObject(part) && in.has((part + ".model_type").str()))
      names.push_back(in.getString((part + ".model_type").str()));
  return names;
}

ArrayRef<StringRef> moe::getSupportedModelTypes() {
  static const std::vector<StringRef> types = [] {
    std::vector<StringRef> names;
    for (const ModelFamily &family : getModelFamilies())
      for (StringRef name : family.names)
        if (!llvm::isUpper(name.front()))
          names.push_back(name);
    llvm::sort(names);
    return names;
  }();
  return types;
}

Error moe::readModelOnly(ConfigReader &in, const ReadOptions &options,
                         ModelConfig &config) {
  std::vector<std::string> names = getNames(in);
  if (Error error = in.takeError())
    return error;
  config.modelType = in.getString("model_type");
  for (const moe::support::JsonProblem &problem : in.getRepeated())
    config.warnings.push_back(
        {{in.getFile().str(), "", unsigned(problem.place.line),
          unsigned(problem.place.column)},
         problem.reason});
  ModelFamily described;
  const ModelFamily *family = nullptr;
  if (const ConfigMap *map = options.map) {
    Expected<ModelFamily> read = parseModelFamily(map->text, map->file);
    if (!read)
      return read.takeError();
    described = std::move(*read);
    family = &described;
    if (!described.names.empty() &&
        llvm::none_of(names, [&](const std::string &name) {
          return llvm::is_contained(described.names, name);
        }))
      in.fail("model_type", "expected " + llvm::join(described.names, " or ") +
                                ", which " + map->file + " describes, got '" +
                                config.modelType + "'");
  } else {
    for (const std::string &name : names)
      if (!family)
        family = findModelFamily(name);
    if (!family)
      in.fail("model_type", "expected one of " +
                                llvm::join(getSupportedModelTypes(), ", ") +
                                ", got '" + config.modelType +
                                "'; --config-map=F describes another family");
  }
  if (Error error = in.takeError())
    return error;
  config.family = family->names.empty() ? "" : family->names.front();
  if (!in.has(family->hiddenSize.getKey(in)))
    for (StringRef part : kTextParts)
      if (in.hasObject(part)) {
        in.enter(part);
        break;
      }
  FamilyConfigReader(in, *family, config).read();
  return in.takeError();
}

bool moe::isSilent(const ConfigReader &in, const ConfigKey &key) {
  if (key.isRead)
    return true;
  if (looksLikeRouting(key.path))
    return !whyHarmless(key.path, *key.value).empty();
  return in.findIntended(key).empty();
}

Error moe::checkUnread(ConfigReader &in, ArrayRef<std::string> ignored) {
  std::vector<ConfigKey> keys = in.listKeys();
  for (const std::string &name : ignored) {
    auto found = llvm::find_if(
        keys, [&](const ConfigKey &key) { return key.isNamed(name); });
    if (found == keys.end())
      return makeImportError("--ignore-key: expected a key of " + in.getFile() +
                             ", got '" + name + "'");
    if (found->isRead)
      return make_error<ImportError>(
          found->place, "--ignore-key: expected a key that the import does not "
                        "read, got one that it reads");
  }
  const ConfigKey *first = nullptr;
  std::vector<std::string> others;
  for (const ConfigKey &key : keys) {
    if (isSilent(in, key) ||
        llvm::any_of(ignored, [&](const std::string &name) {
          return key.isNamed(name);
        }))
      continue;
    if (first)
      others.push_back("'" + key.path + "'");
    else
      first = &key;
  }
  if (!first)
    return Error::success();
  StringRef name = first->path;
  std::string intended = looksLikeRouting(name) ? "" : in.findIntended(*first);
  std::string message =
      intended.empty()
          ? "expected a key that the family reads, because its name is about "
            "routing, experts or heads, got one that it does not read"
          : "expected a key that the family reads, such as '" + intended +
                "', got one that it does not read";
  if (!others.empty())
    message += ", as " + llvm::join(others, ", ");
  return make_error<ImportError>(
      first->place, message +
                        "; --ignore-key=" + name.substr(name.rfind('.') + 1) +
                        " ignores it, --config-map=F describes it");
}

Expected<ModelConfig> moe::readModel(ConfigReader &in,
                                     const ReadOptions &options) {
  ModelConfig config;
  if (Error error = readModelOnly(in, options, config))
    return std::move(error);
  if (Error error = checkUnread(in, options.ignoredKeys))
    return std::move(error);
  return config;
}

Expected<ModelConfig> moe::parseHFConfig(StringRef text, StringRef file,
                                         const ConfigMap *map,
                                         ArrayRef<std::string> ignoredKeys) {
  Expected<ConfigReader> in = ConfigReader::parse(text, file);
  if (!in)
    return in.takeError();
  return readModel(*in, {map, ignoredKeys});
}
