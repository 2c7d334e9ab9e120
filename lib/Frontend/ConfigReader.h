// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Typed access to a JSON object.

#ifndef MOE_LIB_FRONTEND_CONFIGREADER_H
#define MOE_LIB_FRONTEND_CONFIGREADER_H

#include "moe/Frontend/ModelConfig.h"
#include "moe/Support/Json.h"
#include "llvm/ADT/Twine.h"
#include <set>

namespace moe {

/// A key of a config, and whether it is read.
struct ConfigKey {
  /// With the objects it lies in, `a.b`, and the lists of objects, `a[].b`.
  std::string path;
  ConfigPlace place;
  const support::JsonValue *value;
  bool isRead;

  /// By its path, or its last name.
  bool isNamed(llvm::StringRef name) const {
    return path == name || llvm::StringRef(path).ends_with("." + name.str());
  }
};

/// Reads typed values out of the object of a model's config. Unlike files of
/// ours, configs have keys that an import does not need; the reader records
/// which keys are read. `null` counts as no value. The first error sticks:
/// later reads return a harmless value, and `takeError` hands the error out.
class ConfigReader {
public:
  /// Parses the text. Fails on what is no JSON, as Python reads it
  /// (`support::parsePythonJson`), and on anything but an object.
  static llvm::Expected<ConfigReader> parse(llvm::StringRef text,
                                            llvm::StringRef file);

  /// Makes all keys from here on those of an object in the config, `a.b` for
  /// object b in a. It must be there.
  void enter(llvm::StringRef object) { root = object.str(); }

  /// A key may lie in an object, too: `a.b`.
  bool has(llvm::StringRef key) const;
  /// True when the key is there and says `null`.
  bool isNull(llvm::StringRef key) const;
  /// The value of a key, null when absent or `null`.
  const support::JsonValue *find(llvm::StringRef key) const;
  /// Records that a key is read.
  void markRead(llvm::StringRef key) const { read.insert(getPath(key)); }
  /// The keys that have a value, in the order of the text: first the keys of
  /// the objects around the one that was entered, without their other objects,
  /// then the keys of the entered object, of its objects and of lists of
  /// objects, each key of a list once. An object or list that cannot hold keys
  /// about routing (`mayHoldRouting`) counts as one key.
  std::vector<ConfigKey> listKeys() const;
  /// The key that an unread key may be a misspelling of: a key that is read but
  /// not in the config. Empty if there is none.
  std::string findIntended(const ConfigKey &key) const;
  /// A message for each repeated key.
  llvm::ArrayRef<support::JsonProblem> getRepeated() const { return repeated; }
  /// True when the key's value is an object.
  bool hasObject(llvm::StringRef key) const;

  /// An integer in [min, max]. If `layers` is not 0, also a list of so many
  /// integers, all the same. Without a fallback the key is required.
  int64_t getInteger(llvm::StringRef key, int64_t min, int64_t max,
                     std::optional<int64_t> fallback = std::nullopt,
                     int64_t layers = 0);
  /// A size: an integer in [1, kMaxSize].
  int64_t getSize(llvm::StringRef key) { return getInteger(key, 1, kMaxSize); }
  bool getBool(llvm::StringRef key,
               std::optional<bool> fallback = std::nullopt);
  std::string getString(llvm::StringRef key,
                        std::optional<std::string> fallback = std::nullopt);
  /// One word for each layer: a list of strings, or a string of letters. Empty
  /// when absent.
  std::vector<std::string> getWords(llvm::StringRef key);
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

  llvm::StringRef getFile() const { return file; }

  /// Where a key stands; the object's start when it is missing.
  ConfigPlace getPlace(llvm::StringRef key) const;

private:
  ConfigReader(llvm::StringRef file, support::JsonValue object,
               std::vector<support::JsonProblem> repeated)
      : file(file.str()), object(std::move(object)),
        repeated(std::move(repeated)) {}

  void listKeys(const support::JsonValue &of, const std::string &prefix,
                std::vector<ConfigKey> &keys) const;

  /// The member a key leads to, null when there is none.
  const support::JsonValue::Member *findMember(llvm::StringRef key) const;
  /// A key from the whole config's point of view.
  std::string getPath(llvm::StringRef key) const {
    return root.empty() ? key.str() : root + "." + key.str();
  }
  void failExpected(llvm::StringRef key, const llvm::Twine &expected);

  std::string file, root;
  support::JsonValue object;
  std::vector<support::JsonProblem> repeated;
  /// Paths of the keys that are read.
  mutable std::set<std::string> read;
  std::optional<ImportError> error;
};

} // namespace moe

#endif // MOE_LIB_FRONTEND_CONFIGREADER_H
