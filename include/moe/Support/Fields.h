// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A single list of fields for both reading and writing JSON.
//
// A record lists its fields once, in a function
//
//   template <typename IO> void visitFields(IO &io, Record &record) {
//     io.required("name", record.name);
//     io.optional("candidates", record.candidates);
//   }
//
// which both writes the record as JSON and reads it back. A required field is
// always written, and it is an error if it is missing; an optional one is left
// out if it is empty, false, zero or unset. Items of lists may be checked
// against the enclosing record: arguments after the list are passed on to the
// items' `visitFields`.
//
// An item of `lines` is an array on one line, listed by a function
//
//   template <typename IO> bool visitLine(IO &io, Item &item);
//
// which returns false if the item is inconsistent.

#ifndef MOE_SUPPORT_FIELDS_H
#define MOE_SUPPORT_FIELDS_H

#include "moe/Cost/FormatNumber.h"
#include "moe/Cost/Matrix.h"
#include "moe/Support/Json.h"
#include "moe/Support/ObjectReader.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace moe::support {

/// The largest integer of a field, which a double represents exactly.
constexpr int64_t kMaxInteger = int64_t(1) << 53;

/// Writes the items of a line.
class LineWriter {
public:
  explicit LineWriter(llvm::raw_ostream &os) : os(os) { os << "["; }
  ~LineWriter() { os << "]"; }

  void number(double &value, double /*least*/ = 0) {
    next() << cost::formatNumber(value);
  }
  template <typename IntT> void integer(IntT &value, int64_t, int64_t) {
    next() << value;
  }
  void place(size_t &value, size_t /*limit*/) { next() << value; }
  void places(std::vector<size_t> &values, size_t limit) {
    LineWriter nested(next());
    for (size_t &value : values)
      nested.place(value, limit);
  }
  void text(std::string &value) { next() << llvm::json::Value(value); }

private:
  llvm::raw_ostream &next() {
    if (!isFirst)
      os << ",";
    isFirst = false;
    return os;
  }

  llvm::raw_ostream &os;
  bool isFirst = true;
};

/// Reads the items of a line. An invalid or additional item makes the line
/// invalid.
class LineReader {
public:
  explicit LineReader(const JsonValue &line)
      : isRight(line.kind == JsonValue::Kind::Array), items(line.items) {}

  void number(double &value, double least = 0) {
    if (const JsonValue *item = take(JsonValue::Kind::Number)) {
      value = item->number;
      isRight &= value >= least;
    }
  }
  template <typename IntT>
  void integer(IntT &value, int64_t least, int64_t most) {
    const JsonValue *item = take(JsonValue::Kind::Number);
    if (!item)
      return;
    isRight &= item->isInteger && item->number >= double(least) &&
               item->number <= double(most);
    if (isRight)
      value = static_cast<IntT>(item->number);
  }
  void place(size_t &value, size_t limit) {
    integer(value, 0, static_cast<int64_t>(limit) - 1);
  }
  void places(std::vector<size_t> &values, size_t limit) {
    const JsonValue *item = take(JsonValue::Kind::Array);
    if (!item)
      return;
    LineReader nested(*item);
    while (nested.isRight && nested.next < item->items.size())
      nested.place(values.emplace_back(), limit);
    isRight &= nested.isRight;
  }
  void text(std::string &value) {
    if (const JsonValue *item = take(JsonValue::Kind::String))
      value = item->text;
  }

  bool finish() const { return isRight && next == items.size(); }

private:
  const JsonValue *take(JsonValue::Kind kind) {
    isRight = isRight && next < items.size() && items[next].kind == kind;
    return isRight ? &items[next++] : nullptr;
  }

  bool isRight;
  const std::vector<JsonValue> &items;
  size_t next = 0;
};

/// Writes the fields of a record.
class FieldWriter {
public:
  explicit FieldWriter(llvm::json::OStream &json) : json(json) {}

