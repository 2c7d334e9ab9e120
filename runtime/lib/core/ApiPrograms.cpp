// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface: compiled programs.

#include "core/AbiStructs.h"
#include "core/Guard.h"
#include "core/Objects.h"
#include <algorithm>

using namespace moert;

/// The oldest interface that this library supports: all of its functions exist
/// with the same arguments.
static constexpr uint32_t kOldestAbi = 8;

static std::string printAbi(uint32_t version) {
  return format("%u.%u", version >> 16, version & 0xffff);
}

/// Checks everything except pointers and memory.
static Status verifyProgram(const moert_context *context,
                            const moert_program *program, moert_program &own) {
  if (!context || !program)
    return missing(context ? "a program" : "a context");
  if (!program->name)
    return missing("the name of a program");
  constexpr uint32_t kAbi = MOERT_ABI_VERSION;
  if (program->abi_version < kOldestAbi || program->abi_version > kAbi)
    return error(
        MOERT_INVALID_ARGUMENT,
        "expected a program compiled for interface %s to %s, which this "
        "library runs, got one for %s: %s",
        printAbi(kOldestAbi).c_str(), printAbi(kAbi).c_str(),
        printAbi(program->abi_version).c_str(),
        program->abi_version > kAbi
            ? "link it with the libmoert of its compiler, or a later one"
            : "compile it again");
  Status status = takeSized(*program, program->size, "moert_program", own);
  if (!status.ok())
    return status;
  if (own.image || own.num_cubins)
    if (status = ProgramImages(own).verify(); !status.ok())
      return status;
  if (!own.enqueue || (own.num_inputs > 0 && !own.input_bytes) ||
      (own.num_results > 0 && !own.result_bytes))
    return missing(own.enqueue ? "the bytes of inputs and results"
                               : "the function of a program");
  if (own.num_ranks != 0 && own.num_ranks != context->worldSize)
    return error(MOERT_INVALID_ARGUMENT, "expected a job of %d ranks, got %d",
                 own.num_ranks, context->worldSize);
  return {};
}

static Status verifyPointers(const char *what, void *const *pointers,
                             const int64_t *bytes, int32_t count) {
  if (count > 0 && !pointers)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected pointers to %d %s%s, got "
                 "NULL",
                 count, what, count == 1 ? "" : "s");
  for (int32_t i = 0; i < count; ++i)
    if (bytes[i] > 0 && !pointers[i])
      return error(MOERT_INVALID_ARGUMENT,
                   "expected the %lld bytes of %s %d, got NULL",
                   static_cast<long long>(bytes[i]), what, i);
  return {};
}

static Status verifyWorkspace(const moert_program &program, void *workspace) {
  if (program.workspace_bytes == 0)
    return {};
  if (!workspace)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a workspace of %lld bytes, got NULL",
                 static_cast<long long>(program.workspace_bytes));
  if (reinterpret_cast<uintptr_t>(workspace) % MOERT_WORKSPACE_ALIGNMENT != 0)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a workspace aligned to %d bytes, got %p",
                 MOERT_WORKSPACE_ALIGNMENT, workspace);
  return {};
}

static Status refuseCapture(const moert_program &program) {
  return error(MOERT_UNAVAILABLE,
               "expected a program in which the host has no part while it "
               "runs, as a CUDA graph has none, got one in which %s",
               program.host_part ? program.host_part
                                 : "the host waits for what a stream computes");
}

static bool hasHostPart(const moert_program &program) {
  return program.host_part || program.host_waits > 0;
}

/// Refuses a program with a host part on a stream that is being captured.
static Status verifyCapture(const moert_program &program,
                            moert_stream &stream) {
  bool isCaptured = false;
  if (!hasHostPart(program))
    return {};
  Status status = stream.queryCapture(isCaptured);
  return status.ok() && isCaptured ? refuseCapture(program) : status;
}

/// Enlarges a buffer of the context if necessary; its content is lost.
static Status grow(moert_context &context, moert_buffer *&kept, int64_t bytes,
                   moert_memory_space space) {
  if (bytes == 0 || (kept && kept->size >= static_cast<size_t>(bytes)))
    return {};
  if (kept)
    release(kept);
  kept = nullptr;
  return allocate(context, static_cast<size_t>(bytes), space, kept);
}

