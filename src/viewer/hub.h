// SPDX-License-Identifier: Apache-2.0
// The sources of the server share these types. Only they see Boost.Asio and Boost.Beast, which take
// longer to compile than all else.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/string_type.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "viewer/gate.h"
#include "viewer/room.h"
#include "viewer/server.h"

namespace touche::viewer {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using Code = boost::system::error_code;
using Tcp = net::ip::tcp;

inline std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }
inline beast::string_view view(std::string_view text) { return {text.data(), text.size()}; }

class Page;

/// One WebSocket. Functions are called on the server's thread, except where stated.
class Client {
 public:
  virtual ~Client() = default;
  /// Becomes a WebSocket, then enters the room.
  virtual void start(const http::request<http::empty_body>& request) = 0;
  /// Says that the server ends, and does.
  virtual void end() = 0;
  /// Sends what waits, or closes.
  virtual void pump() = 0;

  // By any thread that holds the hub's mutex. True: pump() is to be called, as it was not yet.
  [[nodiscard]] virtual bool add(Bytes message, Delivery delivery) = 0;
  [[nodiscard]] virtual bool refuse(std::string reason) = 0;
  [[nodiscard]] virtual std::size_t waiting_bytes() const = 0;
};

// Holds what connections share.
struct Hub {
  explicit Hub(const ServerOptions& options) : limits(options.limits) {}

  const ServerLimits limits;
  std::optional<Gate> gate;
  Room* room = nullptr;
  bool ending = false;                   // of the server
  std::list<std::weak_ptr<Page>> pages;  // the oldest first
  ClientId last_client = 0;

  // Senders are on another thread.
  mutable std::mutex mutex;
  std::map<ClientId, std::shared_ptr<Client>> clients;

  // Goes first: pages that handlers keep alive take themselves off the list.
  net::io_context context{1};
  Tcp::acceptor acceptor{context};
};

[[nodiscard]] std::shared_ptr<Client> make_client(Hub& hub, beast::tcp_stream&& stream,
                                                  ClientId id);

}  // namespace touche::viewer
