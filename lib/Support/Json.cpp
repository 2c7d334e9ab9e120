// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON with positions and without duplicate keys.
//
// nlohmann's lexer and parser call a handler, which builds the values. The
// handler sees information that neither nlohmann's nor LLVM's own tree keeps:
// duplicate keys and, through the iterator that the lexer reads from, the
// position of everything. Nothing here throws, because the parser reports
// through the handler.
//
// For Python's JSON, the lexer reads a copy with each `NaN` and `Infinity`
// replaced by a number of the same length, so that all positions remain valid.
// The handler restores the values.

#include "moe/Support/Json.h"
#include "moe/Cost/FormatNumber.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

using namespace moe;
using namespace moe::support;
using moe::cost::formatNumber;

static constexpr size_t kMaxDepth = 64;

namespace {

/// A text of Python's JSON, converted to strict JSON.
struct StrictText {
  std::string text;
  /// The values of the replaced numbers, without their sign, by offset.
  std::map<size_t, double> numbers;
};

} // namespace

static StrictText makeStrict(std::string_view text) {
  struct {
    std::string_view word, number;
    double value;
  } words[] = {
      {"NaN", "1.0", std::numeric_limits<double>::quiet_NaN()},
      {"Infinity", "1.000000", std::numeric_limits<double>::infinity()}};
  StrictText strict{std::string(text), {}};
  auto isWord = [&](size_t at) {
    return at < text.size() && (std::isalnum((unsigned char)text[at]) != 0 ||
                                text[at] == '_' || text[at] == '.');
  };
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (inString) {
      if (text[i] == '\\')
        ++i;
      else if (text[i] == '"')
        inString = false;
      continue;
    }
    inString = text[i] == '"';
    for (auto &[word, number, value] : words) {
      if (text.substr(i, word.size()) != word || isWord(i + word.size()) ||
          (i > 0 && isWord(i - 1)))
        continue;
      // Python has no -NaN.
      if (i > 0 && text[i - 1] == '-' && std::isnan(value))
        continue;
      strict.text.replace(i, number.size(), number);
      strict.numbers[i] = value;
      i += word.size() - 1;
      break;
    }
  }
  return strict;
}

namespace {

/// Reads a text for the lexer and tracks its position.
class CountingIterator {
public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char *;
  using reference = const char &;

  CountingIterator(const char *at, const char **farthest)
      : at(at), farthest(farthest) {}

  reference operator*() const { return *at; }
  CountingIterator &operator++() {
    *farthest = ++at;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator old = *this;
    ++*this;
    return old;
  }
  friend bool operator==(const CountingIterator &a, const CountingIterator &b) {
    return a.at == b.at;
  }

private:
  const char *at;
  const char **farthest;
};

/// Builds values from the parser's events; every event returns whether to
/// continue.
class Builder {
public:
  Builder(std::string_view text, JsonValue &root)
      : text(text), farthest(text.data()), counted(text.data()),
        tokenEnd(text.data()), root(root) {}

  /// Reads a text that was converted from Python's JSON.
  Builder(const StrictText &strict, JsonValue &root,
          std::vector<JsonProblem> &repeated)
      : Builder(strict.text, root) {
    numbers = &strict.numbers;
    this->repeated = &repeated;
  }

  CountingIterator begin() { return {text.data(), &farthest}; }
  CountingIterator end() { return {text.data() + text.size(), &farthest}; }

  /// Returns why an event ended the parsing.
  const JsonProblem &getProblem() const { return problem; }

  //===--------------------------------------------------------------------===//
  // Events of the parser
  //===--------------------------------------------------------------------===//

