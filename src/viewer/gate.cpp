// SPDX-License-Identifier: Apache-2.0
#include "viewer/gate.h"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

namespace touche::viewer {
namespace {

constexpr std::string_view kLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
static_assert(kLetters.size() == 64);
constexpr std::size_t kTokenLength = 32;

// Four numbers up to 255 as "192.168.0.7". "0x7f.1" and other spellings are none.
bool is_ipv4(std::string_view text) {
  for (int part = 0; part < 4; ++part) {
    const std::size_t length = std::min(text.find('.'), text.size());
    int value = 0;
    if (length < 1 || length > 3 || (part < 3) == (length == text.size())) return false;
    for (const char c : text.substr(0, length)) {
      if (c < '0' || c > '9') return false;
      value = 10 * value + (c - '0');
    }
    if (value > 255) return false;
    text.remove_prefix(std::min(length + 1, text.size()));
  }
  return true;
}

// Tests the form only, which no host name has.
bool is_ipv6(std::string_view text) {
  return text.size() > 4 && text.front() == '[' && text.back() == ']' &&
         std::ranges::count(text, ':') >= 2 &&
         text.substr(1, text.size() - 2).find_first_not_of("0123456789abcdefABCDEF:.") == text.npos;
}

// The page's own origin, as browsers send it.
bool is_own(std::string_view origin, std::string_view host) {
  constexpr std::string_view kScheme = "http://";
  return origin.starts_with(kScheme) && origin.substr(kScheme.size()) == host;
}

bool is_loopback(std::string_view host) {
  return host == "localhost" || host == "[::1]" || (is_ipv4(host) && host.starts_with("127."));
}

}  // namespace

Gate::Gate(std::string token, std::uint16_t port, bool loopback, std::span<const Asset> assets)
    : token_(std::move(token)), port_(1, ':'), loopback_(loopback), assets_(assets) {
  port_ += std::to_string(port);
}

bool Gate::knows_host(std::string_view host) const {
  if (host.ends_with(port_))
    host.remove_suffix(port_.size());
  else if (port_ != ":80")  // which browsers leave out
    return false;
  return is_loopback(host) || (!loopback_ && (is_ipv4(host) || is_ipv6(host)));
}

// Takes the same number of steps for any text, so that timing does not reveal where it differs.
bool Gate::knows_token(std::string_view text) const {
  unsigned different = text.size() == token_.size() ? 0 : 1;
  for (std::size_t i = 0; i < token_.size(); ++i) {
    const char c = i < text.size() ? text[i] : '\0';
    different |= static_cast<unsigned char>(c) ^ static_cast<unsigned char>(token_[i]);
  }
  return different == 0;
}

Answer Gate::ask(const Request& request) const {
  if (!knows_host(request.host))
    return {421, nullptr, "This server answers at its own address only."};
  if (!request.origin.empty() && !is_own(request.origin, request.host))
    return {403, nullptr, "Other pages may not use this server."};
  if (request.method != "GET") return {405, nullptr, "This server answers GET only."};

  if (!request.target.starts_with('/')) return {404, nullptr, "There is no such page."};
  const std::string_view path = request.target.substr(1, request.target.find('?') - 1);
  const std::size_t slash = std::min(path.find('/'), path.size());
  if (!knows_token(path.substr(0, slash)))
    return {403, nullptr, "The address lacks its token: use the one that touche view printed."};
  if (slash == path.size()) return {302, nullptr, "The page ends with a slash."};

  std::string_view name = path.substr(slash + 1);
  if (name == "socket") {
    if (!request.upgrade) return {426, nullptr, "This is a WebSocket."};
    if (request.origin.empty()) return {403, nullptr, "Only the page may open this WebSocket."};
    return {101, nullptr, {}};
  }
  if (name.empty()) name = "index.html";
  const auto found = std::ranges::find(assets_, name, &Asset::path);
  if (found == assets_.end()) return {404, nullptr, "There is no such page."};
  if (request.accept_encoding.find("gzip") == std::string_view::npos)
    return {406, nullptr, "This server sends gzip only."};
  return {200, &*found, {}};
}

std::string content_security_policy(std::string_view host) {
  // 'self' includes WebSockets in new browsers only.
  constexpr std::string_view kHost = "{host}";
  std::string policy(page_policy());
  policy.replace(policy.find(kHost), kHost.size(), host);
  return policy;
}

std::string random_token() {
  std::array<unsigned char, kTokenLength> bytes{};
  for (std::size_t got = 0; got < bytes.size();) {
    const ssize_t more = ::getrandom(bytes.data() + got, bytes.size() - got, 0);
    if (more < 0 && errno != EINTR)
      throw std::system_error(errno, std::generic_category(), "no random numbers");
    if (more > 0) got += static_cast<std::size_t>(more);
  }
  std::string token;
  for (const unsigned char byte : bytes) token += kLetters[byte % kLetters.size()];
  return token;
}

bool is_token(std::string_view text) {
  return text.size() >= kTokenLength && text.find_first_not_of(kLetters) == text.npos;
}

}  // namespace touche::viewer
