// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One list of a platform's keys for reading and writing JSON.
//
// A record lists its keys once, in a function
//
//   template <typename IO> void visitKeys(IO &io, Record &record);
//
// `KeyReader` fills the record with this function, and `KeyWriter` prints it.
// `moe/Support/Fields.h` does the same for records of the compiler, but
// requires LLVM, which the runtime library does not link.

#ifndef MOE_LIB_PLATFORM_FIELDIO_H
#define MOE_LIB_PLATFORM_FIELDIO_H

#include "moe/Cost/FormatNumber.h"
#include "moe/Cost/Machine.h"
#include "moe/Support/ObjectReader.h"

namespace moe::platform {

/// A limit above any machine that still keeps counts from overflowing.
constexpr int64_t kMaxRanks = int64_t(1) << 24;

inline double getPlain(double value) { return value; }
template <typename Unit> double getPlain(cost::Quantity<Unit> value) {
  return value.value();
}

/// Writes readable JSON with one item per line, indented by two.
class KeyWriter {
public:
  static constexpr bool kReads = false;

  void text(std::string_view name, const std::string &value) {
    key(name);
    out += support::quote(value);
  }
  /// Writes the origin of a value, and omits an empty one.
  void origin(std::string_view name, const std::string &value) {
    if (!value.empty())
      text(name, value);
  }
  template <typename T>
  void number(std::string_view name, const T &value, support::Range) {
    key(name);
    out += cost::formatNumber(getPlain(value));
  }
  void integer(std::string_view name, int64_t value, int64_t, int64_t) {
    key(name);
    out += cost::formatNumber(double(value));
  }
  template <typename T>
  void optional(std::string_view name, const std::optional<T> &value,
                support::Range range) {
    if (value)
      number(name, *value, range);
  }
  void optional(std::string_view name, const std::optional<int64_t> &value,
                int64_t least, int64_t most) {
    if (value)
      integer(name, *value, least, most);
  }
  /// Writes a number, which is omitted if it is 0, the default.
  template <typename T>
  void orZero(std::string_view name, const T &value, support::Range range) {
    if (getPlain(value) != 0)
      number(name, value, range);
  }
  void flag(std::string_view name, bool value) {
    if (!value)
      return;
    key(name);
    out += "true";
  }
  void curve(std::string_view name, const cost::EfficiencyCurve &curve);
  template <typename Record>
  void record(std::string_view name, Record &record) {
    key(name);
    object(record);
  }
  template <typename Record>
  void record(std::string_view name, std::optional<Record> &optional) {
    if (optional)
      record(name, *optional);
  }
  /// `check` is called with the reader, the item and its index after the item's
  /// keys are read.
  template <typename Record, typename Check>
  void list(std::string_view name, std::vector<Record> &records, Check) {
    if (records.empty())
      return;
    key(name);
    open('[');
    for (Record &record : records) {
      item();
      object(record);
    }
    close(']');
  }
  template <typename Check> void check(Check) {}
  void only(std::string_view, std::string_view) {}

  /// For values with a custom shape.
  void key(std::string_view name) {
    item();
    out += support::quote(name) + ": ";
  }
  void literal(std::string_view value) { out += value; }
  void item() {
    if (!isFirst)
      out += ',';
    breakLine();
    isFirst = false;
  }
  void open(char bracket) {
    out += bracket;
    isFirst = true;
    ++depth;
  }
  void close(char bracket) {
    --depth;
    if (!isFirst)
      breakLine();
    out += bracket;
    isFirst = false;
  }
  template <typename Record> void object(Record &record) {
    open('{');
    visitKeys(*this, record);
    close('}');
  }

  std::string take() { return std::move(out) + "\n"; }

private:
  void breakLine() { out += "\n" + std::string(2 * depth, ' '); }

  std::string out;
  size_t depth = 0;
  bool isFirst = true;
};

/// Reads the same keys; the reader's context keeps the first problem.
class KeyReader {
public:
  static constexpr bool kReads = true;

  explicit KeyReader(support::ObjectReader &object) : object(object) {}

  void text(std::string_view key, std::string &value) {
    value = object.getText(key);
  }
  void origin(std::string_view key, std::string &value) {
    value = object.findText(key).value_or("");
  }
  template <typename T>
  void number(std::string_view key, T &value, support::Range range) {
    value = T(object.getNumber(key, range));
  }
  void integer(std::string_view key, int64_t &value, int64_t least,
               int64_t most) {
    value = object.getInteger(key, least, most);
  }
  template <typename T>
  void optional(std::string_view key, std::optional<T> &value,
                support::Range range) {
    if (auto number = object.findNumber(key, range))
      value = T(*number);
  }
  void optional(std::string_view key, std::optional<int64_t> &value,
                int64_t least, int64_t most) {
    value = object.findInteger(key, least, most);
  }
  template <typename T>
  void orZero(std::string_view key, T &value, support::Range range) {
    value = T(object.findNumber(key, range).value_or(0));
  }
  void flag(std::string_view key, bool &value) { value = object.findFlag(key); }
  void curve(std::string_view key, cost::EfficiencyCurve &curve);
  template <typename Record> void record(std::string_view key, Record &record) {
    if (const support::JsonValue *value = object.findObject(key))
      read(*value, key, record);
    else
      object.fail(key, "expected an object, got nothing");
  }
  template <typename Record>
  void record(std::string_view key, std::optional<Record> &record) {
    if (const support::JsonValue *value = object.findObject(key))
      read(*value, key, record.emplace());
  }
  template <typename Record, typename Check>
  void list(std::string_view key, std::vector<Record> &records, Check check) {
    object.forEachObject(key, [&](support::ObjectReader &item, size_t at) {
      KeyReader nested(item);
      visitKeys(nested, records.emplace_back());
      check(item, records.back(), at);
    });
  }
  template <typename Check> void check(Check check) { check(object); }
  /// Rejects the key unless the key that it qualifies is present.
  void only(std::string_view key, std::string_view beside) {
    if (object.has(key) && !object.has(beside))
      object.fail(key,
                  "expected this only beside '" + std::string(beside) + "'");
  }

  support::ObjectReader &getObject() { return object; }
  template <typename Record>
  void read(const support::JsonValue &value, std::string_view key,
            Record &record) {
    support::ObjectReader nested(object.getContext(), value,
                                 object.getPath(key));
    KeyReader reader(nested);
    visitKeys(reader, record);
    nested.finish();
  }

private:
  support::ObjectReader &object;
};

} // namespace moe::platform

#endif // MOE_LIB_PLATFORM_FIELDIO_H
