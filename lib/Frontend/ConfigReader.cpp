//===- ConfigReader.cpp - Typed access to a JSON object ---------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConfigReader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;
using namespace moe;

static std::string quote(StringRef name) { return ("'" + name + "'").str(); }

char ConfigError::ID = 0;

void ConfigError::log(raw_ostream &os) const {
  os << file << ":" << line << ":" << column << ": " << message;
}

ConfigError::ConfigError(const ConfigPlace &place, const Twine &message)
    : ConfigError(place.file, place.line, place.column,
                  (quote(place.key) + ": " + message).str()) {}

std::error_code ConfigError::convertToErrorCode() const {
  return inconvertibleErrorCode();
}

/// Line and column, from 1, of an offset into the text.
static std::pair<unsigned, unsigned> getPosition(StringRef text,
                                                 size_t offset) {
  StringRef before = text.take_front(offset);
  size_t lineStart = before.rfind('\n');
  size_t column = lineStart == StringRef::npos ? before.size()
                                               : before.size() - lineStart - 1;
  return {before.count('\n') + 1, column + 1};
}

static ConfigError makeError(StringRef text, StringRef file, size_t offset,
                             std::string message) {
  auto [line, column] = getPosition(text, offset);
  return ConfigError(file.str(), line, column, std::move(message));
}