  void required(llvm::StringRef key, std::string &value) {
    json.attribute(key, value);
  }
  void required(llvm::StringRef key, bool &value) {
    json.attribute(key, value);
  }
  void required(llvm::StringRef key, double &value,
                Range = Range::NotNegative) {
    json.attribute(key, value);
  }
  void required(llvm::StringRef key, int64_t &value, int64_t = 0,
                int64_t = kMaxInteger) {
    json.attribute(key, value);
  }
  void required(llvm::StringRef key, std::vector<std::string> &values) {
    json.attribute(key, llvm::json::Array(values));
  }
  void required(llvm::StringRef key, cost::Matrix<double> &rows) {
    json.attributeArray(key, [&] { writeRows(rows); });
  }
  template <typename Record, typename... Around>
  requires std::is_class_v<Record>
  void required(llvm::StringRef key, Record &record, const Around &...around) {
    json.attributeObject(key, [&] { visitFields(*this, record, around...); });
  }
  template <typename Record, typename... Around>
  requires std::is_class_v<Record>
  void required(llvm::StringRef key, std::vector<Record> &records,
                const Around &...around) {
    json.attributeArray(key, [&] {
      for (Record &record : records)
        json.object([&] { visitFields(*this, record, around...); });
    });
  }

  void optional(llvm::StringRef key, std::string &value) {
    if (!value.empty())
      json.attribute(key, value);
  }
  void optional(llvm::StringRef key, bool &value) {
    if (value)
      json.attribute(key, true);
  }
  void optional(llvm::StringRef key, int64_t &value, int64_t,
                int64_t = kMaxInteger) {
    if (value != 0)
      json.attribute(key, value);
  }
  void optional(llvm::StringRef key, std::optional<double> &value,
                Range = Range::NotNegative) {
    if (value)
      json.attribute(key, *value);
  }
  void optional(llvm::StringRef key, std::optional<int64_t> &value, int64_t = 0,
                int64_t = kMaxInteger) {
    if (value)
      json.attribute(key, *value);
  }
  void optional(llvm::StringRef key, std::vector<std::string> &values) {
    if (!values.empty())
      json.attribute(key, llvm::json::Array(values));
  }
  /// Writes several matrices.
  void required(llvm::StringRef key,
                std::vector<cost::Matrix<double>> &matrices) {
    json.attributeArray(key, [&] {
      for (cost::Matrix<double> &rows : matrices)
        json.array([&] { writeRows(rows); });
    });
  }
  template <typename Record, typename... Around>
  requires std::is_class_v<Record>
  void optional(llvm::StringRef key, std::optional<Record> &record,
                const Around &...around) {
    if (record)
      required(key, *record, around...);
  }
  template <typename Record, typename... Around>
  requires std::is_class_v<Record>
  void optional(llvm::StringRef key, std::vector<Record> &records,
                const Around &...around) {
    if (!records.empty())
      required(key, records, around...);
  }

  /// Writes the index of an item in a list of `limit` items.
  void place(llvm::StringRef key, size_t &value, size_t /*limit*/) {
    json.attribute(key, static_cast<int64_t>(value));
  }
  void place(llvm::StringRef key, std::optional<size_t> &value,
             size_t /*limit*/) {
    if (value)
      json.attribute(key, static_cast<int64_t>(*value));
  }
  /// Writes several indices, one per line, or nothing if there are none.
  void places(llvm::StringRef key, std::vector<size_t> &values,
              size_t /*limit*/) {
    if (!values.empty())
      json.attributeArray(key, [&] {
        for (size_t value : values)
          json.value(static_cast<int64_t>(value));
      });
  }
  /// Writes several indices on one line.
  void placesInLine(llvm::StringRef key, std::vector<size_t> &values,
                    size_t limit) {
    json.attributeBegin(key);
    json.rawValue([&](llvm::raw_ostream &os) {
      LineWriter line(os);
      for (size_t &value : values)
        line.place(value, limit);
    });
    json.attributeEnd();
  }

  /// Writes items with one line each. `items` describes their format.
  template <typename Item, typename... Around>
  void lines(llvm::StringRef key, std::vector<Item> &records,
             const std::string & /*items*/, const Around &...around) {
    json.attributeArray(key, [&] {
      for (Item &record : records)
        json.rawValue([&](llvm::raw_ostream &os) {
          LineWriter line(os);
          visitLine(line, record, around...);
        });
    });
  }

  /// Writes a field that follows from others, for readers of the JSON.
  void derived(llvm::StringRef key, std::optional<double> value) {
    if (value)
      json.attribute(key, *value);
  }
  void derived(llvm::StringRef key, const std::string &value) {
    if (!value.empty())
      json.attribute(key, value);
  }
  template <typename Record>
  void derivedRecord(llvm::StringRef key, std::optional<Record> record) {
    optional(key, record);
  }

