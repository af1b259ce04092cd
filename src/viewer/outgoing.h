// SPDX-License-Identifier: Apache-2.0
// The messages that wait for one client.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "viewer/room.h"

namespace touche::viewer {

/// A queue in which a message of Delivery::latest replaces the waiting one with the same first
/// byte. So at most 256 of these ever wait. Not thread-safe.
class Outgoing {
 public:
  /// `max_bytes` of reliable messages may wait.
  explicit Outgoing(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  /// False, and nothing is added, if too much would wait. Empty messages are left out.
  bool add(Bytes message, Delivery delivery);

  /// The next message; null when none waits.
  Bytes take();

  /// Counts reliable messages.
  [[nodiscard]] std::size_t waiting_bytes() const { return waiting_bytes_; }
  [[nodiscard]] bool empty() const { return queue_.empty(); }
  /// How many messages were replaced before they were sent.
  [[nodiscard]] std::uint64_t replaced() const { return replaced_; }

 private:
  struct Message {
    Bytes message;
    Delivery delivery;
  };

  std::size_t max_bytes_, waiting_bytes_ = 0;
  std::deque<Message> queue_;
  std::uint64_t first_ = 1;                  // number of the queue's first item
  std::array<std::uint64_t, 256> latest_{};  // number of the item that waits, per first byte
  std::uint64_t replaced_ = 0;
};

}  // namespace touche::viewer
