// SPDX-License-Identifier: Apache-2.0
// Where the viewer's two halves meet: a server, which knows connections and no worlds, and a
// session, which knows a world and no connections.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace touche::viewer {

/// Numbers the clients of a server, from 1; a number is never used again.
using ClientId = std::uint32_t;

/// One message (docs/protocol.md), to be sent as it is to any number of clients.
using Bytes = std::shared_ptr<const std::vector<std::byte>>;

/// How a message is handled while its client is late.
enum class Delivery : std::uint8_t {
  /// It is sent, in order. A client whose queue gets too long is closed with a reason.
  reliable,
  /// replaces the unsent message with the same first byte: a late client loses frames
  latest,
};

/// Brings messages to clients. Functions may be called by any thread and return at once; calls for
/// disconnected clients have no effect.
class Outbox {
 public:
  virtual ~Outbox() = default;
  virtual void send(ClientId client, Bytes message, Delivery delivery) = 0;
  virtual void close(ClientId client, std::string reason) = 0;
  /// Bytes of reliable messages that wait to be sent to a client. A sender of large data waits
  /// until this is small.
  [[nodiscard]] virtual std::size_t waiting_bytes(ClientId client) const = 0;
};

/// Clients talk to this. The server calls these on one thread; they return at once. The order of
/// a client's calls is enter, any number of receive, leave.
class Room {
 public:
  virtual ~Room() = default;
  virtual void enter(ClientId client) = 0;
  virtual void leave(ClientId client) = 0;
  /// `message` may be anything; it is copied if need be.
  virtual void receive(ClientId client, std::span<const std::byte> message) = 0;
};

}  // namespace touche::viewer
