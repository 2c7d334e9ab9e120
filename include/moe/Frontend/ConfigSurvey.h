// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Survey of the keys in a config.

#ifndef MOE_FRONTEND_CONFIGSURVEY_H
#define MOE_FRONTEND_CONFIGSURVEY_H

#include "moe/Frontend/ModelConfig.h"

namespace moe {

enum class KeyUse {
  Read,     ///< by the keys and rules of the family
  Harmless, ///< not read, and not about routing or experts despite its name
  Other,    ///< not read, with a name about neither
  Unread    ///< not read, which makes an import fail
};

struct SurveyedKey {
  /// The key with its enclosing objects, `a.b`.
  std::string path;
  KeyUse use;
  /// Why the key is harmless; empty for other uses.
  std::string why;
};

/// The model in a config, and the use of each key.
struct ConfigSurvey {
  ModelConfig config;
  /// The error of an import of the config; empty if it succeeds. After an
  /// error, `config` is incomplete.
  std::string error;
  /// Keys in the order of the text, except keys with the value `null`.
  std::vector<SurveyedKey> keys;
};

/// Surveys the text of a `config.json`, as read by `parseHFConfig`.
ConfigSurvey surveyConfig(llvm::StringRef text, llvm::StringRef file,
                          const ConfigMap *map = nullptr,
                          llvm::ArrayRef<std::string> ignoredKeys = {});

} // namespace moe

#endif // MOE_FRONTEND_CONFIGSURVEY_H