  /// Does nothing; `FieldReader` reports an error if the value is wrong.
  void check(llvm::StringRef, bool, const std::string &) {}

  llvm::json::OStream &getStream() { return json; }
  static constexpr bool kReads = false;

private:
  void writeRows(cost::Matrix<double> &rows) {
    for (int64_t i = 0; i < rows.getNumRows(); ++i)
      json.rawValue([&](llvm::raw_ostream &os) {
        LineWriter line(os);
        for (double &number : rows.getRow(i))
          line.number(number);
      });
  }

  llvm::json::OStream &json;
};

/// Reads the fields of a record. The reader's context keeps the first problem.
class FieldReader {
public:
  explicit FieldReader(ObjectReader &object) : object(object) {}

  void required(std::string_view key, std::string &value) {
    value = object.getText(key);
  }
  void required(std::string_view key, bool &value) {
    value = object.findFlag(key);
  }
  void required(std::string_view key, double &value,
                Range range = Range::NotNegative) {
    value = object.getNumber(key, range);
  }
  void required(std::string_view key, int64_t &value, int64_t least = 0,
                int64_t most = kMaxInteger) {
    value = object.getInteger(key, least, most);
  }
  void required(std::string_view key, std::vector<std::string> &values) {
    optional(key, values);
  }
  void required(std::string_view key, cost::Matrix<double> &rows) {
    if (const std::vector<JsonValue> *items = object.findArray(key))
      readRows(*items, object.getPath(key), rows);
  }
  void required(std::string_view key,
                std::vector<cost::Matrix<double>> &matrices) {
    forEachItem(key, [&](const JsonValue &item, const std::string &path) {
      readRows(item.items, path, matrices.emplace_back());
    });
  }
  template <typename Record, typename... Around>
  requires std::is_class_v<Record>
  void required(std::string_view key, Record &record, const Around &...around) {
    if (const JsonValue *value = object.findObject(key))
      read(*value, key, record, around...);
    else
      object.fail(key, "expected an object, got none");
  }
  template <typename Record, typename... Around>
  requires std::is_class_v<Record>
  void required(std::string_view key, std::vector<Record> &records,
                const Around &...around) {
    object.forEachObject(key, [&](ObjectReader &item, size_t) {
      FieldReader nested(item);
      visitFields(nested, records.emplace_back(), around...);
    });
  }

  void optional(std::string_view key, std::string &value) {
    value = object.findText(key).value_or("");
  }
  void optional(std::string_view key, bool &value) {
    value = object.findFlag(key);
  }
  void optional(std::string_view key, int64_t &value, int64_t least,
                int64_t most = kMaxInteger) {
    value = object.findInteger(key, least, most).value_or(0);
  }
  void optional(std::string_view key, std::optional<double> &value,
                Range range = Range::NotNegative) {
    value = object.findNumber(key, range);
  }
  void optional(std::string_view key, std::optional<int64_t> &value,
                int64_t least = 0, int64_t most = kMaxInteger) {
    value = object.findInteger(key, least, most);
  }
  void optional(std::string_view key, std::vector<std::string> &values) {
    forEachItem(key, [&](const JsonValue &item, const std::string &path) {
      if (item.kind != JsonValue::Kind::String)
        object.getContext().fail(item.place, path,
                                 "expected a text, got " + item.describe());
      values.push_back(item.text);
    });
  }
  template <typename Record, typename... Around>
  requires std::is_class_v<Record>
  void optional(std::string_view key, std::optional<Record> &record,
                const Around &...around) {
    if (const JsonValue *value = object.findObject(key))
      read(*value, key, record.emplace(), around...);
  }
  template <typename Record, typename... Around>
  requires std::is_class_v<Record>
  void optional(std::string_view key, std::vector<Record> &records,
                const Around &...around) {
    required(key, records, around...);
  }

