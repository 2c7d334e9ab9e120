// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making what contexts own.

#ifndef MOERT_CORE_OBJECTS_H
#define MOERT_CORE_OBJECTS_H

#include "core/Backend.h"

// What the calls of the interface do once their arguments are checked, for
// calls that do more.

namespace moert {

/// A spare buffer or a new one.
Status allocate(moert_context &context, size_t bytes, moert_memory_space space,
                moert_buffer *&buffer);
void release(moert_buffer *buffer);

/// The context's own stream, made at the first call.
Status getKeptStream(moert_context &context, const char *name, int32_t priority,
                     moert_stream *&stream);
/// Makes the context's events with numbers below `count`.
Status reserveEvents(moert_context &context, size_t count);

} // namespace moert

#endif // MOERT_CORE_OBJECTS_H
