// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of MPI through libmoert_mpi.

#include "mpi/MpiMessages.h"
#include "core/LoadLibrary.h"
#include "core/Status.h"

using namespace moert;

const moert_mpi_transport *moert::loadMpiTransport(std::string &reason) {
  std::string path;
  void *library = loadOwnLibrary("libmoert_mpi.so", path, reason);
  if (!library) {
    reason = "libmoert_mpi.so cannot be loaded; it is built where MPI is found "
             "(Debian: libopenmpi-dev): " +
             reason;
    return nullptr;
  }
  auto *get = reinterpret_cast<const moert_mpi_transport *(*)()>(
      findSymbol(library, "moert_mpi_get_transport"));
  const moert_mpi_transport *transport = get ? get() : nullptr;
  if (!transport || transport->version != MOERT_MPI_TRANSPORT_VERSION) {
    reason =
        format("expected %s to be of version %d, got %d", path.c_str(),
               MOERT_MPI_TRANSPORT_VERSION, transport ? transport->version : 0);
    return nullptr;
  }
  return transport;
}

namespace {

class MpiMessages : public Messages {
public:
  explicit MpiMessages(const moert_mpi_transport &table) : table(table) {}

  void *send(const void *data, size_t bytes, int peer, int tag) override {
    return table.send(data, bytes, peer, tag);
  }
  void *receive(void *data, size_t bytes, int peer, int tag) override {
    return table.receive(data, bytes, peer, tag);
  }
  int test(void *request) override { return table.test(request); }
  void cancel(void *request) override { table.cancel(request); }
  void setFailed() override { table.setFailed(); }
  const char *getName() const override { return "MPI"; }

private:
  const moert_mpi_transport &table;
};

} // namespace

std::unique_ptr<Messages>
moert::makeMpiMessages(const moert_mpi_transport &table) {
  return std::make_unique<MpiMessages>(table);
}
