// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mutations of MLIR text.

#include "Mutator.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string_view>
#include <vector>

using namespace moe::fuzz;
using llvm::StringRef;

namespace {

/// The kinds of token that are worth replacing by another of their kind.
enum class TokenKind { Integer, String, Type, Op, Value, Word, Other };

struct Token {
  TokenKind kind;
  size_t begin;
  size_t size;
};

using Words = llvm::ArrayRef<StringRef>;

/// Numbers at and beyond the limits of shapes, counts and positions.
constexpr StringRef integers[] = {
    "0",          "1",          "-1",          "2",
    "3",          "4",          "7",           "8",
    "16",         "255",        "2147483647",  "2147483648",
    "4294967295", "4294967296", "-2147483648", "9223372036854775807",
    "-2",         "64",         "1000000007",  "-9223372036854775808",
    "?",          "1.0e300",    "0x7F800000",  "18446744073709551616"};
constexpr StringRef strings[] = {"\"ep\"", "\"tp\"",  "\"dp\"", "\"\"",
                                 "\"x\"",  "\"fwd\"", "\"bwd\""};
constexpr StringRef types[] = {"f32",
                               "bf16",
                               "f16",
                               "f64",
                               "i1",
                               "i8",
                               "i32",
                               "i64",
                               "index",
                               "ui8",
                               "si32",
                               "complex<f32>",
                               "i0",
                               "i65",
                               "f8E4M3FN",
                               "none",
                               "tensor<f32>",
                               "tensor<*xf32>",
                               "tensor<?xf32>",
                               "tensor<0xf32>",
                               "()",
                               "vector<4xf32>"};
constexpr StringRef ops[] = {"moe.mesh",           "moe.group_rank",
                             "moe.all_to_all",     "moe.all_gather",
                             "moe.reduce_scatter", "moe.all_reduce",
                             "moe.drop",           "moe.assemble",
                             "moe.transpose",      "moe.gate",
                             "moe.permute",        "moe.experts",
                             "moe.unpermute",      "moe.layer",
                             "moe.yield",          "moe.ragged_all_to_all",
                             "moe.expert_counts",  "moe.permute_rows",
                             "moe.ragged_plan"};
constexpr StringRef words[] = {"on",
                               "split",
                               "concat",
                               "dim",
                               "reduction",
                               "sum",
                               "max",
                               "softmax",
                               "sigmoid",
                               "choice",
                               "token",
                               "gpt",
                               "swiglu",
                               "relu",
                               "into",
                               "send",
                               "recv",
                               "by",
                               "weights",
                               "runs",
                               "limit",
                               "joined",
                               "experts",
                               "phase",
                               "groups",
                               "of",
                               "top_k",
                               "bias",
                               "axes",
                               "shape",
                               "@mesh",
                               "@other",
                               "[]",
                               "[[0]]",
                               "[[0, 1]]",
                               "[[1, 0]]",
                               "<@mesh, []>",
                               "{}",
                               "{moe.varying = [\"ep\"]}",
                               "{moe.varying = []}"};

Words vocabulary(TokenKind kind) {
  switch (kind) {
  case TokenKind::Integer:
    return integers;
  case TokenKind::String:
    return strings;
  case TokenKind::Type:
    return types;
  case TokenKind::Op:
    return ops;
  case TokenKind::Word:
    return words;
  case TokenKind::Value:
  case TokenKind::Other:
    return {};
  }
  return {};
}

TokenKind classify(StringRef word) {
  if (word.starts_with("moe."))
    return TokenKind::Op;
  if (word.size() >= 2 && StringRef("fi").contains(word[0]) &&
      llvm::isDigit(word[1]))
    return TokenKind::Type;
  if (word == "index" || word == "bf16")
    return TokenKind::Type;
  return TokenKind::Word;
}

/// Splits the text into tokens; all other text is between them. Shapes such as
/// 4x8xf32 are split into integers, `x` and a type.
std::vector<Token> tokenize(StringRef text) {
  std::vector<Token> tokens;
  size_t i = 0;
  auto take = [&](TokenKind kind, size_t end) {
    tokens.push_back({kind, i, end - i});
    i = end;
  };
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; };
  auto endOf = [&](size_t from, auto &&predicate) {
    while (from < text.size() && predicate(text[from]))
      ++from;
    return from;
  };
  while (i < text.size()) {
    char c = text[i];
    if (text.substr(i).starts_with("//")) {
      i = std::min(text.find('\n', i), text.size());
    } else if (llvm::isDigit(c) || c == '?') {
      take(TokenKind::Integer, c == '?' ? i + 1 : endOf(i, [](char d) {
             return llvm::isDigit(d);
           }));
    } else if (c == '"') {
      size_t close = text.find('"', i + 1);
      take(TokenKind::String,
           close == StringRef::npos ? text.size() : close + 1);
    } else if (c == '%' || c == '@' || c == '#' || c == '!' || c == '^') {
      take(c == '%' ? TokenKind::Value : TokenKind::Other,
           endOf(i + 1, isWord));
    } else if (c == 'x' && i + 1 < text.size() &&
               (llvm::isAlnum(text[i + 1]) || text[i + 1] == '?') && i > 0 &&
               (llvm::isDigit(text[i - 1]) || text[i - 1] == '?')) {
      ++i;
    } else if (llvm::isAlpha(c)) {
      size_t end = endOf(i, isWord);
      take(classify(text.slice(i, end)), end);
    } else {
      ++i;
    }
  }
  return tokens;
}

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  StringRef rest = text;
  while (!rest.empty()) {
    auto [line, tail] = rest.split('\n');
    lines.push_back((line + "\n").str());
    rest = tail;
  }
  return lines;
}

} // namespace

