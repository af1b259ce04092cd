// SPDX-License-Identifier: Apache-2.0
// A server in a thread of its own, and a room that says back what it hears.
#pragma once

#include <chrono>
#include <concepts>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "raw_client.h"
#include "viewer/server.h"

namespace touche::test {

inline viewer::Bytes message(std::string_view text) {
  const auto* const bytes = reinterpret_cast<const std::byte*>(text.data());
  return std::make_shared<const std::vector<std::byte>>(bytes, bytes + text.size());
}

/// Whether `holds` for a limit of time. On a busy machine an answer may come too late for a short
/// limit, so longer ones, up to a minute, are tried, too.
template <std::predicate<std::chrono::milliseconds> Predicate>
bool holds_with_patience(std::chrono::milliseconds limit, const Predicate& holds) {
  for (; limit <= std::chrono::minutes(1); limit *= 4)
    if (holds(limit)) return true;
  return false;
}

class EchoRoom final : public viewer::Room {
 public:
  explicit EchoRoom(viewer::Outbox& outbox) : outbox_(outbox) {}

  void enter(viewer::ClientId client) override {
    const std::lock_guard lock(mutex_);
    EXPECT_TRUE(inside_.insert(client).second);
    ++entered_;
    changed_.notify_all();
  }
  void leave(viewer::ClientId client) override {
    const std::lock_guard lock(mutex_);
    EXPECT_EQ(inside_.erase(client), 1u);
    changed_.notify_all();
  }
  void receive(viewer::ClientId client, std::span<const std::byte> bytes) override {
    const std::lock_guard lock(mutex_);
    ASSERT_EQ(inside_.count(client), 1u);
    ++received_;
    largest_ = std::max(largest_, bytes.size());
    if (echoes)
      outbox_.send(client,
                   std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end()),
                   viewer::Delivery::reliable);
  }

  /// False: that does not happen in time.
  bool wait_for(std::size_t entered, std::size_t inside) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(60),
                             [&] { return entered_ == entered && inside_.size() == inside; });
  }
  std::size_t largest() {
    const std::lock_guard lock(mutex_);
    return largest_;
  }
  std::size_t received() {
    const std::lock_guard lock(mutex_);
    return received_;
  }
  std::size_t inside() {
    const std::lock_guard lock(mutex_);
    return inside_.size();
  }

  bool echoes = true;

 private:
  viewer::Outbox& outbox_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<viewer::ClientId> inside_;
  std::size_t entered_ = 0, received_ = 0, largest_ = 0;
};

class RunningServer {
 public:
  static constexpr std::string_view kToken = "abcdefghijklmnopqrstuvwxyz_-0123";
  static constexpr viewer::Asset kAssets[] = {
      {"index.html", "text/html; charset=utf-8", "the page"},
      {"deep/main.js", "text/javascript", "its script"},
  };

  /// Short times, so that tests of them are short.
  static viewer::ServerOptions options() {
    viewer::ServerOptions options;
    options.token = kToken;
    options.assets = kAssets;
    options.limits.farewell = std::chrono::milliseconds(200);
    return options;
  }

  explicit RunningServer(const viewer::ServerOptions& options = RunningServer::options())
      : server(options), room(server), thread_([this] { server.run(room); }) {}
  ~RunningServer() { stop(); }
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;

  /// All clients have left after it.
  void stop() {
    server.stop();
    if (thread_.joinable()) thread_.join();
    EXPECT_EQ(room.inside(), 0u);
  }

  [[nodiscard]] std::string host() const { return "127.0.0.1:" + std::to_string(server.port()); }

  /// A request as a browser makes it; `more` are headers with their line ends.
  [[nodiscard]] std::string get(std::string_view target, std::string_view more = "") const {
    return "GET " + std::string(target) + " HTTP/1.1\r\nHost: " + host() +
           "\r\nAccept-Encoding: gzip, br\r\n" + std::string(more) + "\r\n";
  }
  [[nodiscard]] std::string page(std::string_view name = "") const {
    return "/" + std::string(kToken) + "/" + std::string(name);
  }
  [[nodiscard]] std::string upgrade(std::string_view origin) const {
    return get(page("socket"), "Origin: " + std::string(origin) +
                                   "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                                   "Sec-WebSocket-Version: 13\r\n"
                                   "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n");
  }

  /// The status that a request gets on a connection of its own.
  [[nodiscard]] int ask(std::string_view request) const {
    RawClient client(server.port());
    client.send(request);
    return client.status();
  }

  /// The page answers: the server is well.
  [[nodiscard]] bool is_well() const { return ask(get(page())) == 200; }

  /// A WebSocket, open.
  [[nodiscard]] RawClient client(int receive_buffer = 0) const {
    RawClient client(server.port(), receive_buffer);
    client.send(upgrade("http://" + host()));
    EXPECT_EQ(client.status(), 101);
    return client;
  }

  viewer::Server server;
  EchoRoom room;

 private:
  std::thread thread_;
};

}  // namespace touche::test