  bool null() { return add(JsonValue::Kind::Null); }
  bool boolean(bool value) {
    return add(JsonValue::Kind::Boolean) && ((last->boolean = value), true);
  }
  bool number_integer(int64_t value) { return addNumber(double(value), true); }
  bool number_unsigned(uint64_t value) {
    return addNumber(double(value), true);
  }
  bool number_float(double value, const std::string &) {
    return addNumber(value, false);
  }
  bool string(std::string &value) {
    return add(JsonValue::Kind::String) && ((last->text = value), true);
  }
  bool binary(std::vector<uint8_t> &) { return false; }
  bool start_object(size_t) { return open(JsonValue::Kind::Object); }
  bool start_array(size_t) { return open(JsonValue::Kind::Array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string &key) {
    Place place = takePlace();
    JsonValue &object = *stack.back();
    for (JsonValue::Member &member : object.members) {
      if (member.key != key)
        continue;
      std::string message = getPath() + key +
                            ": expected each key once, got it "
                            "again; the first is at line " +
                            std::to_string(member.keyPlace.line) + ", column " +
                            std::to_string(member.keyPlace.column);
      if (!repeated)
        return fail(place, message);
      repeated->push_back({place, message + "; the last one counts"});
      member = {key, place, {}};
      current.back() = &member;
      return true;
    }
    object.members.push_back({key, place, {}});
    current.back() = &object.members.back();
    return true;
  }

  bool parse_error(size_t, const std::string &,
                   const nlohmann::detail::exception &exception) {
    // "[json.exception...] parse error at line 1, column 2: REASON": only
    // REASON is needed, because the position is already known.
    std::string_view reason = exception.what();
    for (std::string_view before : {"] ", ": "})
      if (size_t at = reason.find(before); at != reason.npos)
        reason.remove_prefix(at + before.size());
    return fail(getPlace(farthest),
                "expected JSON, got a " + std::string(reason));
  }

private:
  bool fail(Place place, const std::string &message) {
    problem = {place, message};
    return false;
  }

  /// Returns the path of the current object, with a trailing dot.
  std::string getPath() const {
    std::string path;
    for (size_t i = 0; i + 1 < stack.size(); ++i) {
      if (stack[i]->kind == JsonValue::Kind::Array) {
        path += "[" + std::to_string(stack[i]->items.size() - 1) + "]";
        continue;
      }
      path += (path.empty() ? "" : ".") + current[i]->key;
    }
    return path.empty() ? path : path + ".";
  }

  /// Counts lines up to `at`, which must not decrease.
  Place getPlace(const char *at) {
    for (; counted < at; ++counted) {
      if (*counted == '\n') {
        ++place.line;
        place.column = 1;
      } else {
        ++place.column;
      }
    }
    return place;
  }

  /// Returns the start of the token that was just read: after the previous
  /// token and separators.
  Place takePlace() {
    tokenBegin = tokenEnd;
    while (tokenBegin < farthest &&
           std::string_view(" \t\r\n,:").find(*tokenBegin) !=
               std::string_view::npos)
      ++tokenBegin;
    tokenEnd = farthest;
    return getPlace(tokenBegin);
  }

  bool add(JsonValue::Kind kind) {
    Place place = takePlace();
    if (stack.empty()) {
      last = &root;
    } else if (stack.back()->kind == JsonValue::Kind::Array) {
      stack.back()->items.emplace_back();
      last = &stack.back()->items.back();
    } else {
      last = &current.back()->value;
    }
    last->kind = kind;
    last->place = place;
    return true;
  }

  bool addNumber(double value, bool isInteger) {
    add(JsonValue::Kind::Number);
    if (numbers) {
      auto at = size_t(tokenBegin - text.data());
      bool isNegative = *tokenBegin == '-';
      if (auto found = numbers->find(at + (isNegative ? 1 : 0));
          found != numbers->end())
        value = isNegative ? -found->second : found->second;
    }
    last->number = value;
    last->isInteger = isInteger;
    return true;
  }

  bool open(JsonValue::Kind kind) {
    add(kind);
    if (stack.size() == kMaxDepth)
      return fail(last->place, "expected at most " + std::to_string(kMaxDepth) +
                                   " arrays and objects in each other");
    stack.push_back(last);
    current.push_back(nullptr);
    return true;
  }

  bool close() {
    tokenEnd = farthest;
    stack.pop_back();
    current.pop_back();
    return true;
  }

  std::string_view text;
  /// The lexer's position, the position that `place` refers to, and the last
  /// token.
  const char *farthest, *counted, *tokenEnd, *tokenBegin = nullptr;
  Place place;

  JsonValue &root;
  JsonValue *last = nullptr;
  /// The open values. Their addresses are stable, because only the innermost
  /// grows.
  std::vector<JsonValue *> stack;
  /// The current member of each open value; null for arrays.
  std::vector<JsonValue::Member *> current;
  JsonProblem problem;
  /// For Python's JSON: see `StrictText`, and messages about repeated keys.
  const std::map<size_t, double> *numbers = nullptr;
  std::vector<JsonProblem> *repeated = nullptr;
};

} // namespace

std::optional<JsonProblem> moe::support::parseJson(std::string_view text,
                                                   JsonValue &root) {
  Builder builder(text, root);
  if (nlohmann::json::sax_parse(builder.begin(), builder.end(), &builder))
    return std::nullopt;
  return builder.getProblem();
}

std::optional<JsonProblem>
moe::support::parsePythonJson(std::string_view text, JsonValue &root,
                              std::vector<JsonProblem> &repeated) {
  StrictText strict = makeStrict(text);
  Builder builder(strict, root, repeated);
  if (nlohmann::json::sax_parse(builder.begin(), builder.end(), &builder))
    return std::nullopt;
  return builder.getProblem();
}

cost::Result<JsonValue> moe::support::parseJson(std::string_view text,
                                                const std::string &name) {
  if (text.find_first_not_of(" \t\r\n") == text.npos)
    return cost::Failure{name + ": expected JSON, got an empty file"};
  JsonValue root;
  if (std::optional<JsonProblem> problem = parseJson(text, root))
    return cost::Failure{formatPlace(name, problem->place) + problem->reason};
  return root;
}

const JsonValue *JsonValue::find(std::string_view key) const {
  for (const Member &member : members)
    if (member.key == key)
      return &member.value;
  return nullptr;
}

std::string JsonValue::describe() const {
  switch (kind) {
  case Kind::Null:
    return "null";
  case Kind::Boolean:
    return boolean ? "true" : "false";
  case Kind::Number:
    if (std::isnan(number))
      return "NaN";
    if (std::isinf(number))
      return number < 0 ? "-Infinity" : "Infinity";
    return formatNumber(number);
  case Kind::String:
    return quote(text);
  case Kind::Array:
    return "an array of " + std::to_string(items.size());
  case Kind::Object:
    return "an object";
  }
  return "";
}

std::string moe::support::formatPlace(const std::string &name, Place place) {
  return name + ":" + std::to_string(place.line) + ":" +
         std::to_string(place.column) + ": ";
}

std::string moe::support::quote(std::string_view text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if ((unsigned char)c < 0x20) {
      static constexpr char kDigits[] = "0123456789abcdef";
      quoted += "\\u00";
      quoted += kDigits[c >> 4];
      quoted += kDigits[c & 15];
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string moe::support::formatJson(const JsonValue &value) {
  std::string text;
  switch (value.kind) {
  case JsonValue::Kind::Null:
    return "null";
  case JsonValue::Kind::Boolean:
    return value.boolean ? "true" : "false";
  case JsonValue::Kind::Number:
    return value.describe();
  case JsonValue::Kind::String:
    return quote(value.text);
  case JsonValue::Kind::Array:
    for (const JsonValue &item : value.items)
      text += (text.empty() ? "" : ",") + formatJson(item);
    return "[" + text + "]";
  case JsonValue::Kind::Object:
    for (const JsonValue::Member &member : value.members)
      text += (text.empty() ? "" : ",") + quote(member.key) + ":" +
              formatJson(member.value);
    return "{" + text + "}";
  }
  return text;
}
