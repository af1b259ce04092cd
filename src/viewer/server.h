// SPDX-License-Identifier: Apache-2.0
// Brings the page to browsers, and messages to and from them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "viewer/asset.h"
#include "viewer/room.h"

namespace touche::viewer {

/// Against clients that are broken or hostile. One that breaks a rule is closed.
struct ServerLimits {
  std::size_t max_clients = 16;      ///< open WebSockets; further ones are refused
  std::size_t max_connections = 64;  ///< in all; then the oldest that is no WebSocket is closed
  std::size_t max_request_bytes = 8 << 10;   ///< of an HTTP header
  std::size_t max_message_bytes = 64 << 10;  ///< of a message from a client
  double messages_per_second = 1000;  ///< from a client, pings included; twice as many at once
  double bytes_per_second = 1 << 20;  ///< likewise
  std::size_t max_waiting_bytes = 64 << 20;       ///< of reliable messages for a client
  std::chrono::milliseconds request_time{10000};  ///< for all of a request, and between two
  std::chrono::milliseconds silence{30000};  ///< of a WebSocket; it is pinged at half of this time
  std::chrono::milliseconds stall{30000};    ///< for one message to be taken by a client
  std::chrono::milliseconds farewell{500};   ///< for a client to hear why it is closed
};

struct ServerOptions {
  std::string address = "127.0.0.1";  ///< numbers; of this machine
  std::uint16_t port = 0;             ///< 0: any that is free
  std::string token;                  ///< see is_token(); empty: a random one
  bool stop_on_signals = false;       ///< SIGINT, SIGTERM, SIGHUP call stop(); a second one kills
  std::span<const Asset> assets = viewer::assets();
  ServerLimits limits{};
};

/// HTTP and WebSocket on one thread, the one that calls run().
class Server final : public Outbox {
 public:
  /// Listens, so that clients may come, but answers none yet. Throws InvalidInput for an address or
  /// token that is none, Error for a port that is in use.
  explicit Server(const ServerOptions& options);
  ~Server() override;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] std::uint16_t port() const;
  /// The URL of the page, with the token: any client that has it may watch and hold parts.
  [[nodiscard]] std::string url() const;
  [[nodiscard]] bool is_loopback() const;

  /// Answers until stop(); then each client that entered the room has left it. `ready` is called
  /// once signals are waited for. Once only.
  void run(Room& room, const std::function<void()>& ready = {});
  /// By any thread, before run() or during it.
  void stop();

  void send(ClientId client, Bytes message, Delivery delivery) override;
  void close(ClientId client, std::string reason) override;
  [[nodiscard]] std::size_t waiting_bytes(ClientId client) const override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace touche::viewer
