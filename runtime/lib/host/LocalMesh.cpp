// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Connections between the processes of one machine.

#include "host/LocalMesh.h"
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cinttypes>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <thread>

using namespace moert;

namespace {
/// The first bytes on a connection.
struct Greeting {
  uint64_t secret[2];
  int64_t rank;
};
} // namespace

static socklen_t fill(const LocalAddress &address, sockaddr_un &target) {
  target = {};
  target.sun_family = AF_UNIX;
  // A first byte of 0 makes a name without a file.
  int length = std::snprintf(target.sun_path + 1, sizeof(target.sun_path) - 1,
                             "moert-%016" PRIx64 "%016" PRIx64, address.name[0],
                             address.name[1]);
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
}

static Status failed(const char *what) {
  return error(MOERT_BACKEND_ERROR, "%s: %s", what, std::strerror(errno));
}

static Socket makeSocket(int flags) {
  return Socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0));
}

static bool makeNonBlocking(int fd) {
  int flags = fcntl(fd, F_GETFL);
  return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0;
}

Status LocalMesh::listen(int32_t rank, std::unique_ptr<LocalMesh> &mesh) {
  std::unique_ptr<LocalMesh> made(new LocalMesh(rank));
  if (getrandom(&made->address, sizeof(made->address), 0) !=
      sizeof(made->address))
    return failed("no random bytes for the name of a socket");
  made->listener = makeSocket(SOCK_NONBLOCK);
  sockaddr_un name;
  socklen_t length = fill(made->address, name);
  if (made->listener.get() < 0 ||
      bind(made->listener.get(), reinterpret_cast<sockaddr *>(&name), length) ||
      ::listen(made->listener.get(), SOMAXCONN))
    return failed("no socket to listen at for the other ranks");
  mesh = std::move(made);
  return {};
}

Status LocalMesh::greet(int32_t to, const LocalAddress &other) {
  Socket socket = makeSocket(0);
  sockaddr_un name;
  socklen_t length = fill(other, name);
  Greeting greeting{{other.secret[0], other.secret[1]}, rank};
  // A listening socket accepts these few bytes before `accept`.
  if (socket.get() < 0 ||
      ::connect(socket.get(), reinterpret_cast<sockaddr *>(&name), length) ||
      ::send(socket.get(), &greeting, sizeof(greeting), MSG_NOSIGNAL) !=
          sizeof(greeting) ||
      !makeNonBlocking(socket.get()))
    return error(MOERT_UNAVAILABLE,
                 "expected rank %d to be a process of this machine that can be "
                 "connected to: %s",
                 to, std::strerror(errno));
  peers[to].socket = std::move(socket);
  return {};
}

Status LocalMesh::accept(Socket socket, Deadline deadline) {
  Greeting greeting{};
  auto *bytes = reinterpret_cast<char *>(&greeting);
  for (size_t done = 0; done < sizeof(greeting);) {
    pollfd ready{socket.get(), POLLIN, 0};
    if (poll(&ready, 1, deadline.remainingMs(1000)) <= 0)
      return {}; // Not a rank, because a rank sends immediately.
    ssize_t count =
        recv(socket.get(), bytes + done, sizeof(greeting) - done, MSG_DONTWAIT);
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR))
      return {};
    done += count > 0 ? static_cast<size_t>(count) : 0;
  }
  bool isRank =
      std::equal(greeting.secret, greeting.secret + 2, address.secret);
  if (!isRank || greeting.rank <= rank ||
      greeting.rank >= static_cast<int64_t>(peers.size()) ||
      peers[greeting.rank].socket.get() >= 0)
    return {};
  if (!makeNonBlocking(socket.get()))
    return failed("the connection of another rank");
  peers[greeting.rank].socket = std::move(socket);
  return {};
}

