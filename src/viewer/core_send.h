// SPDX-License-Identifier: Apache-2.0
// How the parts of Core send.
#pragma once

#include "viewer/core.h"

namespace touche::viewer {

inline Bytes bytes_of(std::vector<std::byte> message) {
  return std::make_shared<const std::vector<std::byte>>(std::move(message));
}

template <class Message>
void Core::send(ClientId client, const Message& message, Delivery how) {
  outbox_.send(client, bytes_of(encode(message)), how);
}

template <class Message>
void Core::send_all(const Message& message, Delivery how) {
  const Bytes bytes = bytes_of(encode(message));
  for (const auto& [client, state] : clients_)
    if (state.entered) outbox_.send(client, bytes, how);
}

}  // namespace touche::viewer
