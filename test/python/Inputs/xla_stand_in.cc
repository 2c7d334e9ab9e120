// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls a handler of XLA's FFI as XLA does in an executable on several GPUs.
// Each device has a thread and a stream, arguments and results are in the
// memory of the CPU emulation of CUDA, the executable has a state, and calls
// follow each other without a wait. Used by compiled_gpu.py.

#include "device.h"
#include "xla/ffi/api/c_api.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

struct XLA_FFI_Error {
  std::string message;
};

// Names in JAX 0.10 and in 0.12.
#if XLA_FFI_API_MINOR < 5
using ErrorArgs = XLA_FFI_Error_GetMessage_Args;
using InvokeContext = XLA_FFI_ExecutionContext;
#define INVOKE_CONTEXT XLA_FFI_ExecutionContext
#define GET_MESSAGE XLA_FFI_Error_GetMessage
#else
using ErrorArgs = XLA_FFI_Error_GetDetails_Args;
using InvokeContext = XLA_FFI_InvokeContext;
#define INVOKE_CONTEXT XLA_FFI_InvokeContext
#define GET_MESSAGE XLA_FFI_Error_GetDetails
#endif

/// A call's view of its executable and its device.
struct INVOKE_CONTEXT {
  void **state;
  CUstream stream = nullptr;
  int32_t device = 0;
};

static const int64_t kTypeId = 17;

static void require(int status, const char *what) {
  if (status == 0)
    return;
  fprintf(stderr, "%s: error %d\n", what, status);
  abort();
}

static XLA_FFI_Error *createError(XLA_FFI_Error_Create_Args *args) {
  return new XLA_FFI_Error{args->message};
}
static void getMessage(ErrorArgs *args) {
  args->message = args->error->message.c_str();
}
static void destroyError(XLA_FFI_Error_Destroy_Args *args) {
  delete args->error;
}
static XLA_FFI_Error *getStream(XLA_FFI_Stream_Get_Args *args) {
  args->stream = args->ctx->stream;
  return nullptr;
}
static XLA_FFI_Error *getOrdinal(XLA_FFI_DeviceOrdinal_Get_Args *args) {
  args->device_ordinal = args->ctx->device;
  return nullptr;
}
static XLA_FFI_Error *setState(XLA_FFI_State_Set_Args *args) {
  if (args->type_id->type_id != kTypeId)
    return new XLA_FFI_Error{"a state of a type that was not registered"};
  *args->ctx->state = args->state;
  return nullptr;
}
static XLA_FFI_Error *getState(XLA_FFI_State_Get_Args *args) {
  if (args->type_id->type_id != kTypeId || !*args->ctx->state)
    return new XLA_FFI_Error{"no state of this type"};
  args->state = *args->ctx->state;
  return nullptr;
}

static XLA_FFI_Api makeApi() {
  XLA_FFI_Api api;
  memset(&api, 0, sizeof(api));
  api.struct_size = XLA_FFI_Api_STRUCT_SIZE;
  api.api_version = {XLA_FFI_Api_Version_STRUCT_SIZE, nullptr,
                     XLA_FFI_API_MAJOR, XLA_FFI_API_MINOR};
  api.XLA_FFI_Error_Create = createError;
  api.GET_MESSAGE = getMessage;
  api.XLA_FFI_Error_Destroy = destroyError;
  api.XLA_FFI_Stream_Get = getStream;
  api.XLA_FFI_DeviceOrdinal_Get = getOrdinal;
  api.XLA_FFI_State_Set = setState;
  api.XLA_FFI_State_Get = getState;
  return api;
}

/// Calls a handler once; returns its error, or an empty string.
static std::string call(XLA_FFI_Handler *handler, XLA_FFI_ExecutionStage stage,
                        InvokeContext &context,
                        std::vector<XLA_FFI_Buffer> &arguments,
                        std::vector<XLA_FFI_Buffer> &results,
                        int64_t timeoutMs) {
  static const XLA_FFI_Api api = makeApi();
  std::vector<void *> args, rets;
  for (XLA_FFI_Buffer &buffer : arguments)
    args.push_back(&buffer);
  for (XLA_FFI_Buffer &buffer : results)
    rets.push_back(&buffer);
  std::vector<XLA_FFI_ArgType> argTypes(args.size(), XLA_FFI_ArgType_BUFFER);
  std::vector<XLA_FFI_RetType> retTypes(rets.size(), XLA_FFI_RetType_BUFFER);
  XLA_FFI_Scalar timeout{XLA_FFI_DataType_S64, &timeoutMs};
  XLA_FFI_ByteSpan name{"timeout_ms", 10}, *names[] = {&name};
  XLA_FFI_AttrType attrType = XLA_FFI_AttrType_SCALAR;
  void *attrs[] = {&timeout};
  XLA_FFI_CallFrame frame;
  memset(&frame, 0, sizeof(frame));
  frame.struct_size = XLA_FFI_CallFrame_STRUCT_SIZE;
  frame.api = &api;
  frame.ctx = &context;
  frame.stage = stage;
  frame.args = {XLA_FFI_Args_STRUCT_SIZE, nullptr, int64_t(args.size()),
                argTypes.data(), args.data()};
  frame.rets = {XLA_FFI_Rets_STRUCT_SIZE, nullptr, int64_t(rets.size()),
                retTypes.data(), rets.data()};
  frame.attrs = {
      XLA_FFI_Attrs_STRUCT_SIZE, nullptr, 1, &attrType, names, attrs};
  XLA_FFI_Error *error = handler(&frame);
  std::string said = error ? error->message : "";
  delete error;
  return said;
}

