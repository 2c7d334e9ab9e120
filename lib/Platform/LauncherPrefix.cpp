// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LauncherPrefix.h"

#include <algorithm>

using namespace moe::platform;

static bool isAsciiDigit(char c) { return c >= '0' && c <= '9'; }
static bool isAsciiLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string moe::platform::cleanLine(std::string_view line) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (line.starts_with(kByteOrderMark))
    line.remove_prefix(kByteOrderMark.size());
  while (!line.empty() && line.back() == '\r')
    line.remove_suffix(1);
  std::string clean;
  clean.reserve(line.size());
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\x1b' || i + 1 == line.size() || line[i + 1] != '[') {
      clean += line[i];
      continue;
    }
    // A control sequence ends with a byte from '@' to '~' (ECMA-48).
    for (i += 2; i < line.size() && !(line[i] >= '@' && line[i] <= '~'); ++i) {
    }
  }
  return clean;
}

/// Returns the length of the text that matches `pattern`, or 0 without a match.
/// 'd' matches a digit, '_' a digit or a space, 'A' a letter, '/' also '-', and
/// any other character itself.
static size_t matchPattern(std::string_view text, std::string_view pattern) {
  if (text.size() < pattern.size())
    return 0;
  for (size_t i = 0; i < pattern.size(); ++i) {
    char c = text[i], p = pattern[i];
    bool isMatch = p == 'd'   ? isAsciiDigit(c)
                   : p == '_' ? isAsciiDigit(c) || c == ' '
                   : p == 'A' ? isAsciiLetter(c)
                   : p == '/' ? c == '/' || c == '-'
                              : c == p;
    if (!isMatch)
      return 0;
  }
  return pattern.size();
}

size_t moe::platform::getTimestampLength(std::string_view text) {
  // Seconds since the epoch differ from other numbers only by their length and
  // fraction.
  if (size_t length = matchPattern(text, "dddddddddd.d")) {
    while (length < text.size() && isAsciiDigit(text[length]))
      ++length;
    return length;
  }
  size_t length = 0;
  for (std::string_view pattern :
       {"dddd/dd/ddTdd:dd:dd", "dddd/dd/dd dd:dd:dd",
        "AAA AAA _d dd:dd:dd dddd", "AAA _d dd:dd:dd", "dd:dd:dd"})
    if ((length = matchPattern(text, pattern)))
      break;
  if (length == 0)
    return 0;
  if (length + 1 < text.size() &&
      (text[length] == '.' || text[length] == ',') &&
      isAsciiDigit(text[length + 1])) {
    ++length;
    while (length < text.size() && isAsciiDigit(text[length]))
      ++length;
  }
  std::string_view rest = text.substr(length);
  if (rest.starts_with("Z"))
    return length + 1;
  if (rest.starts_with("+") || rest.starts_with("-"))
    for (std::string_view zone : {"dd:dd", "dddd"})
      if (size_t zoneLength = matchPattern(rest.substr(1), zone))
        return length + 1 + zoneLength;
  return length;
}

LauncherPrefix::LauncherPrefix(std::string_view text) {
  constexpr size_t kLeastLabel = 6;
  std::string_view whole = text;
  // Lines without text may have lost the spaces after the prefix.
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
    text.remove_suffix(1);
  std::string literal;
  auto addLiteral = [&] {
    if (!literal.empty())
      pieces.push_back(std::move(literal));
    literal.clear();
  };
  while (!text.empty()) {
    // Digits inside a word or number are not a time.
    bool isInside = !literal.empty() && (isAsciiDigit(literal.back()) ||
                                         isAsciiLetter(literal.back()));
    size_t length = isInside ? 0 : getTimestampLength(text);
    if (length > 0) {
      addLiteral();
      pieces.emplace_back();
    } else {
      literal += text.front();
      length = 1;
    }
    text.remove_prefix(length);
  }
  addLiteral();
  if (pieces.size() == 1 && pieces.front().size() >= kLeastLabel)
    label = whole;
}

std::optional<std::string> LauncherPrefix::strip(std::string_view line) const {
  for (const std::string &piece : pieces) {
    size_t length = piece.empty()             ? getTimestampLength(line)
                    : line.starts_with(piece) ? piece.size()
                                              : 0;
    if (length == 0)
      return std::nullopt;
    line.remove_prefix(length);
  }
  std::string text(line);
  if (!label.empty())
    for (size_t at = text.find(label); at != text.npos;
         at = text.find(label, at))
      text.erase(at, label.size());
  return text;
}
