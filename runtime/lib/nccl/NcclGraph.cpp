// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Capture of streams as graphs.

#include "nccl/NcclStream.h"

using namespace moert;
using namespace moert::nccl;

/// CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY.
static constexpr unsigned long long kNodePriorities = 8;

namespace {
class NcclGraph : public moert::Graph {
public:
  NcclGraph(NcclContext &context, cuda::GraphExec executable)
      : nccl(context), executable(executable) {}
  ~NcclGraph() override {
    if (nccl.enter().ok())
      nccl.driver().GraphExecDestroy(executable);
  }
  Status launch(moert_stream &stream) override {
    Status status = nccl.getFailure();
    if (status.ok())
      status = nccl.enter();
    if (!status.ok())
      return status;
    cuda::Stream handle = static_cast<NcclStream &>(stream).get();
    return nccl.driver().check(nccl.driver().GraphLaunch(executable, handle),
                               "cuGraphLaunch");
  }

private:
  NcclContext &nccl;
  const cuda::GraphExec executable;
};
} // namespace

Status NcclStream::queryCapture(bool &isCaptured) {
  Status status = nccl.enter();
  int state = 0;
  if (status.ok())
    status = nccl.driver().check(
        nccl.driver().StreamIsCapturing(stream, &state), "cuStreamIsCapturing");
  isCaptured = state != 0;
  return status;
}

Status NcclStream::beginCapture() {
  // Other threads are not affected.
  constexpr int kThreadLocal = 1;
  Status status = begin();
  if (status.ok())
    status = nccl.driver().check(
        nccl.driver().StreamBeginCapture(stream, kThreadLocal),
        "cuStreamBeginCapture");
  nccl.isCapturing.store(status.ok());
  return status;
}

Status NcclStream::endCapture(std::unique_ptr<Graph> &graph) {
  nccl.isCapturing.store(false);
  Status status = nccl.enter();
  if (!status.ok())
    return status;
  const cuda::Driver &driver = nccl.driver();
  cuda::Graph made = nullptr;
  status = driver.check(driver.StreamEndCapture(stream, &made),
                        "cuStreamEndCapture");
  cuda::GraphExec executable = nullptr;
  if (status.ok())
    // Each node has the priority of its stream, not of the launch.
    status = driver.check(driver.GraphInstantiate(
                              &executable, made,
                              driver.hasNodePriorities() ? kNodePriorities : 0),
                          "cuGraphInstantiate");
  if (made)
    driver.GraphDestroy(made);
  if (status.ok())
    graph = std::make_unique<NcclGraph>(nccl, executable);
  return status;
}
