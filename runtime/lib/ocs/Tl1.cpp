// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages of TL1.

#include "ocs/Tl1.h"
#include <array>
#include <cstdio>

using namespace moert;

static bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\0';
}

static std::string_view trim(std::string_view text) {
  while (!text.empty() && isBlank(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && isBlank(text.back()))
    text.remove_suffix(1);
  return text;
}

/// Removes and returns the first word.
static std::string_view takeWord(std::string_view &text) {
  text = trim(text);
  size_t end = 0;
  while (end < text.size() && !isBlank(text[end]))
    ++end;
  std::string_view word = text.substr(0, end);
  text = trim(text.substr(end));
  return word;
}

static bool contains(std::string_view word,
                     std::initializer_list<std::string_view> words) {
  for (std::string_view other : words)
    if (word == other)
      return true;
  return false;
}

/// Parses the line with the kind of the message; returns false for any other
/// line.
static bool readFirstLine(std::string_view line, Tl1Message &message) {
  bool isAcknowledgment = message.text.back() == '<';
  std::string_view first = takeWord(line), second = takeWord(line);
  if (isAcknowledgment) {
    if (!contains(first, {"IP", "PF", "OK", "NA", "NG", "RL"}))
      return false;
    message.kind = Tl1Message::Kind::Acknowledgment;
    message.code = std::string(first);
    message.tag = std::string(second);
    return true;
  }
  if (first == "M") {
    std::string_view code = takeWord(line);
    if (second.empty() ||
        !contains(code, {"COMPLD", "DENY", "PRTL", "DELAY", "RTRV"}))
      return false;
    message.kind = Tl1Message::Kind::Response;
    message.tag = std::string(second);
    message.code = std::string(code);
    return true;
  }
  // An alarm code, followed by the tag and the report.
  if (contains(first, {"A", "*C", "**", "*"}) && !second.empty()) {
    message.kind = Tl1Message::Kind::Autonomous;
    message.tag = std::string(second);
    message.code = std::string(first);
    return true;
  }
  return false;
}

static void parse(Tl1Message &message) {
  std::string_view rest =
      std::string_view(message.text).substr(0, message.text.size() - 1);
  message.isContinued = message.text.back() == '>';
  unsigned number = 0;
  bool found = false;
  while (!rest.empty()) {
    size_t end = rest.find_first_of("\r\n");
    std::string_view line = trim(rest.substr(0, end));
    rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
    if (line.empty())
      continue;
    if (found)
      message.lines.emplace_back(line);
    // One line with the name of the switch and the time precedes it.
    else if (number++ < 2)
      found = readFirstLine(line, message);
    else
      break;
  }
}

bool Tl1Reader::next(Tl1Message &message) {
  // Blanks between messages belong to no message.
  if (place == 0) {
    size_t blanks = 0;
    while (blanks < pending.size() && isBlank(pending[blanks]))
      ++blanks;
    pending.erase(0, blanks);
  }
  for (; place < pending.size(); ++place) {
    char c = pending[place];
    switch (state) {
    case State::Quoted:
      if (c == '"' && pending[place - 1] != '\\')
        state = State::Plain;
      continue;
    case State::Comment:
      if (c == '/' && pending[place - 1] == '*')
        state = State::Plain;
      continue;
    case State::Plain:
      break;
    }
    if (c == '"')
      state = State::Quoted;
    else if (c == '*' && place > 0 && pending[place - 1] == '/')
      state = State::Comment;
    if (c != ';' && c != '>' && c != '<')
      continue;
    message = Tl1Message();
    message.text = pending.substr(0, place + 1);
    pending.erase(0, place + 1);
    place = 0;
    parse(message);
    return true;
  }
  return false;
}

std::string moert::printWire(std::string_view bytes) {
  constexpr size_t kShown = 240;
  if (bytes.empty())
    return "nothing";
  std::string text = "'";
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (bytes.size() > kShown && i == kShown / 2) {
      text += "' ... '";
      i = bytes.size() - kShown / 2;
    }
    unsigned char c = static_cast<unsigned char>(bytes[i]);
    if (c == '\r')
      text += "\\r";
    else if (c == '\n')
      text += "\\n";
    else if (c >= 32 && c < 127)
      text += bytes[i];
    else {
      std::array<char, 8> escaped;
      std::snprintf(escaped.data(), escaped.size(), "\\x%02x", c);
      text += escaped.data();
    }
  }
  return text + "'";
}
