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
  /// The key with its enclosing objects, `a.b`, and lists of objects, `a[].b`.
  std::string path;
  ConfigPlace place;
  const support::JsonValue *value;
  bool isRead;

  /// Returns true if `name` is its path or its last name.
  bool isNamed(llvm::StringRef name) const {
    return path == name || llvm::StringRef(path).ends_with("." + name.str());
  }
};

/// Reads typed values from the object of a model's config. Unlike the project's
/// own files, configs have keys that an import does not need, so the reader
/// records which keys are read. `null` counts as no value. The first error is
/// kept: later reads return a harmless value, and `takeError` returns the
/// error.
class ConfigReader {
public:
  /// Parses the text. Fails if it is not a JSON object as accepted by Python
  /// (`support::parsePythonJson`).
  static llvm::Expected<ConfigReader> parse(llvm::StringRef text,
                                            llvm::StringRef file);

  /// Makes all further keys relative to an object in the config, `a.b` for
  /// object b in a, which must exist.
  void enter(llvm::StringRef object) { root = object.str(); }

  /// Returns true if the key exists; it may be in an object: `a.b`.
  bool has(llvm::StringRef key) const;
  /// Returns true if the key exists with the value `null`.
  bool isNull(llvm::StringRef key) const;
  /// Returns the value of a key; null if absent or `null`.
  const support::JsonValue *find(llvm::StringRef key) const;
  void markRead(llvm::StringRef key) const { read.insert(getPath(key)); }
  /// Lists the keys that have a value, in the order of the text: first the keys
  /// of the objects around the entered one, without their other objects, then
  /// the keys of the entered object, of its objects and of lists of objects,
  /// where each key of a list occurs once. An object or list that cannot have
  /// keys about routing (`mayHoldRouting`) counts as one key.
  std::vector<ConfigKey> listKeys() const;
  /// Returns the key that an unread key may be a misspelling of: a key that is
  /// read but not in the config. Empty if there is none.
  std::string findIntended(const ConfigKey &key) const;
  /// Returns a message for each repeated key.
  llvm::ArrayRef<support::JsonProblem> getRepeated() const { return repeated; }
  bool hasObject(llvm::StringRef key) const;

  /// Reads an integer in [min, max]. If `layers` is not 0, also accepts a list
  /// of `layers` equal integers. Without a fallback, the key is required.
  int64_t getInteger(llvm::StringRef key, int64_t min, int64_t max,
                     std::optional<int64_t> fallback = std::nullopt,
                     int64_t layers = 0);
  /// Reads a size: an integer in [1, kMaxSize].
  int64_t getSize(llvm::StringRef key) { return getInteger(key, 1, kMaxSize); }
  bool getBool(llvm::StringRef key,
               std::optional<bool> fallback = std::nullopt);
  std::string getString(llvm::StringRef key,
                        std::optional<std::string> fallback = std::nullopt);
  /// Reads one word for each layer: a list of strings, or a string of letters.
  /// Empty if absent.
  std::vector<std::string> getWords(llvm::StringRef key);
  /// Reads the strings of a list and skips other items.
  std::vector<std::string> getStrings(llvm::StringRef key) const;
  /// Reads a finite number greater than 0. Without a fallback, the key is
  /// required.
  double getPositive(llvm::StringRef key,
                     std::optional<double> fallback = std::nullopt);
  /// Reads a list of integers in [0, bound); empty if absent.
  std::vector<int64_t> getIndices(llvm::StringRef key, int64_t bound);
  /// Returns the indices of the flags, true or 1, that are set among `count`
  /// flags.
  std::vector<int64_t> getSetFlags(llvm::StringRef key, int64_t count);

  /// Records an error about a key, unless there already is one.
  void fail(llvm::StringRef key, const llvm::Twine &message);

  /// Returns the first error, or success.
  llvm::Error takeError();

  llvm::StringRef getFile() const { return file; }

  /// Returns the position of a key, or the object's start if it is missing.
  ConfigPlace getPlace(llvm::StringRef key) const;

private:
  ConfigReader(llvm::StringRef file, support::JsonValue object,
               std::vector<support::JsonProblem> repeated)
      : file(file.str()), object(std::move(object)),
        repeated(std::move(repeated)) {}

  void listKeys(const support::JsonValue &of, const std::string &prefix,
                std::vector<ConfigKey> &keys) const;

  /// Returns the member of a key; null if none.
  const support::JsonValue::Member *findMember(llvm::StringRef key) const;
  /// Returns the path of a key from the top of the config.
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
