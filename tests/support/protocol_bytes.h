// SPDX-License-Identifier: Apache-2.0
// Checks what must hold for any bytes that a client sends: fuzz/fuzz_protocol.cpp and its replay.
#pragma once

#include <span>
#include <string>

#include "viewer/protocol.h"
#include "viewer/wire.h"

namespace touche::test {

struct ProtocolOutcome {
  int read = 0, refused = 0;
  std::string fault;  ///< empty: none
};

/// Either the bytes are a message, which is written with the same number of bytes and read again as
/// the same kind, or they are rejected with a position in them. Anything else that is thrown leaves
/// this function.
inline ProtocolOutcome try_message(std::span<const std::byte> bytes) {
  ProtocolOutcome outcome;
  const auto attempt = [&](const auto& parse) {
    bool was_read = false;
    try {
      const auto message = parse(bytes);
      was_read = true;
      const auto written = viewer::protocol::encode(message);
      if (written.size() != bytes.size()) outcome.fault = "is written as a message of another size";
      if (parse(written).index() != message.index()) outcome.fault = "is read as another message";
    } catch (const viewer::ProtocolError& error) {
      if (was_read) outcome.fault = std::string("what was written is refused: ") + error.what();
      if (error.byte() > bytes.size()) outcome.fault = "is refused by a position behind it";
    }
    ++(was_read ? outcome.read : outcome.refused);
  };
  attempt([](std::span<const std::byte> b) { return viewer::protocol::parse_client(b); });
  attempt([](std::span<const std::byte> b) { return viewer::protocol::parse_server(b); });
  return outcome;
}

}  // namespace touche::test
