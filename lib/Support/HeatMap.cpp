// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pictures of matrices.

#include "moe/Support/HeatMap.h"
#include "moe/Cost/FormatNumber.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace moe::support;

/// Replaces special characters of SVG by entities.
static std::string escapeSvg(llvm::StringRef text) {
  std::string escaped;
  for (char c : text) {
    switch (c) {
    case '<':
      escaped += "&lt;";
      break;
    case '>':
      escaped += "&gt;";
      break;
    case '&':
      escaped += "&amp;";
      break;
    default:
      escaped += c;
    }
  }
  return escaped;
}

void HeatMap::print(llvm::raw_ostream &os) const {
  // Pixels: the approximate width of the picture, with margins for titles.
  constexpr int64_t kWidth = 640, kMargin = 48, kMostNumbered = 16;
  int64_t longest = std::max<int64_t>({rows, columns, 1});
  double side = std::max(1.0, double(kWidth) / double(longest));
  double greatest = 0;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      greatest = std::max(greatest, value(i, j));
  double width = side * double(columns) + 2 * kMargin,
         height = side * double(rows) + 2 * kMargin;
  os << llvm::formatv(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
      "viewBox=\"0 0 {0:F1} {1:F1}\" font-family=\"sans-serif\" "
      "font-size=\"12\">\n<title>{2}</title>\n"
      "<rect width=\"{0:F1}\" height=\"{1:F1}\" fill=\"white\"/>\n",
      width, height, escapeSvg(title));
  auto addText = [&](double x, double y, llvm::StringRef more,
                     llvm::StringRef text) {
    os << llvm::formatv("<text x=\"{0:F1}\" y=\"{1:F1}\" "
                        "text-anchor=\"middle\"{2}>{3}</text>\n",
                        x, y, more, escapeSvg(text));
  };
  addText(width / 2, 18, " font-size=\"14\"", title);
  addText(width / 2, height - 14, "", columnTitle);
  addText(
      18, height / 2,
      llvm::formatv(" transform=\"rotate(-90 18 {0:F1})\"", height / 2).str(),
      rowTitle);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      double share = greatest > 0 ? value(i, j) / greatest : 0;
      // Interpolates between white and a dark blue.
      auto mix = [&](int to) { return int(255 + share * (to - 255)); };
      double x = kMargin + side * double(j), y = kMargin + side * double(i);
      os << llvm::formatv("<rect x=\"{0:F1}\" y=\"{1:F1}\" width=\"{2:F1}\" "
                          "height=\"{2:F1}\" fill=\"rgb({3},{4},{5})\">"
                          "<title>{6}</title></rect>\n",
                          x, y, side, mix(8), mix(48), mix(107),
                          escapeSvg(describe(i, j)));
      if (longest <= kMostNumbered)
        addText(x + side / 2, y + side / 2 + 4,
                share > 0.5 ? " fill=\"white\"" : "",
                cost::formatFixed(value(i, j), 1));
    }
  os << "</svg>\n";
}
