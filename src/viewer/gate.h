// SPDX-License-Identifier: Apache-2.0
// Which requests a server answers. Knows no sockets.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "viewer/asset.h"

namespace touche::viewer {

/// Holds what a request says of itself. A header that is not there is empty; one that is there
/// twice is refused before.
struct Request {
  std::string_view method, target, host, origin, accept_encoding;
  bool upgrade = false;  ///< wants to become a WebSocket
};

/// The answer: status 101 for a WebSocket, 200 with a file of the page, 302 to where the page is,
/// or why there is none.
struct Answer {
  unsigned status = 0;
  const Asset* asset = nullptr;
  std::string_view text;  ///< for people, in one line; empty with 101 and 200
};

/// Admits clients that have the token, and only requests that come from the page itself:
/// - The header Host names this machine's address, not a name from a foreign name server (DNS
///   rebinding). A server that listens on loopback accepts loopback addresses and "localhost", one
///   that listens elsewhere also accepts any numeric address.
/// - The header Origin, which browsers add to requests of scripts, is the page's own. A WebSocket
///   request must have it, because browsers let any page open one.
/// - The path, up to a '?', is /TOKEN/ and the name of an asset, or "socket". Paths are compared
///   literally: nothing is unescaped, resolved or looked up on a disk.
class Gate {
 public:
  /// `port`: the one that is listened on. `assets` must outlive the gate.
  Gate(std::string token, std::uint16_t port, bool loopback, std::span<const Asset> assets);

  [[nodiscard]] Answer ask(const Request& request) const;
  [[nodiscard]] const std::string& token() const { return token_; }

 private:
  [[nodiscard]] bool knows_host(std::string_view host) const;
  [[nodiscard]] bool knows_token(std::string_view token) const;

  std::string token_, port_;
  bool loopback_;
  std::span<const Asset> assets_;
};

/// Value of the header Content-Security-Policy: scripts, styles and sockets of `host` alone, no
/// script that is made of text, no page that frames this one.
[[nodiscard]] std::string content_security_policy(std::string_view host);

/// 32 characters with 192 bits from the system's source of randomness.
[[nodiscard]] std::string random_token();

/// At least 32 letters, digits, '-' and '_'.
[[nodiscard]] bool is_token(std::string_view text);

}  // namespace touche::viewer
