// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Version of the moe dialect in bytecode.

#ifndef MOE_DIALECT_MOE_MOEDIALECTVERSION_H
#define MOE_DIALECT_MOE_MOEDIALECTVERSION_H

#include "mlir/Bytecode/BytecodeImplementation.h"
#include <cstdint>

namespace moe {

/// Version of the moe dialect in bytecode. A writer emits the current version
/// unless `BytecodeWriterConfig::setDialectVersion<MoEDialect>` selects another
/// one for an older reader.
struct MoEDialectVersion : public mlir::DialectVersion {
  MoEDialectVersion(int64_t major, int64_t minor)
      : major(major), minor(minor) {}
  int64_t major, minor;
};

} // namespace moe

#endif // MOE_DIALECT_MOE_MOEDIALECTVERSION_H