/// Creates the objects that the context keeps for the program, except streams
/// and communicators.
static Status prepare(moert_context &context, const moert_program &program) {
  std::lock_guard<std::mutex> lock(context.programMutex);
  Status status = context.tune(program);
  // Earlier writers of the host memory have ended, because the host waited for
  // them.
  if (status.ok())
    status = grow(context, context.programHostMemory, program.host_bytes,
                  MOERT_MEMORY_HOST);
  if (status.ok())
    status = reserveEvents(context, program.num_events);
  if (status.ok() && program.image)
    status = context.loadImages(ProgramImages(program));
  return status;
}

static const char *getName(const moert_program *program, const char *call) {
  return program && program->name ? program->name : call;
}

moert_status moert_program_prepare(moert_context *context,
                                   const moert_program *program) {
  return guard(context, getName(program, __func__), [&] {
    moert_program own;
    Status status = verifyProgram(context, program, own);
    return status.ok() ? prepare(*context, own) : status;
  });
}

moert_status moert_program_begin(moert_context *context,
                                 const moert_program *program,
                                 moert_stream *stream, void *const *inputs,
                                 void *const *results, void *workspace,
                                 void **host_memory) {
  return guard(context, getName(program, __func__), [&] {
    moert_program own;
    Status status = verifyProgram(context, program, own);
    if (!status.ok())
      return status;
    if (!stream || !host_memory)
      return missing(stream ? "a place for the host's memory" : "a stream");
    if (stream->context != context)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected a stream of rank %d's context, got one of rank "
                   "%d's",
                   context->rank, stream->context->rank);
    status = verifyCapture(own, *stream);
    if (!status.ok())
      return status;
    status = verifyPointers("input", inputs, own.input_bytes, own.num_inputs);
    if (status.ok())
      status =
          verifyPointers("result", results, own.result_bytes, own.num_results);
    if (status.ok())
      status = verifyWorkspace(own, workspace);
    if (status.ok())
      status = prepare(*context, own);
    if (status.ok())
      *host_memory =
          own.host_bytes ? context->programHostMemory->data : nullptr;
    return status;
  });
}

moert_status moert_program_needs(moert_context *context, const void *function,
                                 const char *library) {
  return guard(context, __func__, [&] {
    if (!library)
      return missing("the name of a library");
    if (function)
      return Status();
    return error(MOERT_UNAVAILABLE,
                 "the program calls %s, which is not in this process: link it "
                 "beside libmoert, or load it, for all to see (RTLD_GLOBAL), "
                 "before the program",
                 library);
  });
}

/// Runs a program as a graph of its streams' work. The first run creates the
/// objects that the context keeps. A later run with new memory captures a
/// graph, which replaces the least recently used one if there are too many.
static moert_status
launchAsGraph(moert_context &context, const moert_program &program,
              moert_stream &stream, std::vector<void *> pointers,
              const std::function<moert_status()> &enqueue) {
  ProgramGraph &kept = context.programGraphs[&program];
  if (!kept.hasRun) {
    moert_status status = enqueue();
    kept.hasRun = status == MOERT_OK;
    return status;
  }
  std::vector<ProgramGraph::Captured> &captures = kept.captures;
  auto own = std::find_if(captures.begin(), captures.end(),
                          [&](const ProgramGraph::Captured &captured) {
                            return captured.pointers == pointers;
                          });
  if (own != captures.end()) {
    std::rotate(captures.begin(), own, own + 1);
  } else {
    // Earlier launches of it have ended, because each run of a program waits
    // for its end.
    if (captures.size() == ProgramGraph::kMostCaptures)
      captures.pop_back();
    moert_status status =
        guard(&context, program.name, [&] { return stream.beginCapture(); });
    if (status != MOERT_OK)
      return status;
    status = enqueue();
    if (status != MOERT_OK) {
      // Keep the message of the call that failed.
      std::unique_ptr<Graph> spoilt;
      (void)stream.endCapture(spoilt);
      return status;
    }
    std::unique_ptr<Graph> graph;
    status =
        guard(&context, program.name, [&] { return stream.endCapture(graph); });
    if (status != MOERT_OK)
      return status;
    captures.insert(captures.begin(), {std::move(pointers), std::move(graph)});
  }
  return guard(&context, program.name,
               [&] { return captures.front().graph->launch(stream); });
}

