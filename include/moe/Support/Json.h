// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON with places and without duplicates.

#ifndef MOE_SUPPORT_JSON_H
#define MOE_SUPPORT_JSON_H

#include "moe/Cost/Result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace moe::support {

/// A place in a text, both counted from 1; columns are bytes.
struct Place {
  size_t line = 1, column = 1;
};

/// A JSON value that knows where it begins.
struct JsonValue {
  enum class Kind { Null, Boolean, Number, String, Array, Object };

  struct Member;

  Kind kind = Kind::Null;
  Place place;
  bool boolean = false;
  double number = 0;
  /// Written without fraction or exponent.
  bool isInteger = false;
  std::string text;
  std::vector<JsonValue> items;
  /// In the order of the text, a repeated key where it came first; no two have
  /// one key.
  std::vector<Member> members;

  const JsonValue *find(std::string_view key) const;
  /// "the number -25", "an array" and so on, for messages.
  std::string describe() const;
};

struct JsonValue::Member {
  std::string key;
  Place keyPlace;
  JsonValue value;
};

/// Why a text is no JSON, and where.
struct JsonProblem {
  Place place;
  std::string reason;
};

/// Parses a text into `root`; nothing when that went well. The same JSON as
/// below.
std::optional<JsonProblem> parseJson(std::string_view text, JsonValue &root);

/// The same, of the JSON that Python's json module reads: `NaN`, `Infinity` and
/// `-Infinity` are numbers, and of a key that an object has twice the last
/// value counts. `repeated` gets a problem for each of these keys.
std::optional<JsonProblem> parsePythonJson(std::string_view text,
                                           JsonValue &root,
                                           std::vector<JsonProblem> &repeated);

/// Parses a text. Strict JSON in UTF-8: no comments, nothing after the value,
/// no key twice in one object, at most 64 levels deep. The failure names the
/// place as "name:line:column: ".
cost::Result<JsonValue> parseJson(std::string_view text,
                                  const std::string &name);

/// "name:line:column: ".
std::string formatPlace(const std::string &name, Place place);

/// A value as JSON, on one line.
std::string formatJson(const JsonValue &value);

/// The shortest text that reads back as the same number.
std::string formatNumber(double number);

/// A string as JSON text, quotes included.
std::string quote(std::string_view text);

} // namespace moe::support

#endif // MOE_SUPPORT_JSON_H