  void place(std::string_view key, size_t &value, size_t limit) {
    value = static_cast<size_t>(
        object.getInteger(key, 0, static_cast<int64_t>(limit) - 1));
  }
  void place(std::string_view key, std::optional<size_t> &value, size_t limit) {
    if (object.has(key))
      place(key, value.emplace(), limit);
  }
  void places(std::string_view key, std::vector<size_t> &values, size_t limit) {
    const std::vector<JsonValue> *items = object.findArray(key);
    for (size_t i = 0; items && i < items->size(); ++i) {
      const JsonValue &item = (*items)[i];
      if (item.kind != JsonValue::Kind::Number || !item.isInteger ||
          item.number < 0 || item.number >= double(limit))
        object.getContext().fail(item.place, object.getPath(key),
                                 "expected integers in [0, " +
                                     std::to_string(limit) + "), got " +
                                     item.describe());
      else
        values.push_back(static_cast<size_t>(item.number));
    }
  }
  void placesInLine(std::string_view key, std::vector<size_t> &values,
                    size_t limit) {
    places(key, values, limit);
  }

  template <typename Item, typename... Around>
  void lines(std::string_view key, std::vector<Item> &records,
             const std::string &items, const Around &...around) {
    forEachItem(key, [&](const JsonValue &value, const std::string &path) {
      LineReader line(value);
      bool isRight = visitLine(line, records.emplace_back(), around...);
      if (!line.finish() || !isRight)
        object.getContext().fail(value.place, path,
                                 "expected " + items + ", got " +
                                     value.describe());
    });
  }

  void derived(std::string_view key, std::optional<double>) {
    object.findNumber(key, Range::NotNegative);
  }
  void derived(std::string_view key, const std::string &) {
    object.findText(key);
  }
  template <typename Record>
  void derivedRecord(std::string_view key, std::optional<Record>) {
    object.findObject(key);
  }

  void check(std::string_view key, bool isRight, const std::string &problem) {
    if (!isRight)
      object.fail(key, problem);
  }

  ObjectReader &getObject() { return object; }
  static constexpr bool kReads = true;

private:
  void forEachItem(
      std::string_view key,
      llvm::function_ref<void(const JsonValue &, const std::string &)> visit) {
    const std::vector<JsonValue> *items = object.findArray(key);
    for (size_t i = 0; items && i < items->size(); ++i)
      visit((*items)[i], object.getPath(key) + "[" + std::to_string(i) + "]");
  }

  void readRows(const std::vector<JsonValue> &items, const std::string &path,
                cost::Matrix<double> &rows) {
    std::vector<double> numbers;
    for (const JsonValue &item : items) {
      bool isRow = item.kind == JsonValue::Kind::Array &&
                   item.items.size() == items.front().items.size();
      for (const JsonValue &number : item.items) {
        isRow = isRow && number.kind == JsonValue::Kind::Number &&
                number.number >= 0;
        numbers.push_back(number.number);
      }
      if (!isRow)
        object.getContext().fail(item.place, path,
                                 "expected rows of numbers of at least 0, as "
                                 "long as the first, got " +
                                     item.describe());
    }
    if (!items.empty() && !object.getContext().hasFailed())
      rows = cost::Matrix<double>::fromValues(
          static_cast<int64_t>(items.front().items.size()), std::move(numbers));
  }

  template <typename Record, typename... Around>
  void read(const JsonValue &value, std::string_view key, Record &record,
            const Around &...around) {
    ObjectReader nested(object.getContext(), value, object.getPath(key));
    FieldReader reader(nested);
    visitFields(reader, record, around...);
    nested.finish();
  }

  ObjectReader &object;
};

/// Returns the record as a JSON object on one line.
template <typename Record> std::string formatFields(Record record) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os);
  json.object([&] {
    FieldWriter writer(json);
    visitFields(writer, record);
  });
  return text;
}

/// Reads a JSON object with the fields of `Record` and no others. A failure
/// includes the position in `name`.
template <typename Record>
cost::Result<Record> parseFields(std::string_view text,
                                 const std::string &name) {
  cost::Result<JsonValue> root = parseJson(text, name);
  if (!root)
    return root.getFailure();
  ReaderContext context;
  context.name = name;
  ObjectReader object(context, *root, "");
  FieldReader reader(object);
  Record record;
  visitFields(reader, record);
  object.finish();
  if (context.hasFailed())
    return cost::Failure{context.problem};
  return record;
}

} // namespace moe::support

#endif // MOE_SUPPORT_FIELDS_H
