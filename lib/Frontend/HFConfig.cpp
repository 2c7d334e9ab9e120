// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hugging Face config.json to ModelConfig.
//
// All families share one reader; the keys and rules that differ between models
// are data of the family (ModelFamilies.cpp; see
// docs/reference/model-configs.md).

#include "ConfigKeys.h"
#include "FamilyConfigReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace moe;

//===----------------------------------------------------------------------===//
// Selection of the family
//===----------------------------------------------------------------------===//

/// Objects with the text part in configs of multimodal models.
static constexpr StringRef kTextParts[] = {"text_config",
                                           "thinker_config.text_config",
                                           "language_config", "llm_config"};

static constexpr StringLiteral kClasses = "architectures";

/// A name in a config, and its key.
struct ConfigName {
  std::string text, key;
  bool isClass = false;
};

/// Returns the config's names, most specific first: its classes, its model
/// type, the model type of its text part. Several versions of a model may share
/// a model type ("bailing_moe"), but not a class.
static std::vector<ConfigName> getNames(ConfigReader &in,
                                        ArrayRef<std::string> ignoredKeys) {
  std::vector<ConfigName> names;
  if (!llvm::is_contained(ignoredKeys, kClasses))
    for (std::string &name : in.getStrings(kClasses))
      names.push_back({std::move(name), kClasses.str(), /*isClass=*/true});
  std::string part;
  for (StringRef text : kTextParts)
    if (part.empty() && in.hasObject(text))
      part = text;
  std::string partKey = part.empty() ? "" : part + ".model_type";
  bool hasPartType = !part.empty() && in.has(partKey);
  if (in.has("model_type") || !hasPartType) {
    if (!in.has("model_type") && !part.empty())
      in.fail("model_type",
              "expected a model type here or in '" + part + "', got none");
    names.push_back({in.getString("model_type"), "model_type"});
  }
  if (hasPartType)
    names.push_back({in.getString(partKey), partKey});
  return names;
}

/// Normalizes a name: "DeepseekV3ForCausalLM" and "deepseek_v3" become
/// deepseekv3.
static std::string normalize(const ConfigName &name) {
  StringRef stem = name.text;
  if (name.isClass)
    for (StringRef end : {"ForCausalLM", "ForConditionalGeneration",
                          "LMHeadModel", "ModelForCausalLM", "Model"})
      if (stem.consume_back(end))
        break;
  std::string normal;
  for (char c : stem)
    if (isAlnum(c))
      normal += toLower(c);
  return normal;
}

/// Returns the family with this name. If no family lists a class, returns the
/// family of the model type that the class is named after. Null if there is
/// none.
static const ModelFamily *findFamilyOf(const ConfigName &name) {
  const ModelFamily *family = findModelFamily(name.text);
  for (const ModelFamily &other : getModelFamilies()) {
    if (family || !name.isClass)
      break;
    for (const std::string &own : other.names)
      if (!llvm::isUpper(own.front()) &&
          normalize({own, "", false}) == normalize(name))
        family = &other;
  }
  return family;
}

/// Rejects names of different families. A class may be of a later version than
/// its model type, so one name may be a prefix of the other.
static void checkNames(ConfigReader &in, ArrayRef<ConfigName> names) {
  const ConfigName *known = nullptr;
  for (const ConfigName &name : names) {
    const ModelFamily *family = findFamilyOf(name);
    if (!family)
      continue;
    if (!known) {
      known = &name;
      continue;
    }
    std::string a = normalize(*known), b = normalize(name);
    if (family == findFamilyOf(*known) || StringRef(a).starts_with(b) ||
        StringRef(b).starts_with(a))
      continue;
    in.fail(known->key, "expected a name of the same model as '" + name.text +
                            "' under '" + name.key + "', got '" + known->text +
                            "'; correct the wrong one, or ignore the classes "
                            "with --ignore-key=architectures");
    return;
  }
  // An unknown class must at least be named after the model type.
  for (const ConfigName &name : names) {
    if (!known || !name.isClass || findFamilyOf(name))
      continue;
    std::string stem = normalize(name);
    constexpr size_t kShared = 4;
    if (llvm::none_of(names, [&](const ConfigName &other) {
          return !other.isClass &&
                 StringRef(stem).contains(
                     StringRef(normalize(other)).take_front(kShared));
        }))
      in.fail(name.key, "expected a class of the model type '" + known->text +
                            "', got '" + name.text +
                            "'; correct the wrong one, or ignore the classes "
                            "with --ignore-key=architectures");
  }
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
  std::vector<ConfigName> names = getNames(in, options.ignoredKeys);
  if (Error error = in.takeError())
    return error;
  for (const ConfigName &name : llvm::reverse(names))
    if (!name.isClass)
      config.modelType = name.text;
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
        llvm::none_of(names, [&](const ConfigName &name) {
          return llvm::is_contained(described.names, name.text);
        }))
      in.fail("model_type", "expected " + llvm::join(described.names, " or ") +
                                ", which " + map->file + " describes, got '" +
                                config.modelType + "'");
  } else {
    checkNames(in, names);
    for (const ConfigName &name : names)
      if (!family)
        family = findModelFamily(name.text);
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
