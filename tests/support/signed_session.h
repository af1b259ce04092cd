// SPDX-License-Identifier: Apache-2.0
// Recorded steps that were altered on purpose: with right checksums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "world/session_bytes.h"

namespace touche::test {

/// Gives all pieces the checksums they should have, as far as they can be followed.
inline void sign_session(std::string& file) {
  std::uint64_t before = 0;
  for (std::size_t at = sizeof(world::session::FileHeader);
       at + sizeof(world::session::PieceHeader) <= file.size();) {
    world::session::PieceHeader header;
    std::memcpy(&header, file.data() + at, sizeof header);
    const std::size_t content = at + sizeof header;
    if (header.size > file.size() - content) return;
    const auto size = static_cast<std::size_t>(header.size);
    const auto bytes = std::as_bytes(std::span(file)).subspan(content, size);
    header.checksum = before = world::session::checksum(header, bytes, before);
    std::memcpy(file.data() + at, &header, sizeof header);
    at = content + size;
  }
}

}  // namespace touche::test
