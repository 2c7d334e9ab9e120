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

/// Where a rank listens, and the secret that a rank shows which connects.
struct LocalAddress {
  /// A name in Linux's abstract namespace of sockets, and a secret.
  uint64_t name[2], secret[2];
};

/// A socket between each two ranks, which are processes of one machine. Each
/// test of a request moves what can be moved without waiting, for all requests.
/// A peer that has ended is no failure here: its messages do not come, and the
/// job finds out why.
class LocalMesh : public Messages {
public:
  /// Listens at an address of its own.
  static Status listen(int32_t rank, std::unique_ptr<LocalMesh> &mesh);
  ~LocalMesh() override;

  const LocalAddress &getAddress() const { return address; }
  /// Connects to all ranks, each of which listens at its address.
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
    /// As `test` says it.
    std::atomic<int> result{0};
  };
  /// A message that goes out, its header first. If its request is given up
  /// behind its start, the rest is kept here, as the other side waits for it.
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
    /// What comes in: a header, then its data, to a request or to `early`.
    Header header;
    size_t headerDone = 0, done = 0;
    Request *into = nullptr;
    std::vector<char> early;
    /// Its receive was given up, so it is dropped.
    bool isLost = false;
    bool takesNoMore = false, givesNoMore = false;
  };

  explicit LocalMesh(int32_t rank) : rank(rank) {}
  Status greet(int32_t to, const LocalAddress &other);
  Status accept(Socket socket, Deadline deadline);

  // With the mutex held.
  void progress();
  void sendSome(Peer &peer);
  void receiveSome(int32_t from, Peer &peer);
  /// The first receive that is posted for a message, out of `wanted`; null if
  /// no receive fits.
  Request *takeWanted(int32_t from, int32_t tag);
  void begin(int32_t from, Peer &peer);
  void finish(int32_t from, Peer &peer);

  const int32_t rank;
  LocalAddress address{};
  Socket listener;
  std::mutex mutex;
  std::vector<Peer> peers;
  /// Receives that no message has come for, and messages without a receive, in
  /// their order.
  std::deque<Request *> wanted;
  std::deque<Early> earlyOnes;
};

} // namespace moert

#endif // MOERT_HOST_LOCALMESH_H
