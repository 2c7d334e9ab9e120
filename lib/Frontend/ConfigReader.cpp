// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Typed access to a JSON object.

#include "ConfigReader.h"
#include "ConfigKeys.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;
using namespace moe;
using moe::support::JsonValue;
using Kind = JsonValue::Kind;

static std::string quote(StringRef name) { return ("'" + name + "'").str(); }

char ImportError::ID = 0;

void ImportError::log(raw_ostream &os) const {
  if (hasPlace())
    os << file << ":" << line << ":" << column << ": ";
  os << message;
}

ImportError::ImportError(const ConfigPlace &place, const Twine &message)
    : ImportError(place.file, place.line, place.column,
                  (quote(place.key) + ": " + message).str()) {}

std::error_code ImportError::convertToErrorCode() const {
  return inconvertibleErrorCode();
}

Error moe::makeImportError(const Twine &message) {
  return make_error<ImportError>(message.str());
}

/// Returns the value as JSON, truncated to a length that fits a message.
static std::string describe(const JsonValue *value) {
  if (!value)
    return "no such key";
  std::string text = value->describe();
  if (text.size() > 60)
    text = text.substr(0, 57) + "...";
  return text;
}

/// Returns the value as an integer, written with or without a decimal point.
static std::optional<int64_t> getAsInteger(const JsonValue &value) {
  constexpr double kMaxExact = 0x1p53;
  if (value.kind != Kind::Number || std::abs(value.number) > kMaxExact ||
      value.number != std::floor(value.number))
    return std::nullopt;
  return static_cast<int64_t>(value.number);
}

Expected<ConfigReader> ConfigReader::parse(StringRef text, StringRef file) {
  auto fail = [&](moe::support::Place place, const Twine &message) -> Error {
    return make_error<ImportError>(file.str(), unsigned(place.line),
                                   unsigned(place.column), message.str());
  };
  if (text.trim().empty())
    return fail({}, "expected a JSON object, got an empty file");
  JsonValue root;
  std::vector<moe::support::JsonProblem> repeated;
  if (auto problem = moe::support::parsePythonJson(text, root, repeated))
    return fail(problem->place, problem->reason);
  if (root.kind != Kind::Object)
    return fail({}, "expected a JSON object, got " + describe(&root));
  return ConfigReader(file, std::move(root), std::move(repeated));
}

const JsonValue::Member *ConfigReader::findMember(StringRef key) const {
  const JsonValue *at = &object;
  const JsonValue::Member *member = nullptr;
  std::string path = getPath(key);
  for (StringRef rest = path; at;) {
    auto [name, behind] = rest.split('.');
    auto found = llvm::find_if(
        at->members, [&, name = name](auto &m) { return m.key == name; });
    member = found == at->members.end() ? nullptr : &*found;
    if (rest.size() == name.size())
      break;
    rest = behind;
    at =
        member && member->value.kind == Kind::Object ? &member->value : nullptr;
    member = nullptr;
  }
  return member;
}

const JsonValue *ConfigReader::find(StringRef key) const {
  markRead(key);
  const JsonValue::Member *member = findMember(key);
  return member && member->value.kind != Kind::Null ? &member->value : nullptr;
}

bool ConfigReader::has(StringRef key) const { return find(key); }

bool ConfigReader::isNull(StringRef key) const {
  markRead(key);
  const JsonValue::Member *member = findMember(key);
  return member && member->value.kind == Kind::Null;
}

bool ConfigReader::hasObject(StringRef key) const {
  const JsonValue::Member *member = findMember(key);
  return member && member->value.kind == Kind::Object;
}

