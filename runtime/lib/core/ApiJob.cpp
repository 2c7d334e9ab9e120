// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface: start, end and errors.

#include "core/AbiStructs.h"
#include "core/Environment.h"
#include "core/Guard.h"
#include "core/Types.h"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>

using namespace moert;

/// Description of this thread's last failed call.
static thread_local std::string lastError;

moert_status moert::report(const moert_context *context, const char *call,
                           const Status &status) {
  if (status.ok()) {
    lastError.clear();
    return MOERT_OK;
  }
  lastError.clear();
  if (context)
    lastError = format("rank %d: ", context->rank);
  lastError += std::string(call) + ": " + status.getMessage();
  return status.getCode();
}

Status moert::makeDeadline(const moert_context &context, int64_t deadlineUs,
                           Deadline &deadline) {
  if (deadlineUs < 0 && deadlineUs != MOERT_DEADLINE_DEFAULT)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a deadline of at least 0 us, got %lld",
                 static_cast<long long>(deadlineUs));
  deadline = Deadline::inMicroseconds(
      deadlineUs == MOERT_DEADLINE_DEFAULT ? context.deadlineUs : deadlineUs);
  return {};
}

moert_status moert_config_default_sized(moert_config *config, size_t size) {
  return guard(nullptr, "moert_config_default", [&] {
    if (!config)
      return missing("a configuration");
    moert_config own = {};
    own.struct_size = size;
    own.backend = "host";
    own.world_size = 1;
    own.address = "local";
    own.token = "";
    own.deadline_us = MOERT_DEADLINE_DEFAULT;
    own.device = -1;
    own.local_rank = -1;
    return giveSized(own, size, "moert_config", *config);
  });
}

// The parentheses prevent expansion of the header's macro.
moert_status(moert_config_default)(moert_config *config) {
  return moert_config_default_sized(config, kFirstSize<moert_config>);
}

moert_status moert_config_from_environment(moert_config *config) {
  return guard(nullptr, __func__, [&] {
    return config ? readEnvironment(*config) : missing("a configuration");
  });
}

static Status verifyConfig(const moert_config &config) {
  if (!config.backend)
    return missing("the name of a backend");
  if (config.world_size < 1)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a world_size of at least 1, got %d",
                 config.world_size);
  if (config.rank < 0 || config.rank >= config.world_size)
    return error(MOERT_INVALID_ARGUMENT, "expected a rank in [0, %d), got %d",
                 config.world_size, config.rank);
  if (config.deadline_us < 1 && config.deadline_us != MOERT_DEADLINE_DEFAULT)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a deadline of at least 1 us, got %lld",
                 static_cast<long long>(config.deadline_us));
  if (config.local_rank < -1)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a local_rank of at least 0, or -1 when it is not "
                 "known, got %d",
                 config.local_rank);
  if (config.min_ctas < -1 || config.max_ctas < -1 ||
      config.cga_cluster_size < -1 || config.cga_cluster_size > 8 ||
      (config.max_ctas > 0 && config.min_ctas > config.max_ctas))
    return error(MOERT_INVALID_ARGUMENT,
                 "expected 0 <= min_ctas <= max_ctas and 0 <= "
                 "cga_cluster_size <= 8, or -1 for NCCL's own choice, got %d, "
                 "%d and %d",
                 config.min_ctas, config.max_ctas, config.cga_cluster_size);
  bool isNccl = std::strcmp(config.backend, "nccl") == 0;
  if (config.cuda_graph != 0 && config.cuda_graph != 1)
    return error(MOERT_INVALID_ARGUMENT, "expected cuda_graph 0 or 1, got %d",
                 config.cuda_graph);
  if (config.register_buffers < -1 || config.register_buffers > 1)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected register_buffers 0, 1 or -1, got %d",
                 config.register_buffers);
  if ((config.cuda_graph || config.register_buffers == 1) && !isNccl)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected %s on the backend 'nccl' only, got '%s'",
                 config.cuda_graph ? "cuda_graph" : "register_buffers",
                 config.backend);
  if (config.num_links != 0 && std::strcmp(config.backend, "host") != 0)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected emulated links on the backend 'host' only, got '%s'",
                 config.backend);
  if (!config.all_gather &&
      (config.must_abort || config.aborted || config.bootstrap_user))
    return error(MOERT_INVALID_ARGUMENT,
                 "expected an all_gather beside %s, got NULL",
                 config.must_abort ? "must_abort"
                 : config.aborted  ? "aborted"
                                   : "bootstrap_user");
  if (config.all_gather && std::strcmp(config.backend, "mpi") == 0)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected no all_gather on the backend 'mpi', whose ranks "
                 "mpirun connects");
  return {};
}

