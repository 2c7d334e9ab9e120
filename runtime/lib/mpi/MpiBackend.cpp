// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backend 'mpi'.

#include "mpi/MpiBackend.h"
#include "mpi/MpiComm.h"
#include "mpi/MpiMessages.h"

using namespace moert;

namespace {

class MpiContext : public CpuContext {
public:
  explicit MpiContext(std::unique_ptr<MpiJob> job) : job(std::move(job)) {}

  Status createComm(const std::vector<int32_t> &ranks, int32_t position,
                    uint64_t key, Deadline deadline, CpuComm **comm) override {
    int tag = 0;
    Status status = job->agreeOnTag(ranks, position, key, deadline, tag);
    if (!status.ok())
      return status;
    *comm = new MpiComm(*job, tag);
    return {};
  }

  bool hasFailed() const override { return job->hasFailed(); }
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
    job->hasFailed();
    return job->getFailure().getStatusOf(rank);
  }

  Status leave(Deadline deadline, bool &destroyable) override {
    Status why;
    destroyable = stopStreams(deadline, why);
    Status status = getFailure();
    if (status.ok() && !destroyable) {
      status = why;
      fail(status);
    }
    if (destroyable) {
      leaving = true;
      job->leave();
    }
    return status;
  }

  ~MpiContext() override {
    if (leaving)
      endMpiJob(std::move(job));
  }

private:
  std::unique_ptr<MpiJob> job;
  bool leaving = false;
};

Status probe() {
  std::string reason;
  const moert_mpi_transport *transport = loadMpiTransport(reason);
  if (!transport)
    return Status(MOERT_UNAVAILABLE, reason);
  char text[256];
  transport->describe(text, sizeof(text));
  return Status(MOERT_OK, std::string("mpi: ") + text);
}

Status create(const moert_config &config, Deadline deadline,
              moert_context **context) {
  std::unique_ptr<MpiJob> job;
  Status status = MpiJob::join(config, deadline, job);
  if (status.ok())
    *context = makeProcessContext(std::move(job));
  return status;
}

} // namespace

moert_context *moert::makeProcessContext(std::unique_ptr<MpiJob> job) {
  return new MpiContext(std::move(job));
}

const BackendDescription &moert::getMpiBackend() {
  static const BackendDescription description{"mpi", 60000000, probe, create};
  return description;
}
