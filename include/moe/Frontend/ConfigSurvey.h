// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which keys of a config are read.

#ifndef MOE_FRONTEND_CONFIGSURVEY_H
#define MOE_FRONTEND_CONFIGSURVEY_H

#include "moe/Frontend/ModelConfig.h"

namespace moe {

/// How an import uses a key of a config.
enum class KeyUse {
  Read,     ///< by the keys and rules of the family
  Harmless, ///< not read; its name is about routing or experts, it is not
  Other,    ///< not read; its name is about neither
  Unread    ///< not read, and an import fails because of that
};

struct SurveyedKey {
  /// With the objects it lies in, `a.b`.
  std::string path;
  KeyUse use;
  /// Why it is harmless; empty of others.
  std::string why;
};

/// What a config says of a model, and which of its keys say it.
struct ConfigSurvey {
  ModelConfig config;
  /// Why an import of the config fails, as it reports it; empty when it does
  /// not. `config` is not whole then.
  std::string error;
  /// In the order of the text; those with `null` are left out.
  std::vector<SurveyedKey> keys;
};

/// Surveys the text of a `config.json`, as `parseHFConfig` reads it.
ConfigSurvey surveyConfig(llvm::StringRef text, llvm::StringRef file,
                          const ConfigMap *map = nullptr,
                          llvm::ArrayRef<std::string> ignoredKeys = {});

} // namespace moe

#endif // MOE_FRONTEND_CONFIGSURVEY_H
