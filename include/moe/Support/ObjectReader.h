// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Typed access to JSON objects.

#ifndef MOE_SUPPORT_OBJECTREADER_H
#define MOE_SUPPORT_OBJECTREADER_H

#include "moe/Support/Json.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace moe::support {

/// State that all readers of one file share, with the first problem found.
struct ReaderContext {
  std::string name;
  std::string problem;
  /// The object with a missing key, if that is the problem: an unknown key of
  /// the same object is then a better explanation.
  const JsonValue *lacking = nullptr;

  bool hasFailed() const { return !problem.empty(); }
  /// Records the first problem: "name:line:column: path: reason".
  void fail(Place place, const std::string &path, const std::string &reason);
};

/// The permitted numbers of a key.
enum class Range { Positive, NotNegative, UpToOne, AtLeastOne };

/// Reads the members of one object. After a problem, which the context keeps,
/// the reader returns a default value, so that callers need no checks.
class ObjectReader {
public:
  /// `path` is the path of the object; empty for the top-level object.
  ObjectReader(ReaderContext &context, const JsonValue &object,
               std::string path);

  /// Reports keys that were not read, with a list of the known ones. Must be
  /// called after all keys have been read.
  void finish();

  std::string getText(std::string_view key);
  double getNumber(std::string_view key, Range range);
  int64_t getInteger(std::string_view key, int64_t min, int64_t max);
  std::optional<std::string> findText(std::string_view key);
  std::optional<double> findNumber(std::string_view key, Range range);
  std::optional<int64_t> findInteger(std::string_view key, int64_t min,
                                     int64_t max);
  bool findFlag(std::string_view key);
  /// Returns the items of an array.
  const std::vector<JsonValue> *findArray(std::string_view key);
  const JsonValue *findObject(std::string_view key);

  /// Calls `visit` with a reader for each object in an array, and finishes
  /// each.
  void forEachObject(std::string_view key,
                     const std::function<void(ObjectReader &, size_t)> &visit);

  bool has(std::string_view key) const { return object.find(key); }
  bool isArray(std::string_view key) const {
    const JsonValue *value = object.find(key);
    return value && value->kind == JsonValue::Kind::Array;
  }
  std::string getPath(std::string_view key) const {
    return path.empty() ? std::string(key) : path + "." + std::string(key);
  }
  /// Reports a problem with a key, or with the object if it lacks the key.
  void fail(std::string_view key, const std::string &reason);
  ReaderContext &getContext() { return context; }

private:
  /// Finds a member and marks the key as known.
  const JsonValue *find(std::string_view key);
  const JsonValue *get(std::string_view key, const std::string &expected);
  std::optional<double> toNumber(const JsonValue &value, std::string_view key,
                                 Range range);
  std::optional<int64_t> toInteger(const JsonValue &value, std::string_view key,
                                   int64_t min, int64_t max);

  ReaderContext &context;
  const JsonValue &object;
  std::string path;
  std::vector<std::string> known;
};

} // namespace moe::support

#endif // MOE_SUPPORT_OBJECTREADER_H
