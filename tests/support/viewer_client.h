// SPDX-License-Identifier: Apache-2.0
// A session without a server: what it sends is kept, and clients are calls.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <concepts>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "viewer/session.h"

namespace touche::test {

using namespace std::chrono_literals;

class KeptOutbox final : public viewer::Outbox {
 public:
  void send(viewer::ClientId client, viewer::Bytes message, viewer::Delivery how) override {
    {
      const std::lock_guard lock(mutex_);
      if (stalled_) waiting_ += message->size();
      bytes_ += message->size();
      (how == viewer::Delivery::latest ? latest_ : reliable_) += 1;
      messages_[client].push_back(viewer::protocol::parse_server(*message));
    }
    arrived_.notify_all();
  }
  void close(viewer::ClientId client, std::string reason) override {
    {
      const std::lock_guard lock(mutex_);
      closed_[client] = std::move(reason);
    }
    arrived_.notify_all();
  }
  std::size_t waiting_bytes(viewer::ClientId) const override {
    const std::lock_guard lock(mutex_);
    return waiting_;
  }

  /// From now on nothing gets through to clients.
  void stall() {
    const std::lock_guard lock(mutex_);
    stalled_ = true;
  }

  /// The next message of this kind to a client for which the predicate holds; messages before it
  /// are dropped. Empty if it does not come in time.
  template <class Message, std::predicate<const Message&> Predicate>
  std::optional<Message> next(viewer::ClientId client, const Predicate& wanted,
                              std::chrono::milliseconds patience = 300s) {
    std::unique_lock lock(mutex_);
    const auto until = std::chrono::steady_clock::now() + patience;
    for (;;) {
      auto& messages = messages_[client];
      while (!messages.empty()) {
        const viewer::protocol::ServerMessage message = std::move(messages.front());
        messages.pop_front();
        if (const auto* found = std::get_if<Message>(&message); found != nullptr && wanted(*found))
          return *found;
      }
      if (arrived_.wait_until(lock, until) == std::cv_status::timeout) return {};
    }
  }
  template <class Message>
  std::optional<Message> next(viewer::ClientId client, std::chrono::milliseconds patience = 300s) {
    return next<Message>(
        client, [](const Message&) { return true; }, patience);
  }

  std::optional<std::string> closed(viewer::ClientId client, std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    arrived_.wait_for(lock, patience, [&] { return closed_.contains(client); });
    const auto found = closed_.find(client);
    return found == closed_.end() ? std::nullopt : std::optional(found->second);
  }
  std::size_t bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  std::map<viewer::ClientId, std::deque<viewer::protocol::ServerMessage>> messages_;
  std::map<viewer::ClientId, std::string> closed_;
  std::size_t waiting_ = 0, bytes_ = 0, latest_ = 0, reliable_ = 0;
  bool stalled_ = false;
};

/// A session that runs, and its clients. Its steps may take as long as a step may: on a busy
/// machine the usual milliseconds pass without any work.
class RunningSession {
 public:
  explicit RunningSession(viewer::Opened opened,
                          viewer::SessionOptions options = {.milliseconds = 1000})
      : session_(std::move(opened), std::move(options)) {
    session_.start(outbox_);
  }
  ~RunningSession() { session_.stop(); }

  viewer::protocol::Scene enter(viewer::ClientId client) {
    session_.enter(client);
    say(client, viewer::protocol::Enter{.protocol = viewer::protocol::kVersion});
    return outbox_.next<viewer::protocol::Scene>(client).value_or(viewer::protocol::Scene{});
  }
  template <class Message>
  void say(viewer::ClientId client, const Message& message) {
    session_.receive(client, encode(message));
  }
  /// The answer to a drag, from when the part has got as far as it can.
  viewer::protocol::Held drag(viewer::ClientId client, const Pose& target) {
    const std::uint32_t sequence = ++sequence_;
    say(client, viewer::protocol::Drag{.sequence = sequence, .client_time = 0, .target = target});
    const auto held =
        outbox_.next<viewer::protocol::Held>(client, [&](const viewer::protocol::Held& h) {
          return h.sequence == sequence && h.status != viewer::protocol::HeldStatus::undecided;
        });
    EXPECT_TRUE(held) << "the drag " << sequence << " was not answered";
    return held.value_or(viewer::protocol::Held{});
  }
  std::string notice(viewer::ClientId client) {
    const auto notice = outbox_.next<viewer::protocol::Notice>(client, 60s);
    return notice ? notice->text : "no notice came";
  }

  viewer::Session& session() { return session_; }
  KeptOutbox& outbox() { return outbox_; }

 private:
  KeptOutbox outbox_;
  viewer::Session session_;
  std::uint32_t sequence_ = 0;
};

/// The number of the node of this name.
inline std::uint32_t node_named(const viewer::protocol::Scene& scene, const std::string& name) {
  for (const viewer::protocol::Node& node : scene.nodes)
    if (node.name == name) return node.id;
  ADD_FAILURE() << "there is no node " << name;
  return 0;
}

}  // namespace touche::test