void ConfigReader::listKeys(const JsonValue &of, const std::string &prefix,
                            std::vector<ConfigKey> &keys) const {
  for (const JsonValue::Member &member : of.members) {
    if (member.value.kind == Kind::Null)
      continue;
    std::string path = prefix + member.key;
    if (member.value.kind == Kind::Object && mayHoldRouting(member.key)) {
      listKeys(member.value, path + ".", keys);
      continue;
    }
    const bool mayHold = member.value.kind == Kind::Array &&
                         mayHoldRouting(member.key) && read.count(path) == 0;
    // In a list with one object per layer, keys repeat.
    std::set<std::string> known;
    for (const JsonValue &item :
         mayHold ? ArrayRef(member.value.items) : ArrayRef<JsonValue>()) {
      std::vector<ConfigKey> own;
      listKeys(item, path + "[].", own);
      for (ConfigKey &key : own)
        if (known.insert(key.path).second)
          keys.push_back(std::move(key));
    }
    if (!known.empty())
      continue;
    // An object that counts as one key is read if one of its keys is.
    auto next = read.lower_bound(path + ".");
    bool isRead =
        read.count(path) > 0 ||
        (next != read.end() && StringRef(*next).starts_with(path + "."));
    keys.push_back({path,
                    {file, path, unsigned(member.keyPlace.line),
                     unsigned(member.keyPlace.column)},
                    &member.value,
                    isRead});
  }
}

std::string ConfigReader::findIntended(const ConfigKey &key) const {
  if (key.isRead)
    return "";
  // Short names of different keys are similar, so the limit is smaller.
  constexpr size_t kShort = 8;
  unsigned most = key.path.size() < kShort ? 1 : 2;
  for (const std::string &path : read) {
    StringRef name = path;
    if (!root.empty() && !name.consume_front(root + "."))
      continue;
    // If an object is missing, its name represents its keys.
    size_t end = 0;
    do
      end = name.find('.', end + 1);
    while (end != StringRef::npos && findMember(name.take_front(end)));
    StringRef absent = name.take_front(end);
    if (end == StringRef::npos && findMember(name))
      continue;
    for (const std::string &intended : {getPath(absent), path})
      if (StringRef(intended).edit_distance(
              key.path, /*AllowReplacements=*/true, most) <= most)
        return intended;
  }
  return "";
}

std::vector<ConfigKey> ConfigReader::listKeys() const {
  std::vector<ConfigKey> keys;
  const JsonValue *at = &object;
  std::string prefix;
  for (StringRef rest = root; !rest.empty();) {
    auto [name, behind] = rest.split('.');
    // The members next to the entered object.
    JsonValue beside;
    const JsonValue *next = nullptr;
    for (const JsonValue::Member &member : at->members) {
      if (member.key == name)
        next = &member.value;
      else if (member.value.kind != Kind::Object)
        beside.members.push_back(member);
    }
    size_t from = keys.size();
    listKeys(beside, prefix, keys);
    // The copied members die with this scope, so the keys must refer to the
    // originals.
    for (ConfigKey &key : MutableArrayRef(keys).drop_front(from))
      key.value = at->find(StringRef(key.path).drop_front(prefix.size()).str());
    if (!next)
      return keys;
    at = next;
    prefix += name.str() + ".";
    rest = behind;
  }
  listKeys(*at, prefix, keys);
  return keys;
}

ConfigPlace ConfigReader::getPlace(StringRef key) const {
  const JsonValue::Member *member = findMember(key);
  moe::support::Place place = member ? member->keyPlace : object.place;
  return {file, getPath(key), unsigned(place.line), unsigned(place.column)};
}

void ConfigReader::fail(StringRef key, const Twine &message) {
  if (!error)
    error = ImportError(getPlace(key), message);
}

void ConfigReader::failExpected(StringRef key, const Twine &expected) {
  const JsonValue::Member *member = findMember(key);
  fail(key, "expected " + expected + ", got " +
                describe(member ? &member->value : nullptr));
}

Error ConfigReader::takeError() {
  if (!error)
    return Error::success();
  return make_error<ImportError>(*std::exchange(error, std::nullopt));
}

