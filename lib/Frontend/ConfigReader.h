//===- ConfigReader.h - Typed access to a JSON object -----------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_LIB_FRONTEND_CONFIGREADER_H
#define MOE_LIB_FRONTEND_CONFIGREADER_H

#include "moe/Frontend/ModelConfig.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/JSON.h"

namespace moe {

/// Reads typed values out of one JSON object. The first error sticks: later
/// reads return a harmless value, and `takeError` hands the error out. An
/// absent key and `null` are the same thing, as in the models' own code.
class ConfigReader {
public:
  /// Parses the text. Fails on malformed JSON, on anything but an object, on
  /// a key that stands twice in one object, and on nesting too deep to parse
  /// safely.
  static llvm::Expected<ConfigReader> parse(llvm::StringRef text,
                                            llvm::StringRef file);

  bool has(llvm::StringRef key) const;

  /// An integer in [min, max]. Without a fallback the key is required.
  int64_t getInteger(llvm::StringRef key, int64_t min, int64_t max,
                     std::optional<int64_t> fallback = std::nullopt);
  /// A size: an integer in [1, kMaxSize].
  int64_t getSize(llvm::StringRef key) { return getInteger(key, 1, kMaxSize); }
  bool getBool(llvm::StringRef key,
               std::optional<bool> fallback = std::nullopt);
  std::string getString(llvm::StringRef key,
                        std::optional<std::string> fallback = std::nullopt);
  /// A finite number greater than 0.
  double getPositive(llvm::StringRef key);
  /// A list of integers in [0, bound), empty when absent.
  std::vector<int64_t> getIndices(llvm::StringRef key, int64_t bound);

  /// Records an error about a key, unless one is recorded already.
  void fail(llvm::StringRef key, const llvm::Twine &message);

  /// The first error, or success.
  llvm::Error takeError();

  /// Where a key stands; the object's start when it is missing.
  ConfigPlace getPlace(llvm::StringRef key) const;

private:
  ConfigReader(llvm::StringRef text, llvm::StringRef file,
               llvm::json::Object object, llvm::StringMap<size_t> keyOffsets);

  /// The value of a key, null when absent or `null`.
  const llvm::json::Value *find(llvm::StringRef key) const;
  void failExpected(llvm::StringRef key, const llvm::Twine &expected,
                    const llvm::json::Value *got);

  llvm::StringRef text;
  std::string file;
  llvm::json::Object object;
  /// Where the keys of the object stand in the text.
  llvm::StringMap<size_t> keyOffsets;
  std::optional<ConfigError> error;
};

} // namespace moe

#endif // MOE_LIB_FRONTEND_CONFIGREADER_H
