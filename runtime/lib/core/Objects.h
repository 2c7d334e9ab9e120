// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creation of objects that contexts own.

#ifndef MOERT_CORE_OBJECTS_H
#define MOERT_CORE_OBJECTS_H

#include "core/Backend.h"

// The calls of the C interface after their arguments are checked, for use by
// other calls.

namespace moert {

/// Returns a spare buffer or creates one.
Status allocate(moert_context &context, size_t bytes, moert_memory_space space,
                moert_buffer *&buffer);
void release(moert_buffer *buffer);

/// Returns the context's own stream, which the first call creates.
Status getKeptStream(moert_context &context, const char *name, int32_t priority,
                     moert_stream *&stream);
/// Creates the context's events with numbers below `count`.
Status reserveEvents(moert_context &context, size_t count);

} // namespace moert

#endif // MOERT_CORE_OBJECTS_H
