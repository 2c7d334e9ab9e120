// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Typed access to a JSON object.

#ifndef MOE_LIB_FRONTEND_CONFIGREADER_H
#define MOE_LIB_FRONTEND_CONFIGREADER_H

#include "moe/Frontend/ModelConfig.h"
#include "moe/Support/Json.h"
#include "llvm/ADT/Twine.h"

namespace moe {

/// Reads typed values out of the object of a model's config. Unlike files of
/// ours, configs have keys that nobody here asks for, and an absent key and
/// `null` are the same thing, as in the models' own code. The first error
/// sticks: later reads return a harmless value, and `takeError` hands the error
/// out.
class ConfigReader {
public:
  /// Parses the text. Fails on what is no JSON (`support::parseJson`) and on
  /// anything but an object.
  static llvm::Expected<ConfigReader> parse(llvm::StringRef text,
                                            llvm::StringRef file);

  /// Makes all keys from here on those of an object in the config, `a.b` for
  /// object b in a. It must be there.
  void enter(llvm::StringRef object) { root = object.str(); }

  /// A key may lie in an object, too: `a.b`.
  bool has(llvm::StringRef key) const;
  /// True when the key's value is an object.
  bool hasObject(llvm::StringRef key) const;

  /// An integer in [min, max], where `perLayer` says it also a list of one for
  /// each layer, all the same. Without a fallback the key is required.
  int64_t getInteger(llvm::StringRef key, int64_t min, int64_t max,
                     std::optional<int64_t> fallback = std::nullopt,
                     bool perLayer = false);
  /// A size: an integer in [1, kMaxSize].
  int64_t getSize(llvm::StringRef key) { return getInteger(key, 1, kMaxSize); }
  bool getBool(llvm::StringRef key,
               std::optional<bool> fallback = std::nullopt);
  std::string getString(llvm::StringRef key,
                        std::optional<std::string> fallback = std::nullopt);
  /// The strings of a list, without what is none.
  std::vector<std::string> getStrings(llvm::StringRef key) const;
  /// A finite number greater than 0. Without a fallback the key is required.
  double getPositive(llvm::StringRef key,
                     std::optional<double> fallback = std::nullopt);
  /// A list of integers in [0, bound), empty when absent.
  std::vector<int64_t> getIndices(llvm::StringRef key, int64_t bound);
  /// The indices of those of `count` flags, true or 1, that are set.
  std::vector<int64_t> getSetFlags(llvm::StringRef key, int64_t count);

  /// Records an error about a key, unless one is recorded already.
  void fail(llvm::StringRef key, const llvm::Twine &message);

  /// The first error, or success.
  llvm::Error takeError();

  /// Where a key stands; the object's start when it is missing.
  ConfigPlace getPlace(llvm::StringRef key) const;

private:
  ConfigReader(llvm::StringRef file, support::JsonValue object)
      : file(file.str()), object(std::move(object)) {}

  /// The member a key leads to, null when there is none.
  const support::JsonValue::Member *findMember(llvm::StringRef key) const;
  /// The value of a key, null when absent or `null`.
  const support::JsonValue *find(llvm::StringRef key) const;
  /// A key from the whole config's point of view.
  std::string getPath(llvm::StringRef key) const {
    return root.empty() ? key.str() : root + "." + key.str();
  }
  void failExpected(llvm::StringRef key, const llvm::Twine &expected);

  std::string file, root;
  support::JsonValue object;
  std::optional<ImportError> error;
};

} // namespace moe

#endif // MOE_LIB_FRONTEND_CONFIGREADER_H
