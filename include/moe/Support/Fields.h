// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One list of fields for JSON in and out.
//
// A record lists its fields once, in a function
//
//   template <typename IO> void visitFields(IO &io, Record &record) {
//     io.text("name", record.name);
//     io.list("candidates", record.candidates);
//   }
//
// which writes the record as JSON and reads it back.

#ifndef MOE_SUPPORT_FIELDS_H
#define MOE_SUPPORT_FIELDS_H

#include "moe/Support/ObjectReader.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>

namespace moe::support {

/// Writes the fields of a record; those that have no value are left out.
class FieldWriter {
public:
  explicit FieldWriter(llvm::json::OStream &json) : json(json) {}

  void text(llvm::StringRef key, std::string &value) {
    if (!value.empty())
      json.attribute(key, value);
  }
  void number(llvm::StringRef key, double &value) { json.attribute(key, value); }
  void integer(llvm::StringRef key, std::optional<int64_t> &value) {
    if (value)
      json.attribute(key, *value);
  }
  void flag(llvm::StringRef key, bool &value) {
    if (value)
      json.attribute(key, true);
  }
  void texts(llvm::StringRef key, std::vector<std::string> &values) {
    if (!values.empty())
      json.attribute(key, llvm::json::Array(values));
  }
  template <typename Record>
  void list(llvm::StringRef key, std::vector<Record> &records) {
    if (!records.empty())
      json.attributeArray(key, [&] {
        for (Record &record : records)
          json.object([&] { visitFields(*this, record); });
      });
  }

private:
  llvm::json::OStream &json;
};

/// Reads them. The reader's context keeps the first problem.
class FieldReader {
public:
  explicit FieldReader(ObjectReader &object) : object(object) {}

  void text(std::string_view key, std::string &value) {
    value = object.findText(key).value_or("");
  }
  void number(std::string_view key, double &value) {
    value = object.getNumber(key, Range::NotNegative);
  }
  void integer(std::string_view key, std::optional<int64_t> &value) {
    value = object.findInteger(key, 0, std::numeric_limits<int64_t>::max());
  }
  void flag(std::string_view key, bool &value) { value = object.findFlag(key); }
  void texts(std::string_view key, std::vector<std::string> &values) {
    if (const std::vector<JsonValue> *items = object.findArray(key))
      for (const JsonValue &item : *items) {
        if (item.kind != JsonValue::Kind::String)
          object.fail(key, "expected texts, got " + item.describe());
        values.push_back(item.text);
      }
  }
  template <typename Record>
  void list(std::string_view key, std::vector<Record> &records) {
    object.forEachObject(key, [&](ObjectReader &item, size_t) {
      FieldReader nested(item);
      visitFields(nested, records.emplace_back());
    });
  }

private:
  ObjectReader &object;
};

/// The record as a JSON object on one line.
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

/// Reads a JSON object with the fields of `Record` and no others. The failure
/// names the place in `name`.
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
