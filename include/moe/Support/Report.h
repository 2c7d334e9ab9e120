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

/// Nothing to say: left out of JSON, empty in CSV, `Column::absent` in tables.
struct Absent {};
/// The same, but a null in JSON.
struct Unknown {};

/// What stands in a row, before it is written one way or another.
using Cell = std::variant<Absent, Unknown, std::string, int64_t, double, bool>;

/// What a report says of each row under one name.
struct Column {
  /// The name in JSON and CSV, with its unit ("time_us"); "stages.copy_us" is a
  /// member of an object `stages`. Not written there when empty.
  std::string key;
  /// The heading in tables, with its unit ("time us").
  std::string title;
  bool isInTable = true;
  bool isRight = false;
  /// Digits after the point of a number in tables.
  int digits = 1;
  /// Printed for what is absent or unknown.
  std::string absent;
  /// Least width, and blanks before the column unless it is the first.
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
  /// Only in JSON and CSV.
  Column &hidden() {
    isInTable = false;
    return *this;
  }
};

/// Rows that are filled in once and written as an aligned table, as JSON or as
/// CSV.
class Report {
public:
  explicit Report(std::vector<Column> columns) : columns(std::move(columns)) {}

  /// A cell for each column.
  void addRow(std::vector<Cell> cells);
  bool isEmpty() const { return rows.empty(); }

  /// Each column as wide as its widest cell; no blanks at ends of lines.
  void printTable(llvm::raw_ostream &os, bool withHeading = true) const;
  /// An object a row, as values of an array that is open.
  void printItems(llvm::json::OStream &out) const;
  /// An object a row, as members of an object that is open: the first column,
  /// a text, is the key.
  void printMembers(llvm::json::OStream &out) const;
  /// A line of keys and one a row; texts are quoted where they must be.
  void printCSV(llvm::raw_ostream &os) const;

private:
  void printObject(llvm::json::OStream &out, const std::vector<Cell> &row,
                   size_t from) const;

  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
};

/// A report that is only ever a table without heading; of each column, whether
/// it is aligned to the right.
Report makeList(const std::vector<bool> &right);

/// A number with so many digits after the point.
std::string formatFixed(double value, int digits);

/// A time for people: three significant digits and the unit that needs no zeros,
/// "46.0 us", "109 ms", "1.24 s". JSON has full precision.
std::string formatTime(double us);

} // namespace moe::support

#endif // MOE_SUPPORT_REPORT_H
