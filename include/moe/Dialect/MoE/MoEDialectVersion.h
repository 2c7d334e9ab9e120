// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The version bytecode carries.

#ifndef MOE_DIALECT_MOE_MOEDIALECTVERSION_H
#define MOE_DIALECT_MOE_MOEDIALECTVERSION_H

#include "mlir/Bytecode/BytecodeImplementation.h"
#include <cstdint>

namespace moe {

/// Version of the moe dialect as bytecode carries it. A writer emits the
/// current version unless `BytecodeWriterConfig::setDialectVersion<MoEDialect>`
/// names another one, for a reader that is older.
struct MoEDialectVersion : public mlir::DialectVersion {
  MoEDialectVersion(int64_t major, int64_t minor)
      : major(major), minor(minor) {}
  int64_t major, minor;
};

} // namespace moe

#endif // MOE_DIALECT_MOE_MOEDIALECTVERSION_H
