// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Typed access to JSON objects.

#include "moe/Support/ObjectReader.h"

#include <algorithm>

using namespace moe::support;

using Kind = JsonValue::Kind;

static const char *describe(Range range) {
  switch (range) {
  case Range::Positive:
    return "a number > 0";
  case Range::NotNegative:
    return "a number >= 0";
  case Range::UpToOne:
    return "a number in [0, 1]";
  case Range::AtLeastOne:
    return "a number >= 1";
  }
  return "";
}

static bool isIn(double number, Range range) {
  switch (range) {
  case Range::Positive:
    return number > 0;
  case Range::NotNegative:
    return number >= 0;
  case Range::UpToOne:
    return number >= 0 && number <= 1;
  case Range::AtLeastOne:
    return number >= 1;
  }
  return false;
}

static std::string describeInteger(int64_t min, int64_t max) {
  return "an integer in [" + std::to_string(min) + ", " + std::to_string(max) +
         "]";
}

void ReaderContext::fail(Place place, const std::string &path,
                         const std::string &reason) {
  if (problem.empty())
    problem =
        formatPlace(name, place) + (path.empty() ? "" : path + ": ") + reason;
}

ObjectReader::ObjectReader(ReaderContext &context, const JsonValue &object,
                           std::string path)
    : context(context), object(object), path(std::move(path)) {
  if (object.kind != Kind::Object)
    context.fail(object.place, this->path,
                 "expected an object, got " + object.describe());
}

void ObjectReader::finish() {
  for (const JsonValue::Member &member : object.members) {
    if (std::find(known.begin(), known.end(), member.key) != known.end())
      continue;
    std::string keys;
    for (const std::string &key : known)
      keys += (keys.empty() ? "" : ", ") + key;
    // An earlier missing key is probably this misspelled one.
    if (context.lacking == &object) {
      context.problem.clear();
      context.lacking = nullptr;
    }
    context.fail(member.keyPlace, getPath(member.key),
                 "expected one of the keys " + keys + "; got an unknown key");
  }
}

const JsonValue *ObjectReader::find(std::string_view key) {
  if (std::find(known.begin(), known.end(), key) == known.end())
    known.emplace_back(key);
  return object.find(key);
}

const JsonValue *ObjectReader::get(std::string_view key,
                                   const std::string &expected) {
  const JsonValue *value = find(key);
  if (!value)
    fail(key, "expected " + expected + ", got nothing: the key is missing");
  return value;
}

void ObjectReader::fail(std::string_view key, const std::string &reason) {
  const JsonValue *value = object.find(key);
  if (!value && !context.hasFailed())
    context.lacking = &object;
  context.fail(value ? value->place : object.place, getPath(key), reason);
}

std::optional<double> ObjectReader::toNumber(const JsonValue &value,
                                             std::string_view key,
                                             Range range) {
  if (value.kind == Kind::Number && isIn(value.number, range))
    return value.number;
  fail(key, std::string("expected ") + describe(range) + ", got " +
                value.describe());
  return std::nullopt;
}

std::optional<int64_t> ObjectReader::toInteger(const JsonValue &value,
                                               std::string_view key,
                                               int64_t min, int64_t max) {
  // The range is well within the integers that a double represents exactly.
  if (value.kind == Kind::Number && value.isInteger &&
      value.number >= double(min) && value.number <= double(max))
    return int64_t(value.number);
  fail(key,
       "expected " + describeInteger(min, max) + ", got " + value.describe());
  return std::nullopt;
}

std::string ObjectReader::getText(std::string_view key) {
  if (!object.find(key)) {
    get(key, "a text");
    return "";
  }
  return findText(key).value_or("");
}

double ObjectReader::getNumber(std::string_view key, Range range) {
  const JsonValue *value = get(key, describe(range));
  return value ? toNumber(*value, key, range).value_or(1) : 1;
}

int64_t ObjectReader::getInteger(std::string_view key, int64_t min,
                                 int64_t max) {
  const JsonValue *value = get(key, describeInteger(min, max));
  return value ? toInteger(*value, key, min, max).value_or(min) : min;
}

std::optional<std::string> ObjectReader::findText(std::string_view key) {
  const JsonValue *value = find(key);
  if (!value)
    return std::nullopt;
  if (value->kind == Kind::String && !value->text.empty())
    return value->text;
  fail(key, "expected a text that is not empty, got " + value->describe());
  return std::nullopt;
}

std::optional<double> ObjectReader::findNumber(std::string_view key,
                                               Range range) {
  const JsonValue *value = find(key);
  return value ? toNumber(*value, key, range) : std::nullopt;
}

std::optional<int64_t> ObjectReader::findInteger(std::string_view key,
                                                 int64_t min, int64_t max) {
  const JsonValue *value = find(key);
  return value ? toInteger(*value, key, min, max) : std::nullopt;
}

bool ObjectReader::findFlag(std::string_view key) {
  const JsonValue *value = find(key);
  if (!value)
    return false;
  if (value->kind != Kind::Boolean)
    fail(key, "expected true or false, got " + value->describe());
  return value->boolean;
}

const std::vector<JsonValue> *ObjectReader::findArray(std::string_view key) {
  const JsonValue *value = find(key);
  if (!value)
    return nullptr;
  if (value->kind == Kind::Array)
    return &value->items;
  fail(key, "expected an array, got " + value->describe());
  return nullptr;
}

const JsonValue *ObjectReader::findObject(std::string_view key) {
  const JsonValue *value = find(key);
  if (!value)
    return nullptr;
  if (value->kind == Kind::Object)
    return value;
  fail(key, "expected an object, got " + value->describe());
  return nullptr;
}

void ObjectReader::forEachObject(
    std::string_view key,
    const std::function<void(ObjectReader &, size_t)> &visit) {
  const std::vector<JsonValue> *items = findArray(key);
  if (!items)
    return;
  for (size_t i = 0; i < items->size(); ++i) {
    ObjectReader reader(context, (*items)[i],
                        getPath(key) + "[" + std::to_string(i) + "]");
    visit(reader, i);
    reader.finish();
  }
}
