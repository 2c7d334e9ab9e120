// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mutates configs of models.
//
// usage: moe-mutate-configs [--count=N] [--seed=S] FILE...
//
// Mutates each config at random, N times in all, and checks that reading it
// ends and that no mutation silently changes the model:
// - an additional or misspelt key about routing is an error that names the key;
// - the order of keys and the notation of integers do not matter;
// - the last value of a repeated key counts, with a warning;
// - another value of a key that decides the model gives an error or another
//   model;
// - any text that is read gives the same model after JSON is written and read
//   again, and has no key about routing that is not read.
// Stops with exit code 1 at the first config that fails a check.

#include "Mutator.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Frontend/ConfigSurvey.h"
#include "moe/Frontend/GateWords.h"
#include "moe/Support/Json.h"
#include "moe/Support/TextFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <random>

using namespace llvm;
using namespace moe;
using moe::support::JsonValue;
using Kind = JsonValue::Kind;

namespace {

/// The object of a config that names the model's sizes, and its path with a dot.
struct TextPart {
  JsonValue *object;
  std::string prefix;
};

/// Returns everything that an import takes from a config.
std::string describe(const ModelConfig &config) {
  std::string text;
  raw_string_ostream os(text);
  auto attention = [&](const std::optional<AttentionWidths> &w) {
    if (w)
      os << " (" << w->query << " " << w->keyValue << " " << w->getValue()
         << " " << w->output << " " << w->queryLatent << " " << w->latent << " "
         << w->rotary << " " << w->heads << " " << w->keyValueHeads << ")";
  };
  os << config.family << " " << config.hiddenSize << " "
     << config.getExpertWidth() << " " << config.expertFFNSize << " "
     << config.numExperts << " " << config.identityExperts << " "
     << config.topK << " " << int(config.network) << " " << config.denseFFNSize
     << " " << int(config.scores) << " " << config.hasSelectionBias
     << config.hasRouterBias << config.hasExpertBiases << config.weighsInputs
     << config.normalizesWeights() << " "
     << moe::cost::formatNumber(config.weightScale()) << " "
     << config.sharedFFNSize << " " << config.hasSharedGate << " layers "
     << config.numLayers << ":";
  if (config.groups)
    os << " groups " << config.groups->count << " " << config.groups->chosen;
  for (int64_t layer : config.moeLayers)
    os << " " << layer;
  attention(config.attention);
  attention(config.slidingAttention);
  for (int64_t layer = 0; layer < config.numLayers; ++layer) {
    LayerParts parts = config.getParts(layer);
    os << " " << parts.attentions << parts.denseFFNs << parts.isSliding;
  }
  os << " " << config.unevenHeads << " " << join(config.leavesOut, ";");
  return text;
}

/// The result of reading a text.
struct Reading {
  ConfigSurvey survey;
  /// Empty after an error.
  std::string model;

  bool isError() const { return !survey.error.empty(); }
};

Reading read(const std::string &text) {
  Reading reading{surveyConfig(text, "config.json"), ""};
  if (!reading.isError())
    reading.model = describe(reading.survey.config);
  return reading;
}

class Campaign {
public:
  Campaign(std::vector<std::string> files, unsigned seed)
      : files(std::move(files)), random(seed), mutator(seed) {}

  /// Loads the configs and finds the keys that decide each model. Returns
  /// false, after a message, if one cannot be read.
  bool prepare();
  /// Applies one mutation. Returns false, after a message, if a check fails.
  bool mutate();

  size_t errors = 0, models = 0;

private:
  struct Base {
    std::string file, text, model;
    JsonValue root;
    /// Keys of the text part whose integer always decides the model.
    std::vector<std::string> deciding;
    /// Keys of the text part that are read.
    std::vector<std::string> read;
  };

  size_t below(size_t n) { return random() % n; }
  bool fail(const Base &base, StringRef what, const std::string &text,
            const Reading &reading);
  TextPart getTextPart(JsonValue &root);
  std::string randomWord();
  JsonValue randomValue();