Status LocalMesh::connect(const std::vector<LocalAddress> &addresses,
                          Deadline deadline) {
  peers = std::vector<Peer>(addresses.size());
  for (int32_t to = 0; to < rank; ++to)
    if (Status status = greet(to, addresses[to]); !status.ok())
      return status;
  for (;;) {
    std::vector<int32_t> missing;
    for (size_t from = rank + 1; from < peers.size(); ++from)
      if (peers[from].socket.get() < 0)
        missing.push_back(static_cast<int32_t>(from));
    if (missing.empty())
      break;
    if (deadline.hasPassed())
      return error(MOERT_DEADLINE_EXCEEDED,
                   "expected all ranks to connect before the deadline, missing "
                   "are ranks %s",
                   printRanks(missing.data(), missing.size()).c_str());
    pollfd ready{listener.get(), POLLIN, 0};
    poll(&ready, 1, deadline.remainingMs(1000));
    Socket socket(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (socket.get() < 0)
      continue;
    if (Status status = accept(std::move(socket), deadline); !status.ok())
      return status;
  }
  listener.close();
  return {};
}

LocalMesh::~LocalMesh() {
  // Messages about the failure of the job may still be queued; wait briefly.
  constexpr std::chrono::milliseconds kPatience(500);
  auto end = Deadline::Clock::now() + kPatience;
  auto isSending = [&] {
    return std::any_of(peers.begin(), peers.end(),
                       [](const Peer &peer) { return !peer.outgoing.empty(); });
  };
  std::lock_guard<std::mutex> lock(mutex);
  while (isSending() && Deadline::Clock::now() < end) {
    progress();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  for (Peer &peer : peers)
    for (Outgoing &out : peer.outgoing)
      delete out.request;
  for (Request *request : wanted)
    delete request;
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

template <typename Request>
static void deliver(const std::vector<char> &data, Request &request) {
  if (data.size() == request.bytes)
    std::memcpy(request.data, data.data(), data.size());
  request.result = data.size() == request.bytes ? 1 : -1;
}

void *LocalMesh::send(const void *data, size_t bytes, int peer, int tag) {
  auto *request = new Request{
      peer, tag, const_cast<char *>(static_cast<const char *>(data)), bytes};
  std::lock_guard<std::mutex> lock(mutex);
  peers[peer].outgoing.push_back({{bytes, tag, 0}, 0, request, {}});
  sendSome(peers[peer]);
  return request;
}

void *LocalMesh::receive(void *data, size_t bytes, int peer, int tag) {
  auto *request = new Request{peer, tag, static_cast<char *>(data), bytes};
  std::lock_guard<std::mutex> lock(mutex);
  auto found =
      std::find_if(earlyOnes.begin(), earlyOnes.end(), [&](const Early &early) {
        return early.tag == tag && (peer < 0 || early.peer == peer);
      });
  if (found != earlyOnes.end()) {
    deliver(found->data, *request);
    earlyOnes.erase(found);
  } else {
    wanted.push_back(request);
  }
  return request;
}

int LocalMesh::test(void *opaque) {
  auto *request = static_cast<Request *>(opaque);
  if (!request->result) {
    std::unique_lock<std::mutex> lock(mutex, std::try_to_lock);
    if (lock)
      progress();
  }
  // No other thread accesses a request after it has a result.
  int result = request->result;
  if (result)
    delete request;
  return result;
}

void LocalMesh::cancel(void *opaque) {
  auto *request = static_cast<Request *>(opaque);
  std::lock_guard<std::mutex> lock(mutex);
  std::erase(wanted, request);
  for (Peer &peer : peers) {
    if (peer.into == request) {
      // Discard the part that was received.
      peer.early.assign(peer.header.bytes, 0);
      peer.into = nullptr;
      peer.isLost = true;
    }
    for (Outgoing &out : peer.outgoing)
      if (out.request == request) {
        out.kept.assign(request->data, request->data + request->bytes);
        out.request = nullptr;
      }
  }
  delete request;
}

//===----------------------------------------------------------------------===//
// Progress
//===----------------------------------------------------------------------===//

void LocalMesh::progress() {
  for (size_t i = 0; i < peers.size(); ++i)
    if (static_cast<int32_t>(i) != rank) {
      sendSome(peers[i]);
      receiveSome(static_cast<int32_t>(i), peers[i]);
    }
}

void LocalMesh::sendSome(Peer &peer) {
  while (!peer.outgoing.empty()) {
    Outgoing &out = peer.outgoing.front();
    char *data = out.request ? out.request->data : out.kept.data();
    size_t inHeader = std::min(out.done, sizeof(Header));
    size_t inData = out.done - inHeader;
    iovec parts[] = {{reinterpret_cast<char *>(&out.header) + inHeader,
                      sizeof(Header) - inHeader},
                     {data + inData, out.header.bytes - inData}};
    msghdr message{};
    message.msg_iov = parts;
    message.msg_iovlen = 2;
    ssize_t count = -1;
    if (!peer.takesNoMore)
      count = sendmsg(peer.socket.get(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count < 0 && !peer.takesNoMore && (errno == EAGAIN || errno == EINTR))
      return;
    if (count < 0) {
      // Its requests never complete; the job detects the cause.
      peer.takesNoMore = true;
      peer.outgoing.pop_front();
      continue;
    }
    out.done += static_cast<size_t>(count);
    if (out.done < sizeof(Header) + out.header.bytes)
      continue;
    if (out.request)
      out.request->result = 1;
    peer.outgoing.pop_front();
  }
}

LocalMesh::Request *LocalMesh::takeWanted(int32_t from, int32_t tag) {
  auto found =
      std::find_if(wanted.begin(), wanted.end(), [&](const Request *request) {
        return request->tag == tag &&
               (request->peer < 0 || request->peer == from);
      });
  if (found == wanted.end())
    return nullptr;
  Request *request = *found;
  wanted.erase(found);
  return request;
}

void LocalMesh::begin(int32_t from, Peer &peer) {
  peer.done = 0;
  peer.isLost = false;
  peer.into = takeWanted(from, peer.header.tag);
  if (peer.into && peer.into->bytes == peer.header.bytes)
    return;
  if (peer.into) {
    peer.into->result = -1;
    peer.into = nullptr;
    peer.isLost = true;
  }
  peer.early.assign(peer.header.bytes, 0);
}

void LocalMesh::finish(int32_t from, Peer &peer) {
  peer.headerDone = 0;
  if (peer.into)
    peer.into->result = 1;
  // A receive may have been posted during the transfer.
  else if (Request *request =
               peer.isLost ? nullptr : takeWanted(from, peer.header.tag))
    deliver(peer.early, *request);
  else if (!peer.isLost)
    earlyOnes.push_back({from, peer.header.tag, std::move(peer.early)});
  peer.into = nullptr;
  peer.early = {};
}

void LocalMesh::receiveSome(int32_t from, Peer &peer) {
  while (!peer.givesNoMore) {
    bool inHeader = peer.headerDone < sizeof(Header);
    char *data = peer.into ? peer.into->data : peer.early.data();
    char *target =
        inHeader ? reinterpret_cast<char *>(&peer.header) + peer.headerDone
                 : data + peer.done;
    size_t left = inHeader ? sizeof(Header) - peer.headerDone
                           : peer.header.bytes - peer.done;
    ssize_t count = recv(peer.socket.get(), target, left, MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
      return;
    if (count <= 0) {
      peer.givesNoMore = true;
      return;
    }
    if (inHeader) {
      peer.headerDone += static_cast<size_t>(count);
      if (peer.headerDone < sizeof(Header))
        continue;
      begin(from, peer);
    } else {
      peer.done += static_cast<size_t>(count);
    }
    if (peer.done == peer.header.bytes)
      finish(from, peer);
  }
}