int64_t ConfigReader::getInteger(StringRef key, int64_t min, int64_t max,
                                 std::optional<int64_t> fallback,
                                 int64_t layers) {
  const JsonValue *value = find(key);
  if (!value && fallback)
    return *fallback;
  std::optional<int64_t> integer = value ? getAsInteger(*value) : std::nullopt;
  if (layers > 0 && value && value->kind == Kind::Array) {
    if (int64_t(value->items.size()) != layers) {
      failExpected(key, "an integer, or a list of " + Twine(layers) +
                            " integers, one per layer");
      return min;
    }
    integer = getAsInteger(value->items.front());
    if (integer && !llvm::all_of(value->items, [&](const JsonValue &item) {
          return getAsInteger(item) == integer;
        })) {
      failExpected(key, "one integer, the same for all layers");
      return min;
    }
  }
  if (integer && *integer >= min && *integer <= max)
    return *integer;
  failExpected(key, "an integer in [" + Twine(min) + ", " + Twine(max) + "]");
  return min;
}

bool ConfigReader::getBool(StringRef key, std::optional<bool> fallback) {
  const JsonValue *value = find(key);
  if (!value && fallback)
    return *fallback;
  if (value && value->kind == Kind::Boolean)
    return value->boolean;
  failExpected(key, "true or false");
  return false;
}

std::string ConfigReader::getString(StringRef key,
                                    std::optional<std::string> fallback) {
  const JsonValue *value = find(key);
  if (!value && fallback)
    return *fallback;
  if (value && value->kind == Kind::String)
    return value->text;
  failExpected(key, "a string");
  return "";
}

std::vector<std::string> ConfigReader::getWords(StringRef key) {
  std::vector<std::string> words;
  const JsonValue *value = find(key);
  if (!value)
    return words;
  if (value->kind == Kind::String) {
    for (char letter : value->text)
      words.emplace_back(1, letter);
    return words;
  }
  words = getStrings(key);
  if (value->kind != Kind::Array || words.size() != value->items.size())
    failExpected(key, "a word for each layer, or a string of letters");
  return words;
}

std::vector<std::string> ConfigReader::getStrings(StringRef key) const {
  std::vector<std::string> strings;
  if (const JsonValue *value = find(key))
    for (const JsonValue &item : value->items)
      if (item.kind == Kind::String)
        strings.push_back(item.text);
  return strings;
}

double ConfigReader::getPositive(StringRef key,
                                 std::optional<double> fallback) {
  const JsonValue *value = find(key);
  if (!value && fallback)
    return *fallback;
  if (value && value->kind == Kind::Number && std::isfinite(value->number) &&
      value->number > 0)
    return value->number;
  failExpected(key, "a finite number greater than 0");
  return 1.0;
}

std::vector<int64_t> ConfigReader::getIndices(StringRef key, int64_t bound) {
  std::vector<int64_t> indices;
  const JsonValue *value = find(key);
  if (!value)
    return indices;
  if (value->kind != Kind::Array) {
    failExpected(key, "an array of layer indices");
    return indices;
  }
  for (auto [i, element] : llvm::enumerate(value->items)) {
    std::optional<int64_t> index = getAsInteger(element);
    if (!index || *index < 0 || *index >= bound) {
      fail(key, "expected element " + Twine(i) + " to be a layer in [0, " +
                    Twine(bound - 1) + "], got " + describe(&element));
      return indices;
    }
    indices.push_back(*index);
  }
  return indices;
}

std::vector<int64_t> ConfigReader::getSetFlags(StringRef key, int64_t count) {
  std::vector<int64_t> indices;
  const JsonValue *value = find(key);
  if (!value || value->kind != Kind::Array ||
      int64_t(value->items.size()) != count) {
    failExpected(key, "an array of " + Twine(count) + " flags, one a layer");
    return indices;
  }
  for (auto [i, element] : llvm::enumerate(value->items)) {
    std::optional<int64_t> flag = getAsInteger(element);
    if (element.kind == Kind::Boolean)
      flag = element.boolean;
    if (flag != 0 && flag != 1) {
      fail(key, "expected element " + Twine(i) +
                    " to be true, false, 1 or 0, got " + describe(&element));
      return indices;
    }
    if (flag == 1)
      indices.push_back(i);
  }
  return indices;
}