  bool mutateText(const Base &base);
  bool addKey(const Base &base);
  bool misspell(const Base &base);
  bool reorder(const Base &base);
  bool repeat(const Base &base);
  bool rewriteNumbers(const Base &base);
  bool changeValue(const Base &base);
  /// Checks the properties that any text must have.
  bool checkStable(const Base &base, StringRef what, const std::string &text);

  std::vector<std::string> files;
  std::vector<Base> bases;
  std::mt19937 random;
  fuzz::Mutator mutator;
};

JsonValue makeNumber(double number) {
  JsonValue value;
  value.kind = Kind::Number;
  value.number = number;
  return value;
}

JsonValue *findMember(JsonValue &object, StringRef key) {
  for (JsonValue::Member &member : object.members)
    if (member.key == key)
      return &member.value;
  return nullptr;
}

JsonValue parse(const std::string &text) {
  JsonValue root;
  std::vector<moe::support::JsonProblem> repeated;
  if (moe::support::parsePythonJson(text, root, repeated))
    root = JsonValue();
  return root;
}

} // namespace

bool Campaign::fail(const Base &base, StringRef what, const std::string &text,
                    const Reading &reading) {
  errs() << "moe-mutate-configs: " << base.file << ": " << what << "\n"
         << text << "\nerror: " << reading.survey.error
         << "\nmodel: " << reading.model << "\nbefore: " << base.model << "\n";
  return false;
}

TextPart Campaign::getTextPart(JsonValue &root) {
  for (const char *part : {"text_config", "language_config"})
    if (JsonValue *object = findMember(root, part);
        object && object->kind == Kind::Object)
      return {object, part + std::string(".")};
  return {&root, ""};
}

bool Campaign::prepare() {
  for (const std::string &file : files) {
    cost::Result<std::string> text = moe::support::readTextFile(file, "a config");
    if (!text) {
      errs() << "moe-mutate-configs: error: " << text.getError() << "\n";
      return false;
    }
    Base &base = bases.emplace_back();
    base.file = file;
    base.text = *text;
    base.root = parse(*text);
    Reading reading = read(base.text);
    if (reading.isError())
      return fail(base, "expected a config that can be imported", base.text,
                  reading);
    base.model = reading.model;
    TextPart part = getTextPart(base.root);
    for (const SurveyedKey &key : reading.survey.keys) {
      StringRef name = key.path;
      if (key.use != KeyUse::Read || !name.consume_front(part.prefix) ||
          name.contains('.') || !findMember(*part.object, name))
        continue;
      base.read.push_back(name.str());
      JsonValue *value = findMember(*part.object, name);
      if (value->kind != Kind::Number || value->number < 1 ||
          value->number != std::floor(value->number))
        continue;
      double old = value->number;
      bool decides = true;
      for (double other : {old + 1, old + 2, 2 * old, 3 * old, old / 2}) {
        if (other != std::floor(other))
          continue;
        value->number = other;
        Reading changed = read(moe::support::formatJson(base.root));
        decides &= changed.isError() || changed.model != base.model;
      }
      value->number = old;
      if (decides)
        base.deciding.push_back(name.str());
    }
  }
  return true;
}

bool Campaign::checkStable(const Base &base, StringRef what,
                           const std::string &text) {
  Reading reading = read(text);
  (reading.isError() ? errors : models) += 1;
  if (reading.isError())
    return StringRef(reading.survey.error).contains("expected") ||
           fail(base, (what + ": expected an error in words").str(), text,
                reading);
  for (const SurveyedKey &key : reading.survey.keys)
    if (key.use == KeyUse::Unread)
      return fail(base, (what + ": unread: " + key.path).str(), text, reading);
  Reading again = read(moe::support::formatJson(parse(text)));
  if (again.model != reading.model)
    return fail(base, (what + ": another model after JSON is rewritten").str(),
                text, again);
  return true;
}

bool Campaign::mutateText(const Base &base) {
  return checkStable(base, "text", mutator.mutate(base.text));
}