std::string Mutator::mutateLines(std::string text) {
  std::vector<std::string> lines = linesOf(text);
  if (lines.empty())
    return text;
  size_t at = below(lines.size());
  switch (below(4)) {
  case 0:
    lines.insert(lines.begin() + below(lines.size() + 1),
                 std::string(lines[at]));
    break;
  case 1:
    lines.erase(lines.begin() + at);
    break;
  case 2:
    std::swap(lines[at], lines[below(lines.size())]);
    break;
  default: {
    // Repeats a run of lines, which duplicates regions and functions.
    size_t end = at + 1 + below(lines.size() - at);
    std::vector<std::string> run(lines.begin() + at, lines.begin() + end);
    lines.insert(lines.begin() + end, run.begin(), run.end());
  }
  }
  return llvm::join(lines, "");
}

std::string Mutator::mutateTokens(std::string text) {
  std::vector<Token> tokens = tokenize(text);
  if (tokens.empty())
    return text;
  const Token &token = tokens[below(tokens.size())];
  std::vector<std::string> choices;
  for (const Token &other : tokens)
    if (other.kind == token.kind)
      choices.push_back(text.substr(other.begin, other.size));
  std::string replacement = choices[below(choices.size())];
  Words known = vocabulary(token.kind);
  if (!known.empty() && below(2) == 0)
    replacement = known[below(known.size())].str();

  // Sometimes replaces every occurrence, because the first verifier catches an
  // axis or a size that changes in one place only.
  if (below(3) == 0) {
    std::string old = text.substr(token.begin, token.size);
    for (size_t i = tokens.size(); i-- > 0;)
      if (text.compare(tokens[i].begin, tokens[i].size, old) == 0)
        text.replace(tokens[i].begin, tokens[i].size, replacement);
    return text;
  }
  text.replace(token.begin, token.size, replacement);
  return text;
}

std::string Mutator::mutateCharacters(std::string text) {
  if (text.empty())
    return text;
  size_t at = below(text.size());
  constexpr std::string_view marks = "()[]{}<>,:=*?x-+\"%@#! \n";
  if (below(2) == 0)
    text.erase(at, 1 + below(std::min<size_t>(8, text.size() - at)));
  else
    text.insert(at, 1, marks[below(marks.size())]);
  return text;
}

std::string Mutator::mutateOnce(std::string text) {
  switch (below(8)) {
  case 0:
  case 1:
    return mutateLines(std::move(text));
  case 2:
    return mutateCharacters(std::move(text));
  default:
    return mutateTokens(std::move(text));
  }
}

std::string Mutator::mutate(std::string text) {
  for (size_t i = 0, n = 1 + below(4); i < n; ++i)
    text = mutateOnce(std::move(text));
  return text;
}

std::string Mutator::splice(const std::string &text, const std::string &other) {
  std::vector<std::string> into = linesOf(text), from = linesOf(other);
  if (from.empty())
    return text;
  size_t begin = below(from.size());
  size_t end = begin + 1 + below(from.size() - begin);
  into.insert(into.begin() + below(into.size() + 1), from.begin() + begin,
              from.begin() + end);
  return llvm::join(into, "");
}