static Status unknownBackend(const char *name) {
  return error(MOERT_INVALID_ARGUMENT,
               "expected the backend 'host', 'mpi' or 'nccl', got '%s'", name);
}

moert_status moert_backend_info(const char *backend, char *text, size_t size) {
  return guard(nullptr, __func__, [&] {
    if (!backend)
      return missing("the name of a backend");
    const BackendDescription *description = findBackend(backend);
    Status status =
        description ? description->probe() : unknownBackend(backend);
    if (text && size)
      std::snprintf(text, size, "%s", status.getMessage().c_str());
    return status;
  });
}

moert_status moert_init(const moert_config *config, moert_context **context) {
  return guard(nullptr, __func__, [&] {
    if (!config || !context)
      return missing(config ? "a place for the context" : "a configuration");
    *context = nullptr;
    moert_config own;
    Status status =
        takeSized(*config, config->struct_size, "moert_config", own);
    if (!hasLocalRank(*config))
      own.local_rank = -1;
    if (status.ok())
      status = verifyConfig(own);
    if (!status.ok())
      return status;
    const BackendDescription *description = findBackend(own.backend);
    if (!description)
      return unknownBackend(own.backend);
    if (own.deadline_us == MOERT_DEADLINE_DEFAULT)
      own.deadline_us = description->defaultDeadlineUs;
    moert_context *made = nullptr;
    status = description->create(own, Deadline::inMicroseconds(own.deadline_us),
                                 &made);
    if (!status.ok())
      return Status(status.getCode(), format("rank %d: %s", own.rank,
                                             status.getMessage().c_str()));
    made->rank = own.rank;
    made->worldSize = own.world_size;
    made->deadlineUs = own.deadline_us;
    made->capturesPrograms = own.cuda_graph == 1;
    *context = made;
    return Status();
  });
}

/// Deletes a context with all objects made from it.
static void destroy(moert_context *context) {
  context->keptObjects.clear();
  // Graphs use communicators and memory, so delete them first.
  context->programGraphs.clear();
  for (moert_comm *comm : context->comms)
    delete comm;
  for (moert_stream *stream : context->streams)
    delete stream;
  for (moert_event *event : context->events)
    delete event;
  for (moert_buffer *buffer : context->buffers)
    delete buffer;
  context->spareBuffers.clear();
  delete context;
}

moert_status moert_finalize(moert_context *context, int64_t deadline_us) {
  return guard(nullptr, __func__, [&] {
    if (!context)
      return missing("a context");
    Deadline deadline = Deadline::inMicroseconds(0);
    Status status = makeDeadline(*context, deadline_us, deadline);
    if (!status.ok())
      return status;
    bool destroyable = true;
    status = context->leave(deadline, destroyable);
    if (!status.ok())
      status = Status(status.getCode(), format("rank %d: %s", context->rank,
                                               status.getMessage().c_str()));
    // Work that never ends keeps the objects it uses.
    if (destroyable)
      destroy(context);
    return status;
  });
}

moert_status moert_abort(moert_context *context, const char *reason) {
  return guard(context, __func__, [&] {
    if (!context)
      return missing("a context");
    return context->abort(reason ? reason : "no reason given");
  });
}

int32_t moert_rank(const moert_context *context) {
  return context ? context->rank : -1;
}

int32_t moert_world_size(const moert_context *context) {
  return context ? context->worldSize : -1;
}

const char *moert_last_error(const moert_context *context) {
  if (!lastError.empty() || !context)
    return lastError.c_str();
  try {
    Status failure = context->getFailure();
    if (!failure.ok())
      report(context, "job", failure);
    return lastError.c_str();
  } catch (...) {
    return "no memory for the words of an error";
  }
}

const char *moert_status_name(moert_status status) {
  switch (status) {
  case MOERT_OK:
    return "MOERT_OK";
  case MOERT_INVALID_ARGUMENT:
    return "MOERT_INVALID_ARGUMENT";
  case MOERT_UNAVAILABLE:
    return "MOERT_UNAVAILABLE";
  case MOERT_DEADLINE_EXCEEDED:
    return "MOERT_DEADLINE_EXCEEDED";
  case MOERT_MISMATCH:
    return "MOERT_MISMATCH";
  case MOERT_OUT_OF_MEMORY:
    return "MOERT_OUT_OF_MEMORY";
  case MOERT_ABORTED:
    return "MOERT_ABORTED";
  case MOERT_BACKEND_ERROR:
    return "MOERT_BACKEND_ERROR";
  }
  return "unknown status";
}