moert_status moert_program_run(moert_context *context,
                               const moert_program *program, void **inputs,
                               void **results) {
  moert_stream *stream = nullptr;
  std::vector<void *> pointers;
  moert_status status = guard(context, getName(program, __func__), [&] {
    moert_program own;
    Status status = verifyProgram(context, program, own);
    if (!status.ok())
      return status;
    if (context->capturesPrograms && hasHostPart(own))
      return refuseCapture(own);
    status = verifyPointers("input", inputs, own.input_bytes, own.num_inputs);
    if (status.ok())
      status =
          verifyPointers("result", results, own.result_bytes, own.num_results);
    if (!status.ok())
      return status;
    std::lock_guard<std::mutex> lock(context->programMutex);
    status = context->tune(own);
    // Earlier runs have ended.
    if (status.ok())
      status = grow(*context, context->programWorkspace, own.workspace_bytes,
                    MOERT_MEMORY_DEVICE);
    if (status.ok())
      status = getKeptStream(*context, "program", 0, stream);
    if (!context->capturesPrograms)
      return status;
    if (own.num_inputs > 0)
      pointers.assign(inputs, inputs + own.num_inputs);
    if (own.num_results > 0)
      pointers.insert(pointers.end(), results, results + own.num_results);
    return status;
  });
  if (status != MOERT_OK)
    return status;
  moert_buffer *&workspace = context->programWorkspace;
  void *memory = workspace ? workspace->data : nullptr;
  // These functions report their errors themselves.
  auto enqueue = [&] {
    return program->enqueue(context, stream, inputs, results, memory);
  };
  if (context->capturesPrograms) {
    pointers.push_back(memory);
    status = launchAsGraph(*context, *program, *stream, std::move(pointers),
                           enqueue);
  } else {
    status = enqueue();
  }
  if (status == MOERT_OK)
    status = moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT);
  if (status == MOERT_OK && workspace && !BufferPool::kKeepsSpares) {
    release(workspace);
    workspace = nullptr;
  }
  return status;
}

moert_status moert_event_get(moert_context *context, int32_t number,
                             moert_event **event) {
  return guard(context, __func__, [&] {
    if (!context || !event)
      return missing(context ? "a place for the event" : "a context");
    *event = nullptr;
    constexpr int32_t kMost = 1 << 20;
    if (number < 0 || number >= kMost)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected the number of an event in [0, %d), got %d", kMost,
                   number);
    Status status = reserveEvents(*context, static_cast<size_t>(number) + 1);
    if (!status.ok())
      return status;
    std::lock_guard<std::mutex> lock(context->keptMutex);
    *event = context->keptEvents[number];
    return Status();
  });
}

moert_status moert_context_counts(const moert_context *context,
                                  moert_counts *counts) {
  return guard(context, __func__, [&] {
    if (!context || !counts)
      return missing(context ? "a place for the counts" : "a context");
    Status status = verifySize<moert_counts>(counts->size, "moert_counts");
    if (!status.ok())
      return status;
    const Counts &own = context->counts;
    moert_counts all = {};
    all.size = counts->size;
    all.buffers = own.buffers.load();
    all.streams = own.streams.load();
    all.events = own.events.load();
    all.communicators = own.comms.load();
    all.host_waits = own.waits.load();
    std::memcpy(counts, &all, std::min<size_t>(all.size, sizeof(all)));
    return Status();
  });
}

/// Programs of interface 0.7 and earlier call this function first. No header
/// declares it.
extern "C" MOERT_API moert_status moert_program_check(
    const moert_context *context, const char *program, int32_t, void *const *,
    const int64_t *, int32_t, void *const *, const int64_t *, int32_t);
moert_status moert_program_check(const moert_context *context,
                                 const char *program, int32_t, void *const *,
                                 const int64_t *, int32_t, void *const *,
                                 const int64_t *, int32_t) {
  return guard(context, program ? program : __func__, [&] {
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a program compiled for interface %s to %s, which "
                 "this library runs, got one for 0.7 or before: compile it "
                 "again",
                 printAbi(kOldestAbi).c_str(),
                 printAbi(MOERT_ABI_VERSION).c_str());
  });
}