/// The value as JSON, cut to a length that fits a message.
static std::string describe(const json::Value *value) {
  if (!value)
    return "no such key";
  if (value->kind() == json::Value::Array)
    return "an array";
  if (value->kind() == json::Value::Object)
    return "an object";
  std::string str = formatv("{0}", *value).str();
  if (str.size() > 60)
    str = str.substr(0, 57) + "...";
  return str;
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

namespace {
/// Goes over the text once before it is parsed, for what the parser does not
/// check: it recurses without a bound, and keeps the last of equal keys.
/// Malformed text is left for the parser to report.
struct StructureScan {
  static constexpr size_t kMaxDepth = 100;

  StructureScan(StringRef text) : text(text) { run(); }

  /// Where the keys of the outermost object stand.
  StringMap<size_t> keyOffsets;
  /// Offset and text of the first error.
  std::optional<std::pair<size_t, std::string>> error;

private:
  void run();
  /// Offset just past the string literal that starts at `start`.
  size_t skipString(size_t start) const;
  void addKey(StringRef key, size_t offset);

  StringRef text;
  /// Keys of the open objects and arrays, outermost first.
  SmallVector<StringSet<>> open;
};
} // namespace

size_t StructureScan::skipString(size_t start) const {
  size_t i = start + 1;
  while (i < text.size() && text[i] != '"')
    i += text[i] == '\\' ? 2 : 1;
  return std::min(i + 1, text.size());
}

void StructureScan::addKey(StringRef key, size_t offset) {
  if (open.empty())
    return;
  if (!open.back().insert(key).second)
    error = {offset, "expected distinct keys, got " + quote(key) + " twice"};
  else if (open.size() == 1)
    keyOffsets[key] = offset;
}

void StructureScan::run() {
  size_t i = 0;
  while (i < text.size() && !error) {
    switch (text[i]) {
    case '"': {
      size_t end = skipString(i);
      size_t next = text.find_first_not_of(" \t\r\n", end);
      if (next != StringRef::npos && text[next] == ':')
        addKey(text.slice(i + 1, end - 1), i);
      i = end;
      continue;
    }
    case '{':
    case '[':
      open.emplace_back();
      if (open.size() > kMaxDepth)
        error = {i, formatv("expected at most {0} nested arrays and objects",
                            kMaxDepth)};
      break;
    case '}':
    case ']':
      if (!open.empty())
        open.pop_back();
      break;
    default:
      break;
    }
    ++i;
  }
}

/// LLVM's JSON error states its place only in its text,
/// "[line:column, byte=offset]: message".
static ConfigError convertParseError(Error parseError, StringRef file) {
  std::string str = toString(std::move(parseError));
  StringRef rest = str;
  unsigned line = 1, column = 1;
  if (rest.consume_front("[") && !rest.consumeInteger(10, line) &&
      rest.consume_front(":") && !rest.consumeInteger(10, column))
    rest = rest.split("]: ").second;
  else
    rest = str;
  return ConfigError(file.str(), line, column + 1,
                     "expected valid JSON, got: " + rest.str());
}

Expected<ConfigReader> ConfigReader::parse(StringRef text, StringRef file) {
  if (text.trim().empty())
    return make_error<ConfigError>(
        makeError(text, file, 0, "expected a JSON object, got an empty file"));
  StructureScan scan(text);
  if (scan.error)
    return make_error<ConfigError>(
        makeError(text, file, scan.error->first, scan.error->second));
  Expected<json::Value> value = json::parse(text);
  if (!value)
    return make_error<ConfigError>(convertParseError(value.takeError(), file));
  json::Object *object = value->getAsObject();
  if (!object)
    return make_error<ConfigError>(makeError(
        text, file, 0, "expected a JSON object, got " + describe(&*value)));
  return ConfigReader(text, file, std::move(*object),
                      std::move(scan.keyOffsets));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

ConfigReader::ConfigReader(StringRef text, StringRef file, json::Object object,
                           StringMap<size_t> keyOffsets)
    : text(text), file(file.str()), object(std::move(object)),
      keyOffsets(std::move(keyOffsets)) {}

const json::Value *ConfigReader::find(StringRef key) const {
  const json::Value *value = object.get(key);
  return value && value->kind() != json::Value::Null ? value : nullptr;
}

bool ConfigReader::has(StringRef key) const { return find(key); }

ConfigPlace ConfigReader::getPlace(StringRef key) const {
  auto it = keyOffsets.find(key);
  size_t offset = it != keyOffsets.end() ? it->second : text.find_first_of("{");
  auto [line, column] = getPosition(text, offset);
  return {file, key.str(), line, column};
}

void ConfigReader::fail(StringRef key, const Twine &message) {
  if (!error)
    error = ConfigError(getPlace(key), message);
}

void ConfigReader::failExpected(StringRef key, const Twine &expected,
                                const json::Value *got) {
  fail(key, "expected " + expected + ", got " + describe(got));
}

Error ConfigReader::takeError() {
  if (!error)
    return Error::success();
  return make_error<ConfigError>(*std::exchange(error, std::nullopt));
}

int64_t ConfigReader::getInteger(StringRef key, int64_t min, int64_t max,
                                 std::optional<int64_t> fallback) {
  const json::Value *value = find(key);
  if (!value && fallback)
    return *fallback;
  std::optional<int64_t> integer = value ? value->getAsInteger() : std::nullopt;
  if (integer && *integer >= min && *integer <= max)
    return *integer;
  failExpected(key, "an integer in [" + Twine(min) + ", " + Twine(max) + "]",
               object.get(key));
  return min;
}

bool ConfigReader::getBool(StringRef key, std::optional<bool> fallback) {
  const json::Value *value = find(key);
  if (!value && fallback)
    return *fallback;
  if (value)
    if (std::optional<bool> boolean = value->getAsBoolean())
      return *boolean;
  failExpected(key, "true or false", object.get(key));
  return false;
}

std::string ConfigReader::getString(StringRef key,
                                    std::optional<std::string> fallback) {
  const json::Value *value = find(key);
  if (!value && fallback)
    return *fallback;
  if (value)
    if (std::optional<StringRef> str = value->getAsString())
      return str->str();
  failExpected(key, "a string", object.get(key));
  return "";
}

double ConfigReader::getPositive(StringRef key) {
  const json::Value *value = find(key);
  std::optional<double> number = value ? value->getAsNumber() : std::nullopt;
  if (number && std::isfinite(*number) && *number > 0)
    return *number;
  failExpected(key, "a finite number greater than 0", object.get(key));
  return 1.0;
}

std::vector<int64_t> ConfigReader::getIndices(StringRef key, int64_t bound) {
  std::vector<int64_t> indices;
  const json::Value *value = find(key);
  if (!value)
    return indices;
  const json::Array *array = value->getAsArray();
  if (!array) {
    failExpected(key, "an array of layer indices", value);
    return indices;
  }
  for (auto [i, element] : llvm::enumerate(*array)) {
    std::optional<int64_t> index = element.getAsInteger();
    if (!index || *index < 0 || *index >= bound) {
      fail(key, "expected element " + Twine(i) + " to be a layer in [0, " +
                    Twine(bound - 1) + "], got " + describe(&element));
      return indices;
    }
    indices.push_back(*index);
  }
  return indices;
}
