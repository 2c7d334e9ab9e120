// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backend 'host'.

#include "host/HostBackend.h"
#include "host/HostComm.h"
#include "mpi/MpiBackend.h"
#include "mpi/MpiJob.h"
#include <thread>

using namespace moert;

namespace {

class HostContext : public CpuContext {
public:
  explicit HostContext(std::shared_ptr<HostJob> job) : job(std::move(job)) {
    spins = this->job->getSpins();
  }

  Status createComm(const std::vector<int32_t> &ranks, int32_t position,
                    uint64_t key, Deadline deadline, CpuComm **comm) override {
    std::shared_ptr<CollectiveSlots> board;
    Status status = job->joinBoard(ranks, position, key, deadline, board);
    if (!status.ok())
      return status;
    *comm = new HostComm(job, std::move(board));
    return {};
  }

  bool hasFailed() const override { return job->getFailure().isRaised(); }
  void fail(const Status &status) override {
    job->fail(Status(status.getCode(),
                     format("rank %d: %s", rank, status.getMessage().c_str())),
              {rank});
  }
  Status abort(const std::string &reason) override {
    job->fail(error(MOERT_ABORTED, "rank %d aborted the job: %s", rank,
                    reason.c_str()),
              {rank});
    return {};
  }
  Status getFailure() const override {
    return job->getFailure().getStatusOf(rank);
  }

  Status leave(Deadline deadline, bool &destroyable) override {
    Status why;
    destroyable = stopStreams(deadline, why);
    Status status = getFailure();
    if (status.ok() && !destroyable)
      status = why;
    // This rank will not take part in its collectives any more.
    if (!destroyable)
      fail(status);
    // Other ranks need not wait for this rank any longer.
    job->leave(rank);
    return status;
  }

private:
  std::shared_ptr<HostJob> job;
};

Status probe() {
  return Status(MOERT_OK,
                format("host: ranks are threads of this process, %u cores",
                       std::thread::hardware_concurrency()));
}

Status create(const moert_config &config, Deadline deadline,
              moert_context **context) {
  Status status =
      verifyLinks(config.links, config.num_links, config.world_size);
  if (!status.ok())
    return status;
  // Ranks that can exchange bytes may be in different processes.
  if (config.all_gather) {
    if (config.num_links != 0)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected no emulated links with an all_gather: only "
                   "links between threads are emulated");
    std::unique_ptr<MpiJob> processes;
    status = MpiJob::joinByCaller(config, deadline, processes);
    if (status.ok())
      *context = makeProcessContext(std::move(processes));
    return status;
  }
  std::shared_ptr<HostJob> job;
  status = HostJob::join(config, deadline, job);
  if (status.ok())
    *context = new HostContext(std::move(job));
  return status;
}

} // namespace

const BackendDescription &moert::getHostBackend() {
  static const BackendDescription description{"host", 60000000, probe, create};
  return description;
}