std::string Campaign::randomWord() {
  static constexpr const char *kWords[] = {
      "expert", "experts", "moe",   "router", "routed", "topk",  "gate",
      "group",  "groups",  "score", "shared", "num",    "use",   "size",
      "bias",   "latent",  "ffn",   "scale",  "head",   "dim",   "layer",
      "norm",   "func",    "max",   "act",   "hidden", "dense", "capacity"};
  return kWords[below(std::size(kWords))];
}

JsonValue Campaign::randomValue() {
  JsonValue value;
  switch (below(7)) {
  case 0:
    value.kind = Kind::Boolean;
    value.boolean = below(2) == 0;
    return value;
  case 1:
    value.kind = Kind::String;
    value.text = randomWord();
    return value;
  case 2:
    value.kind = Kind::Array;
    for (size_t i = below(4); i > 0; --i)
      value.items.push_back(makeNumber(double(below(4))));
    return value;
  case 3:
    value.kind = Kind::Object;
    return value;
  case 4:
    return makeNumber(double(below(1000)) / 8 - 20);
  case 5:
    return makeNumber(std::ldexp(1.0, int(below(70))));
  default:
    return makeNumber(double(below(64)));
  }
}

/// Adds an unknown key with a routing prefix, which must be an error that names
/// the key.
bool Campaign::addKey(const Base &base) {
  std::string key = std::string(below(2) ? "expert_" : "topk_") + randomWord() +
                    "_" + randomWord() + "_x" + std::to_string(below(100));
  JsonValue root = base.root;
  TextPart part = getTextPart(root);
  JsonValue value = randomValue();
  if (value.kind == Kind::Object)
    value.members.push_back({"inner", {}, makeNumber(1)});
  auto at = part.object->members.begin() +
            ptrdiff_t(below(part.object->members.size() + 1));
  part.object->members.insert(at, {key, {}, value});
  std::string text = moe::support::formatJson(root);
  Reading reading = read(text);
  errors += 1;
  return (reading.isError() && StringRef(reading.survey.error).contains(key)) ||
         fail(base, "expected an error about the added " + key, text, reading);
}

/// Removes, adds or changes one character of a key that is read.
bool Campaign::misspell(const Base &base) {
  if (base.read.empty())
    return true;
  const std::string &key = base.read[below(base.read.size())];
  // The class is optional and names the family.
  if (key == "architectures")
    return true;
  std::string other = key;
  size_t at = below(key.size());
  char letter = char('a' + below(26));
  switch (below(3)) {
  case 0:
    other.erase(at, 1);
    break;
  case 1:
    other.insert(at, 1, letter);
    break;
  default:
    other[at] = letter;
  }
  JsonValue root = base.root;
  TextPart part = getTextPart(root);
  if (other == key || other.empty() || findMember(*part.object, other))
    return true;
  for (JsonValue::Member &member : part.object->members)
    if (member.key == key)
      member.key = other;
  std::string text = moe::support::formatJson(root);
  Reading reading = read(text);
  errors += reading.isError();
  models += !reading.isError();
  // A key with one letter less may be another valid key, which then counts.
  bool isRead = any_of(reading.survey.keys, [&](const SurveyedKey &read) {
    return read.path == part.prefix + other && read.use == KeyUse::Read;
  });
  return reading.isError() || isRead ||
         fail(base, "expected an error about " + other + " for " + key, text,
              reading);
}

bool Campaign::reorder(const Base &base) {
  JsonValue root = base.root;
  TextPart part = getTextPart(root);
  std::shuffle(part.object->members.begin(), part.object->members.end(),
               random);
  std::string text = moe::support::formatJson(root);
  Reading reading = read(text);
  models += 1;
  return reading.model == base.model ||
         fail(base, "another model after keys changed places", text, reading);
}

