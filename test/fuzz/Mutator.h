// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mutations of MLIR text.

#ifndef MOE_TEST_FUZZ_MUTATOR_H
#define MOE_TEST_FUZZ_MUTATOR_H

#include <random>
#include <string>

namespace moe::fuzz {

/// Changes MLIR text by tokens and lines. Random bytes nearly always fail in
/// the lexer; changes that keep most of the text meaningful reach the
/// verifiers, folds and rewrites after it.
class Mutator {
public:
  explicit Mutator(unsigned seed) : random(seed) {}

  /// Applies one to four mutations.
  std::string mutate(std::string text);

  /// Inserts a run of lines of `other` into `text`.
  std::string splice(const std::string &text, const std::string &other);

private:
  std::string mutateOnce(std::string text);
  std::string mutateLines(std::string text);
  std::string mutateTokens(std::string text);
  std::string mutateCharacters(std::string text);
  /// Returns a number from 0 to n - 1; n is at least 1.
  size_t below(size_t n) { return random() % n; }

  std::mt19937 random;
};

} // namespace moe::fuzz

#endif // MOE_TEST_FUZZ_MUTATOR_H
