// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The translation --import-hf-config.

#ifndef MOE_TOOLS_MOETRANSLATE_IMPORTHFCONFIG_H
#define MOE_TOOLS_MOETRANSLATE_IMPORTHFCONFIG_H

namespace moe {

/// Registers the translation `--import-hf-config` and its command-line options.
/// Must be called once, before the command line is parsed.
void registerImportHFConfig();

} // namespace moe

#endif // MOE_TOOLS_MOETRANSLATE_IMPORTHFCONFIG_H