bool Campaign::repeat(const Base &base) {
  JsonValue root = base.root, last = base.root;
  TextPart part = getTextPart(root), ofLast = getTextPart(last);
  size_t at = below(part.object->members.size());
  std::string key = part.object->members[at].key;
  JsonValue value = randomValue();
  part.object->members.push_back({key, {}, value});
  ofLast.object->members[at].value = value;
  std::string text = moe::support::formatJson(root);
  Reading reading = read(text), expected = read(moe::support::formatJson(last));
  errors += reading.isError();
  models += !reading.isError();
  if (reading.isError() != expected.isError() ||
      reading.model != expected.model)
    return fail(base, "expected the last value of " + key, text, reading);
  return reading.isError() || reading.survey.config.warnings.size() == 1 ||
         fail(base, "expected a warning about " + key, text, reading);
}

bool Campaign::rewriteNumbers(const Base &base) {
  // Integers with a point or an exponent.
  std::string text;
  std::string whole = moe::support::formatJson(base.root);
  bool inString = false;
  for (size_t i = 0; i < whole.size(); ++i) {
    char c = whole[i];
    text += c;
    if (c == '"' && (i == 0 || whole[i - 1] != '\\'))
      inString = !inString;
    bool ends = i + 1 == whole.size() || !(isAlnum(whole[i + 1]) ||
                                           StringRef(".+-").contains(whole[i + 1]));
    size_t begin = i;
    while (begin > 0 && isDigit(whole[begin - 1]))
      --begin;
    bool isInteger = !inString && isDigit(c) && ends &&
                     (begin == 0 || !StringRef(".e+-").contains(whole[begin - 1]));
    if (isInteger && below(2))
      text += below(2) ? ".0" : "e0";
  }
  Reading reading = read(text);
  models += 1;
  return reading.model == base.model ||
         fail(base, "another model after integers became floats", text,
              reading);
}

bool Campaign::changeValue(const Base &base) {
  JsonValue root = base.root;
  TextPart part = getTextPart(root);
  bool isDeciding = !base.deciding.empty() && below(2) == 0;
  const std::vector<std::string> &keys =
      isDeciding ? base.deciding : base.read;
  if (keys.empty())
    return true;
  const std::string &key = keys[below(keys.size())];
  JsonValue *value = findMember(*part.object, key);
  JsonValue other = randomValue();
  // A list of one value per layer, all the same, is that value.
  std::string before = moe::support::formatJson(*value);
  bool isSame = moe::support::formatJson(other) == before ||
                (!other.items.empty() &&
                 llvm::all_of(other.items, [&](const JsonValue &item) {
                   return moe::support::formatJson(item) == before;
                 }));
  *value = other;
  std::string text = moe::support::formatJson(root);
  Reading reading = read(text);
  if (isDeciding && !isSame && !reading.isError() &&
      reading.model == base.model)
    return fail(base, "the same model with another value of " + key, text,
                reading);
  return checkStable(base, "value of " + key, text);
}

bool Campaign::mutate() {
  const Base &base = bases[below(bases.size())];
  switch (below(8)) {
  case 0:
    return addKey(base);
  case 1:
    return misspell(base);
  case 2:
    return reorder(base);
  case 3:
    return repeat(base);
  case 4:
    return rewriteNumbers(base);
  case 5:
  case 6:
    return changeValue(base);
  default:
    return mutateText(base);
  }
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  unsigned count = 1000, seed = 1;
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    StringRef argument = argv[i];
    bool isRight = true;
    if (argument.consume_front("--count="))
      isRight = !argument.getAsInteger(10, count);
    else if (argument.consume_front("--seed="))
      isRight = !argument.getAsInteger(10, seed);
    else
      files.push_back(argument.str());
    if (!isRight) {
      errs() << "moe-mutate-configs: expected an integer, got '" << argument
             << "'\n";
      return 2;
    }
  }
  if (files.empty()) {
    errs() << "usage: moe-mutate-configs [--count=N] [--seed=S] FILE...\n";
    return 2;
  }
  Campaign campaign(files, seed);
  if (!campaign.prepare())
    return 2;
  for (unsigned i = 0; i < count; ++i)
    if (!campaign.mutate())
      return 1;
  outs() << count << " mutations of " << files.size() << " configs, "
         << campaign.errors << " errors, " << campaign.models << " models\n";
  return 0;
}
