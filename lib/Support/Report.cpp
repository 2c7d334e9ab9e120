// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows as a table, JSON or CSV.

#include "moe/Support/Report.h"
#include "moe/Cost/FormatNumber.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include <cassert>

using namespace llvm;
using namespace moe::support;
using moe::cost::formatFixed;

Report moe::support::makeList(const std::vector<bool> &right) {
  std::vector<Column> columns;
  for (bool isRight : right) {
    columns.emplace_back("", "");
    columns.back().isRight = isRight;
  }
  return Report(std::move(columns));
}

void Report::addRow(std::vector<Cell> cells) {
  assert(cells.size() == columns.size() && "expected a cell for each column");
  rows.push_back(std::move(cells));
}

static std::string printCell(const Cell &cell, int digits,
                             const std::string &absent) {
  if (const auto *text = std::get_if<std::string>(&cell))
    return *text;
  if (const auto *integer = std::get_if<int64_t>(&cell))
    return std::to_string(*integer);
  if (const auto *number = std::get_if<double>(&cell))
    return formatFixed(*number, digits);
  if (const auto *flag = std::get_if<bool>(&cell))
    return *flag ? "true" : "false";
  return absent;
}

void Report::printTable(raw_ostream &os, bool withHeading) const {
  std::vector<std::vector<std::string>> lines;
  std::vector<size_t> widths;
  auto addLine = [&](auto getText) {
    lines.emplace_back();
    for (size_t i = 0; i < columns.size(); ++i)
      if (columns[i].isInTable)
        lines.back().push_back(getText(i));
  };
  if (withHeading)
    addLine([&](size_t i) { return columns[i].title; });
  for (const std::vector<Cell> &row : rows)
    addLine([&](size_t i) {
      return printCell(row[i], columns[i].digits, columns[i].absent);
    });
  std::vector<const Column *> shown;
  for (const Column &column : columns)
    if (column.isInTable)
      shown.push_back(&column);
  for (const Column *column : shown)
    widths.push_back(column->width);
  for (const auto &line : lines)
    for (size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], line[i].size());
  for (const auto &line : lines) {
    std::string text;
    for (size_t i = 0; i < line.size(); ++i) {
      std::string padding(widths[i] - line[i].size(), ' ');
      if (i > 0)
        text.append(shown[i]->gap, ' ');
      text += shown[i]->isRight ? padding + line[i] : line[i] + padding;
    }
    os << StringRef(text).rtrim() << "\n";
  }
}

static json::Value toJSON(const Cell &cell) {
  if (const auto *text = std::get_if<std::string>(&cell))
    return *text;
  if (const auto *integer = std::get_if<int64_t>(&cell))
    return *integer;
  if (const auto *number = std::get_if<double>(&cell))
    return *number;
  if (const auto *flag = std::get_if<bool>(&cell))
    return *flag;
  return nullptr;
}

void Report::printObject(json::OStream &out, const std::vector<Cell> &row,
                         size_t from) const {
  StringRef open;
  for (size_t i = from; i < columns.size(); ++i) {
    if (columns[i].key.empty() || std::holds_alternative<Absent>(row[i]))
      continue;
    auto [object, key] = StringRef(columns[i].key).rsplit('.');
    if (key.empty())
      std::swap(object, key);
    if (object != open) {
      if (!open.empty()) {
        out.objectEnd();
        out.attributeEnd();
      }
      if (!object.empty()) {
        out.attributeBegin(object);
        out.objectBegin();
      }
      open = object;
    }
    out.attribute(key, toJSON(row[i]));
  }
  if (!open.empty()) {
    out.objectEnd();
    out.attributeEnd();
  }
}

void Report::printItems(json::OStream &out) const {
  for (const std::vector<Cell> &row : rows)
    out.object([&] { printObject(out, row, 0); });
}

void Report::printMembers(json::OStream &out) const {
  for (const std::vector<Cell> &row : rows)
    out.attributeObject(std::get<std::string>(row.front()),
                        [&] { printObject(out, row, 1); });
}

/// Names are from users, so they are quoted if CSV requires it.
static std::string quoteCSV(StringRef text) {
  if (text.find_first_of(",\"\r\n") == StringRef::npos)
    return text.str();
  std::string quoted = "\"";
  for (char c : text)
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

void Report::printCSV(raw_ostream &os) const {
  auto printLine = [&](auto getText) {
    const char *separator = "";
    for (size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].key.empty())
        continue;
      os << separator << quoteCSV(getText(i));
      separator = ",";
    }
    os << "\n";
  };
  printLine([&](size_t i) { return columns[i].key; });
  for (const std::vector<Cell> &row : rows)
    printLine([&](size_t i) {
      // CSV has numbers in full precision; only tables round.
      const auto *number = std::get_if<double>(&row[i]);
      return number ? formatv("{0}", json::Value(*number)).str()
                    : printCell(row[i], 0, "");
    });
}
