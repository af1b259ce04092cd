// SPDX-License-Identifier: Apache-2.0
#include "viewer/outgoing.h"

#include <utility>

namespace touche::viewer {
namespace {

// A message costs this besides its bytes: else millions of short ones would count as nothing.
constexpr std::size_t kOverhead = 64;

}  // namespace

bool Outgoing::add(Bytes message, Delivery delivery) {
  if (message == nullptr || message->empty()) return true;
  if (delivery == Delivery::latest) {
    std::uint64_t& number = latest_[std::to_integer<std::size_t>(message->front())];
    if (number >= first_) {
      queue_[number - first_].message = std::move(message);
      ++replaced_;
      return true;
    }
    number = first_ + queue_.size();
  } else {
    const std::size_t bytes = message->size() + kOverhead;
    if (bytes > max_bytes_ - waiting_bytes_) return false;
    waiting_bytes_ += bytes;
  }
  queue_.push_back({std::move(message), delivery});
  return true;
}

Bytes Outgoing::take() {
  if (queue_.empty()) return nullptr;
  Message item = std::move(queue_.front());
  queue_.pop_front();
  ++first_;
  if (item.delivery == Delivery::reliable) waiting_bytes_ -= item.message->size() + kOverhead;
  return std::move(item.message);
}

}  // namespace touche::viewer
