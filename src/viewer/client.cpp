// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <utility>

#include "viewer/hub.h"
#include "viewer/outgoing.h"
#include "viewer/rate_limit.h"

namespace touche::viewer {
namespace {

namespace websocket = beast::websocket;
using Clock = std::chrono::steady_clock;

// The start of a text that fits a frame which closes, cut where a letter of UTF-8 begins.
std::string_view fitting(std::string_view text) {
  std::size_t size = std::min<std::size_t>(text.size(), 120);
  while (size < text.size() && size > 0 && (text[size] & 0xc0) == 0x80) --size;
  return text.substr(0, size);
}

class Socket final : public Client, public std::enable_shared_from_this<Socket> {
 public:
  Socket(Hub& hub, beast::tcp_stream&& stream, ClientId id)
      : hub_(hub),
        socket_(std::move(stream)),
        id_(id),
        outgoing_(hub.limits.max_waiting_bytes),
        messages_(hub.limits.messages_per_second, 2 * hub.limits.messages_per_second, Clock::now()),
        bytes_(hub.limits.bytes_per_second, 2 * hub.limits.bytes_per_second, Clock::now()),
        stall_(hub.context) {}

  void start(const http::request<http::empty_body>& request) override {
    const ServerLimits& limits = hub_.limits;
    beast::get_lowest_layer(socket_).expires_never();
    socket_.set_option(websocket::stream_base::timeout{limits.request_time, limits.silence, true});
    socket_.read_message_max(limits.max_message_bytes);
    socket_.auto_fragment(false);
    socket_.binary(true);
    socket_.control_callback([this](websocket::frame_type, beast::string_view) {
      if (!messages_.take(1, Clock::now()))
        net::post(hub_.context, [self = shared_from_this()] {
          self->end({websocket::close_code::policy_error, "too many pings"});
        });
    });
    socket_.async_accept(request, [self = shared_from_this()](Code error) {
      if (error || self->hub_.ending || self->ending_) return self->gone();
      self->entered_ = true;
      self->hub_.room->enter(self->id_);
      self->pump();
      self->read();
    });
  }

  void end() override { end({websocket::close_code::going_away, "touche view ended"}); }

  bool add(Bytes message, Delivery delivery) override {
    if (!outgoing_.add(std::move(message), delivery))
      refused_ = "more waits for this client than it may: it is too slow";
    return !std::exchange(woken_, true);
  }
  bool refuse(std::string reason) override {
    if (refused_.empty()) refused_ = std::move(reason);
    return !std::exchange(woken_, true);
  }
  [[nodiscard]] std::size_t waiting_bytes() const override { return outgoing_.waiting_bytes(); }

  void pump() override {
    std::string refused;
    {
      const std::lock_guard lock(hub_.mutex);
      woken_ = false;
      refused = refused_;
      if (refused.empty()) {
        if (!entered_ || ending_ || writing_ != nullptr) return;
        writing_ = outgoing_.take();
        if (writing_ == nullptr) return;
      }
    }
    if (!refused.empty())
      return end({websocket::close_code::try_again_later, view(fitting(refused))});
    stall_.expires_after(hub_.limits.stall);
    stall_.async_wait([self = shared_from_this()](Code error) {
      if (!error && !self->ending_) self->cut();
    });
    socket_.async_write(net::buffer(writing_->data(), writing_->size()),
                        [self = shared_from_this()](Code error, std::size_t) {
                          if (!self->ending_) self->stall_.cancel();
                          self->writing_ = nullptr;
                          if (error) return self->gone();
                          self->pump();
                        });
  }

 private:
  // Says why, and waits for the answer as long as the socket's own limits have it.
  void end(const websocket::close_reason& reason) {
    if (std::exchange(ending_, true)) return;
    stall_.cancel();
    if (!entered_) return cut();  // its handshake is still being written
    // A client that takes nothing takes no farewell.
    stall_.expires_after(hub_.limits.farewell);
    stall_.async_wait([self = shared_from_this()](Code error) {
      if (!error) self->cut();
    });
    socket_.async_close(reason, [self = shared_from_this()](Code) { self->cut(); });
  }

  void read() {
    socket_.async_read(buffer_, [self = shared_from_this()](Code error, std::size_t size) {
      if (error) return self->gone();
      if (self->ending_) return self->skip();
      const auto now = Clock::now();
      if (!self->socket_.got_binary())
        self->end({websocket::close_code::unknown_data, "messages are binary"});
      else if (!self->messages_.take(1, now) || !self->bytes_.take(static_cast<double>(size), now))
        self->end({websocket::close_code::policy_error, "too many messages"});
      else
        self->hub_.room->receive(
            self->id_, {static_cast<const std::byte*>(self->buffer_.data().data()), size});
      self->skip();
    });
  }
  void skip() {
    buffer_.consume(buffer_.size());
    read();
  }

  // Without a word.
  void cut() {
    Code ignored;
    beast::get_lowest_layer(socket_).socket().close(ignored);
    gone();
  }

  void gone() {
    ending_ = true;
    stall_.cancel();
    {
      const std::lock_guard lock(hub_.mutex);
      hub_.clients.erase(id_);
    }
    if (std::exchange(entered_, false)) hub_.room->leave(id_);
  }

  Hub& hub_;
  websocket::stream<beast::tcp_stream> socket_;
  const ClientId id_;
  beast::flat_buffer buffer_;
  Outgoing outgoing_;    // guarded by the hub's mutex, as the next two
  bool woken_ = false;   // pump() will be called
  std::string refused_;  // why it is to end; empty: it is not
  RateLimit messages_, bytes_;
  Bytes writing_;
  net::steady_timer stall_;
  bool entered_ = false, ending_ = false;
};

}  // namespace

std::shared_ptr<Client> make_client(Hub& hub, beast::tcp_stream&& stream, ClientId id) {
  return std::make_shared<Socket>(hub, std::move(stream), id);
}

}  // namespace touche::viewer
