// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON with positions and without duplicate keys.

#ifndef MOE_SUPPORT_JSON_H
#define MOE_SUPPORT_JSON_H

#include "moe/Cost/Result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace moe::support {

/// A position in a text. Both numbers start at 1; columns count bytes.
struct Place {
  size_t line = 1, column = 1;
};

/// A JSON value with its position.
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
  /// Members in the order of the text. Keys are unique; a repeated key has its
  /// first position.
  std::vector<Member> members;

  const JsonValue *find(std::string_view key) const;
  /// Returns "the number -25", "an array" and so on, for messages.
  std::string describe() const;
};

struct JsonValue::Member {
  std::string key;
  Place keyPlace;
  JsonValue value;
};

/// Why and where a text is not valid JSON.
struct JsonProblem {
  Place place;
  std::string reason;
};

/// Parses a text into `root`; returns nullopt on success. Accepts the same JSON
/// as `parseJson` below.
std::optional<JsonProblem> parseJson(std::string_view text, JsonValue &root);

/// The same for the JSON that Python's json module accepts: `NaN`, `Infinity`
/// and `-Infinity` are numbers, and the last value of a repeated key counts.
/// Appends a problem to `repeated` for each of these keys.
std::optional<JsonProblem> parsePythonJson(std::string_view text,
                                           JsonValue &root,
                                           std::vector<JsonProblem> &repeated);

/// Parses strict JSON in UTF-8: no comments, nothing after the value, no
/// duplicate keys in one object, at most 64 levels deep. A failure starts with
/// the position as "name:line:column: ".
cost::Result<JsonValue> parseJson(std::string_view text,
                                  const std::string &name);

/// Returns "name:line:column: ".
std::string formatPlace(const std::string &name, Place place);

/// Returns a value as JSON on one line.
std::string formatJson(const JsonValue &value);

/// Returns a string as JSON text, including quotes.
std::string quote(std::string_view text);

} // namespace moe::support

#endif // MOE_SUPPORT_JSON_H
