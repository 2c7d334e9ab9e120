// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface: functions for libraries that extend it.

#include "core/Guard.h"
#include "moert_extend.h"
#include <cstring>

using namespace moert;

moert_status moert_exchange(moert_context *context, const char *name,
                            const void *own, size_t bytes, void *all,
                            int64_t deadline_us) {
  return guard(context, __func__, [&]() -> Status {
    if (!context || !name || (bytes > 0 && (!own || !all)))
      return missing(!context ? "a context"
                     : !name  ? "a name"
                     : !own   ? "what this rank has to tell"
                              : "a place for what all tell");
    if (bytes > MOERT_MAX_EXCHANGE)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected at most %d bytes of each rank, got %zu",
                   MOERT_MAX_EXCHANGE, bytes);
    Deadline deadline = Deadline::inMicroseconds(0);
    Status status = makeDeadline(*context, deadline_us, deadline);
    if (!status.ok())
      return status;
    std::string words(static_cast<const char *>(own), bytes);
    std::vector<std::string> everyones;
    status = context->exchange(name, words, deadline, everyones);
    for (size_t i = 0; status.ok() && i < everyones.size(); ++i)
      if (bytes)
        std::memcpy(static_cast<char *>(all) + i * bytes, everyones[i].data(),
                    bytes);
    return status;
  });
}

moert_status moert_keep(moert_context *context, const char *name, void *object,
                        void (*destroy)(void *), void **kept) {
  return guard(context, __func__, [&]() -> Status {
    if (!context || !name || !destroy || !kept)
      return missing(!context   ? "a context"
                     : !name    ? "a name"
                     : !destroy ? "a way to destroy the object"
                                : "a place for what is kept");
    std::unique_lock<std::mutex> lock(context->mutex);
    auto [entry, isNew] =
        context->keptObjects.try_emplace(name, object, destroy);
    *kept = entry->second.get();
    lock.unlock();
    if (!isNew)
      destroy(object);
    return {};
  });
}

void *moert_find_kept(moert_context *context, const char *name) {
  if (!context || !name)
    return nullptr;
  std::lock_guard<std::mutex> lock(context->mutex);
  auto entry = context->keptObjects.find(name);
  return entry == context->keptObjects.end() ? nullptr : entry->second.get();
}

int64_t moert_deadline_us(const moert_context *context) {
  return context ? context->deadlineUs : -1;
}

moert_status moert_report(const moert_context *context, const char *call,
                          moert_status status, const char *words) {
  try {
    return report(context, call ? call : "a call",
                  Status(status, words ? words : ""));
  } catch (const std::bad_alloc &) {
    return status;
  }
}