static XLA_FFI_Buffer makeBuffer(XLA_FFI_DataType type, int64_t *size,
                                 int64_t bytes) {
  CUdeviceptr memory = 0;
  require(cuMemAlloc_v2(&memory, bytes ? bytes : 1), "cuMemAlloc");
  return {XLA_FFI_Buffer_STRUCT_SIZE,       nullptr, type,
          reinterpret_cast<void *>(memory), 1,       size};
}

/// A device's memory and the calls it makes. `bytes` has the size of each
/// argument and result; `input` and `output` are on the host. The results of a
/// run, without its workspace, follow the results of the previous run, and so
/// do first arguments.
struct Device {
  int64_t place[2];
  const int64_t *bytes;
  int64_t numInputs, numResults;
  int64_t runs, timeoutMs;
  const char *const *inputs;
  char *const *outputs;
  std::string said;

  void run(XLA_FFI_Handler *execute, int32_t ordinal, void **state) {
    CUdevice device = 0;
    CUcontext context = nullptr;
    InvokeContext own{state, nullptr, ordinal};
    require(cuInit(0), "cuInit");
    require(cuDeviceGet(&device, ordinal), "cuDeviceGet");
    require(cuDevicePrimaryCtxRetain(&context, device), "context");
    require(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    require(cuStreamCreate(&own.stream, 0), "cuStreamCreate");
    int32_t numbers[2] = {int32_t(place[0]), int32_t(place[1])};
    int64_t two = 2;
    std::vector<int64_t> sizes(bytes, bytes + numInputs + numResults);
    std::vector<XLA_FFI_Buffer> arguments, results;
    arguments.push_back(makeBuffer(XLA_FFI_DataType_S32, &two, 8));
    copy(arguments[0].data, numbers, 8, own.stream);
    for (int64_t i = 0; i < numInputs; ++i) {
      arguments.push_back(makeBuffer(XLA_FFI_DataType_U8, &sizes[i], sizes[i]));
      copy(arguments.back().data, inputs[i], sizes[i], own.stream);
    }
    for (int64_t i = 0; i < numResults; ++i)
      results.push_back(makeBuffer(XLA_FFI_DataType_U8, &sizes[numInputs + i],
                                   sizes[numInputs + i]));
    // Enqueues on the stream, as ops of a program: the argument, the call, and
    // the reader of its results.
    for (int64_t r = 0; r < runs && said.empty(); ++r) {
      copy(arguments[1].data, inputs[0] + r * sizes[0], sizes[0], own.stream);
      said = call(execute, XLA_FFI_ExecutionStage_EXECUTE, own, arguments,
                  results, timeoutMs);
      for (int64_t i = 0; said.empty() && i + 1 < numResults; ++i)
        copy(outputs[i] + r * sizes[numInputs + i], results[i].data,
             sizes[numInputs + i], own.stream);
    }
    int status = cuStreamSynchronize(own.stream);
    if (said.empty() && status)
      said = "the stream ended with error " + std::to_string(status);
  }

  static void copy(void *to, const void *from, int64_t bytes, CUstream stream) {
    require(cuMemcpyAsync(reinterpret_cast<CUdeviceptr>(to),
                          reinterpret_cast<CUdeviceptr>(from), bytes, stream),
            "cuMemcpyAsync");
  }
};

/// Creates an executable, i.e. its state.
extern "C" void *xla_make(XLA_FFI_Handler *instantiate,
                          XLA_FFI_TypeId *typeId) {
  typeId->type_id = kTypeId;
  void **state = new void *(nullptr);
  InvokeContext context{state};
  std::vector<XLA_FFI_Buffer> none;
  std::string said = call(instantiate, XLA_FFI_ExecutionStage_INSTANTIATE,
                          context, none, none, 0);
  if (said.empty())
    return state;
  fprintf(stderr, "instantiate: %s\n", said.c_str());
  delete state;
  return nullptr;
}

/// Runs an executable on devices; returns 0 on success. `places` has a rank and
/// a group per device; `inputs` and `outputs` are ordered by device. Stores
/// errors in `said`, one line per device.
extern "C" int xla_run(void *executable, XLA_FFI_Handler *execute,
                       int64_t devices, const int64_t *places,
                       int64_t numInputs, int64_t numResults,
                       const int64_t *bytes, const char *const *inputs,
                       char *const *outputs, int64_t runs, int64_t timeoutMs,
                       char *said, size_t size) {
  std::vector<Device> all;
  for (int64_t d = 0; d < devices; ++d)
    all.push_back({{places[2 * d], places[2 * d + 1]},
                   bytes,
                   numInputs,
                   numResults,
                   runs,
                   timeoutMs,
                   inputs + d * numInputs,
                   outputs + d * (numResults - 1),
                   ""});
  std::vector<std::thread> threads;
  for (int64_t d = 0; d < devices; ++d)
    threads.emplace_back(
        [&, d] { all[d].run(execute, d, static_cast<void **>(executable)); });
  for (std::thread &thread : threads)
    thread.join();
  std::string lines;
  for (int64_t d = 0; d < devices; ++d)
    if (!all[d].said.empty())
      lines += "device " + std::to_string(d) + ": " + all[d].said + "\n";
  snprintf(said, size, "%s", lines.c_str());
  return lines.empty() ? 0 : 1;
}
