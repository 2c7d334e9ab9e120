// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Connections between the processes of one machine.

#ifndef MOERT_HOST_LOCALMESH_H
#define MOERT_HOST_LOCALMESH_H

#include "core/Status.h"
#include "core/Wait.h"
#include "mpi/Messages.h"
#include "net/Socket.h"
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace moert {

/// The listening address of one rank, and the secret that connecting ranks must
/// send.
struct LocalAddress {
  /// A name in Linux's abstract socket namespace, and a secret.
  uint64_t name[2], secret[2];
};

/// A socket between each two ranks, which are processes of one machine. Each
/// test of a request makes progress for all requests without waiting. The end
/// of a peer is not reported as a failure here: its messages do not arrive, and
/// the job detects the cause.
class LocalMesh : public Messages {
public:
  /// Listens at a new address.
  static Status listen(int32_t rank, std::unique_ptr<LocalMesh> &mesh);
  ~LocalMesh() override;

  const LocalAddress &getAddress() const { return address; }
  /// Connects to all ranks, which listen at these addresses.
  Status connect(const std::vector<LocalAddress> &addresses, Deadline deadline);

  void *send(const void *data, size_t bytes, int peer, int tag) override;
  void *receive(void *data, size_t bytes, int peer, int tag) override;
  int test(void *request) override;
  void cancel(void *request) override;
  const char *getName() const override { return "the connection"; }

private:
  struct Header {
    uint64_t bytes;
    int32_t tag, padding;
  };
  struct Request {
    int peer, tag;
    char *data;
    size_t bytes;
    /// Result of `test`.
    std::atomic<int> result{0};
  };
  /// An outgoing message, which starts with its header. If its request is
  /// cancelled after the start, `kept` holds the data, because the peer waits
  /// for the rest.
  struct Outgoing {
    Header header;
    size_t done = 0;
    Request *request;
    std::vector<char> kept;
  };
  /// A message without a receive yet.
  struct Early {
    int peer, tag;
    std::vector<char> data;
  };
  struct Peer {
    Socket socket;
    std::deque<Outgoing> outgoing;
    /// The incoming message: a header, then data for a request or for `early`.
    Header header;
    size_t headerDone = 0, done = 0;
    Request *into = nullptr;
    std::vector<char> early;
    /// The receive was cancelled, so the message is dropped.
    bool isLost = false;
    bool takesNoMore = false, givesNoMore = false;
  };

  explicit LocalMesh(int32_t rank) : rank(rank) {}
  Status greet(int32_t to, const LocalAddress &other);
  Status accept(Socket socket, Deadline deadline);

  // These functions require the mutex.
  void progress();
  void sendSome(Peer &peer);
  void receiveSome(int32_t from, Peer &peer);
  /// Takes the first receive posted for a message out of `wanted`; null if
  /// there is none.
  Request *takeWanted(int32_t from, int32_t tag);
  void begin(int32_t from, Peer &peer);
  void finish(int32_t from, Peer &peer);

  const int32_t rank;
  LocalAddress address{};
  Socket listener;
  std::mutex mutex;
  std::vector<Peer> peers;
  /// Receives without a message, and messages without a receive, in their
  /// order.
  std::deque<Request *> wanted;
  std::deque<Early> earlyOnes;
};

} // namespace moert

#endif // MOERT_HOST_LOCALMESH_H
