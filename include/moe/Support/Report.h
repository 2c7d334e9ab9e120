// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows as a table, JSON or CSV.

#ifndef MOE_SUPPORT_REPORT_H
#define MOE_SUPPORT_REPORT_H

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace moe::support {

/// A missing value: left out of JSON, empty in CSV, `Column::absent` in tables.
struct Absent {};
/// The same, but null in JSON.
struct Unknown {};

/// The content of a cell, independent of the output format.
using Cell = std::variant<Absent, Unknown, std::string, int64_t, double, bool>;

/// One column of a report.
struct Column {
  /// The name in JSON and CSV, with its unit ("time_us"); "stages.copy_us" is a
  /// member of an object `stages`. If empty, the column is in tables only.
  std::string key;
  /// The heading in tables, with its unit ("time us").
  std::string title;
  bool isInTable = true;
  bool isRight = false;
  /// Digits after the decimal point of numbers in tables.
  int digits = 1;
  /// The text for absent or unknown values.
  std::string absent;
  /// Minimum width, and number of blanks before the column unless it is the
  /// first.
  size_t width = 0, gap = 2;

  Column(std::string key, std::string title)
      : key(std::move(key)), title(std::move(title)) {}
  Column &right() {
    isRight = true;
    return *this;
  }
  Column &fixed(int digitsAfterPoint) {
    digits = digitsAfterPoint;
    return right();
  }
  Column &orElse(std::string text) {
    absent = std::move(text);
    return *this;
  }
  Column &atLeast(size_t leastWidth) {
    width = leastWidth;
    return *this;
  }
  Column &after(size_t blanks) {
    gap = blanks;
    return *this;
  }
  /// Restricts the column to JSON and CSV.
  Column &hidden() {
    isInTable = false;
    return *this;
  }
};

/// Rows that are written as an aligned table, as JSON or as CSV.
class Report {
public:
  explicit Report(std::vector<Column> columns) : columns(std::move(columns)) {}

  /// Adds a row with one cell per column.
  void addRow(std::vector<Cell> cells);
  bool isEmpty() const { return rows.empty(); }

  /// Prints a table with each column as wide as its widest cell, and without
  /// trailing blanks.
  void printTable(llvm::raw_ostream &os, bool withHeading = true) const;
  /// Prints one object per row, as values of an open array.
  void printItems(llvm::json::OStream &out) const;
  /// Prints one object per row, as members of an open object: the first column,
  /// a text, is the key.
  void printMembers(llvm::json::OStream &out) const;
  /// Prints one line of keys and one line per row, quoting texts if necessary.
  void printCSV(llvm::raw_ostream &os) const;

private:
  void printObject(llvm::json::OStream &out, const std::vector<Cell> &row,
                   size_t from) const;

  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
};

/// Makes a report that is only printed as a table without heading; `right`
/// determines which columns are aligned to the right.
Report makeList(const std::vector<bool> &right);

} // namespace moe::support

#endif // MOE_SUPPORT_REPORT_H
