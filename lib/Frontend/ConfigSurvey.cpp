// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Survey of the keys in a config.

#include "moe/Frontend/ConfigSurvey.h"
#include "ConfigKeys.h"
#include "ModelFamily.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace moe;

ConfigSurvey moe::surveyConfig(StringRef text, StringRef file,
                               const ConfigMap *map,
                               ArrayRef<std::string> ignoredKeys) {
  ConfigSurvey survey;
  Expected<ConfigReader> in = ConfigReader::parse(text, file);
  if (!in) {
    survey.error = toString(in.takeError());
    return survey;
  }
  Error error = readModelOnly(*in, {map, ignoredKeys}, survey.config);
  // A folder has several configs, so a key may be in only some of them.
  std::vector<std::string> own;
  for (const ConfigKey &key : in->listKeys())
    for (const std::string &name : ignoredKeys)
      if (key.isNamed(name) && !key.isRead && !is_contained(own, name))
        own.push_back(name);
  if (!error)
    error = checkUnread(*in, own);
  if (!error)
    error = applyOverrides(survey.config, SizeOverrides());
  if (error)
    survey.error = toString(std::move(error));
  for (const ConfigKey &key : in->listKeys()) {
    StringRef why = whyHarmless(key.path, *key.value);
    // If the family is unknown, no key is read.
    bool hasFamily = map || !survey.config.family.empty();
    bool mayMatter = hasFamily && looksLikeRouting(key.path);
    KeyUse use = key.isRead                 ? KeyUse::Read
                 : mayMatter && why.empty() ? KeyUse::Unread
                 : mayMatter                ? KeyUse::Harmless
                                            : KeyUse::Other;
    if (use == KeyUse::Other && hasFamily && !in->findIntended(key).empty())
      use = KeyUse::Unread;
    if (use == KeyUse::Unread &&
        any_of(own, [&](StringRef name) { return key.isNamed(name); })) {
      use = KeyUse::Harmless;
      why = "--ignore-key";
    }
    survey.keys.push_back(
        {key.path, use, use == KeyUse::Harmless ? why.str() : ""});
  }
  return survey;
}
