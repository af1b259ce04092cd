// SPDX-License-Identifier: Apache-2.0
// A client that can break every rule of HTTP and of WebSockets (RFC 6455).
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace touche::test {

/// A frame of a WebSocket; opcode 0 is a continuation, 1 text, 2 binary, 8 close, 9 ping, 10 pong.
struct Frame {
  int opcode = 0;
  bool is_last = true;
  std::string payload;
};

/// The bytes of a frame from a client.
inline std::string frame_bytes(int opcode, std::string_view payload, bool is_last = true,
                               bool is_masked = true) {
  std::string bytes;
  bytes += static_cast<char>((is_last ? 0x80 : 0) | opcode);
  const char mask_bit = static_cast<char>(is_masked ? 0x80 : 0);
  if (payload.size() < 126) {
    bytes += static_cast<char>(mask_bit | static_cast<char>(payload.size()));
  } else {
    const bool is_short = payload.size() < 65536;
    bytes += static_cast<char>(mask_bit | (is_short ? 126 : 127));
    for (int shift = is_short ? 8 : 56; shift >= 0; shift -= 8)
      bytes += static_cast<char>(payload.size() >> shift);
  }
  if (!is_masked) return bytes.append(payload);
  constexpr std::string_view kMask = "mask";
  bytes += kMask;
  for (std::size_t i = 0; i < payload.size(); ++i)
    bytes += static_cast<char>(payload[i] ^ kMask[i % 4]);
  return bytes;
}

class RawClient {
 public:
  /// `receive_buffer`: of the system, in bytes; 0: as it is.
  explicit RawClient(std::uint16_t port, int receive_buffer = 0)
      : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (receive_buffer > 0)
      ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  ~RawClient() { drop(); }
  RawClient(RawClient&& other) noexcept
      : socket_(std::exchange(other.socket_, -1)), read_(std::move(other.read_)) {}
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  /// Without a word.
  void drop() {
    if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  }

  /// False: the server does not take it any more.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  bool send(int opcode, std::string_view payload, bool is_last = true) {
    return send(frame_bytes(opcode, payload, is_last));
  }

  /// Everything up to the end of an HTTP header and the body of length Content-Length; what there
  /// is if the server closes before.
  std::string response() {
    std::size_t end = read_.npos;
    while ((end = read_.find("\r\n\r\n")) == read_.npos)
      if (!read_more()) return std::exchange(read_, {});
    std::size_t size = end + 4;
    const std::size_t length = read_.find("Content-Length: ");
    if (length < end) size += std::stoul(read_.substr(length + 16));
    while (read_.size() < size && read_more()) {
    }
    std::string all = read_.substr(0, size);
    read_.erase(0, size);
    return all;
  }

  /// The status of the response; 0: the server closed without one.
  int status() {
    const std::string text = response();
    return text.starts_with("HTTP/1.1 ") ? std::stoi(text.substr(9, 3)) : 0;
  }

  /// The next frame; none if the server closed, or said nothing for as long as that.
  std::optional<Frame> frame(std::chrono::milliseconds patience = kPatience) {
    const auto have = [&](std::size_t size) {
      while (read_.size() < size)
        if (!read_more(patience)) return false;
      return true;
    };
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(read_[i]); };
    if (!have(2)) return std::nullopt;
    std::size_t size = byte(1), at = 2;
    if (size >= 126) {
      at = size == 126 ? 4 : 10;
      if (!have(at)) return std::nullopt;
      size = 0;
      for (std::size_t i = 2; i < at; ++i) size = size << 8 | byte(i);
    }
    if (!have(at + size)) return std::nullopt;
    Frame frame{byte(0) & 15, (byte(0) & 0x80) != 0, read_.substr(at, size)};
    read_.erase(0, at + size);
    return frame;
  }

  /// Reads until the server closes; the code that it gave, 0 for none. -1: it does not close.
  int closing_code() {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    int code = 0;
    while (std::chrono::steady_clock::now() < end) {
      const std::optional<Frame> next = frame();
      if (!next) return closed_ ? code : -1;
      if (next->opcode != 8 || next->payload.size() < 2) continue;
      code = static_cast<unsigned char>(next->payload[0]) * 256 +
             static_cast<unsigned char>(next->payload[1]);
      send(8, next->payload);
    }
    return -1;
  }

  /// Reads until the server closes; false if it does not.
  bool is_closed() {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (std::chrono::steady_clock::now() < end)
      if (!read_more()) return closed_;
    return false;
  }

 private:
  static constexpr std::chrono::milliseconds kPatience{60000};

  bool read_more(std::chrono::milliseconds patience = kPatience) {
    pollfd ready{socket_, POLLIN, 0};
    if (::poll(&ready, 1, static_cast<int>(patience.count())) <= 0) return false;
    char bytes[16384];
    const ssize_t got = ::recv(socket_, bytes, sizeof bytes, 0);
    closed_ = got <= 0;
    if (!closed_) read_.append(bytes, static_cast<std::size_t>(got));
    return !closed_;
  }

  int socket_;
  std::string read_;
  bool closed_ = false;
};

}  // namespace touche::test
