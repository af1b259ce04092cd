// SPDX-License-Identifier: Apache-2.0
#include "viewer/server.h"

#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <csignal>
#include <utility>
#include <vector>

#include "touche/types.h"
#include "viewer/hub.h"

namespace touche::viewer {

// One connection that requests files, until it becomes a WebSocket.
class Page : public std::enable_shared_from_this<Page> {
 public:
  Page(Hub& hub, Tcp::socket&& socket) : hub_(hub), stream_(std::move(socket)) {}
  ~Page() {
    hub_.pages.remove_if([](const auto& page) { return page.expired(); });
  }
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  void read() {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(hub_.limits.max_request_bytes));
    parser_->body_limit(std::uint64_t{0});
    stream_.expires_after(hub_.limits.request_time);  // for all of the request
    http::async_read(
        stream_, buffer_, *parser_, [self = shared_from_this()](Code error, std::size_t) {
          if (!error) return self->answer();
          if (error.category() == http::make_error_code(http::error::bad_version).category() &&
              error != http::error::end_of_stream)
            self->write({400, nullptr, "This is no request."}, true);
        });
  }

  void cut() {
    Code ignored;
    stream_.socket().close(ignored);
  }

 private:
  void answer() {
    const auto& request = parser_->get();
    const auto text = [&](http::field name) { return view(request[name]); };
    Answer answer;
    if (request.count(http::field::host) != 1 || request.count(http::field::origin) > 1)
      answer = {400, nullptr, "A request has one Host and at most one Origin."};
    else
      answer = hub_.gate->ask({view(request.method_string()), view(request.target()),
                               text(http::field::host), text(http::field::origin),
                               text(http::field::accept_encoding),
                               beast::websocket::is_upgrade(request)});
    if (answer.status != 101) return write(answer, !request.keep_alive());

    const auto client = [&]() -> std::shared_ptr<Client> {
      const std::lock_guard lock(hub_.mutex);
      if (hub_.clients.size() >= hub_.limits.max_clients) return nullptr;
      auto made = make_client(hub_, std::move(stream_), ++hub_.last_client);
      hub_.clients.emplace(hub_.last_client, made);
      return made;
    }();
    if (client == nullptr)
      return write({503, nullptr, "Too many clients are connected already."}, true);
    client->start(request);
  }

  void write(const Answer& answer, bool last) {
    const bool is_file = answer.status == 200;
    response_ = {};
    response_.result(answer.status);
    response_.version(11);
    response_.keep_alive(!last);
    response_.set(http::field::server, "touche");
    response_.set(http::field::content_type,
                  view(is_file ? answer.asset->type : "text/plain; charset=utf-8"));
    if (is_file) response_.set(http::field::content_encoding, "gzip");
    if (answer.status == 302) response_.set(http::field::location, "/" + hub_.gate->token() + "/");
    if (answer.status == 426) response_.set(http::field::upgrade, "websocket");
    // Nothing is kept, and nobody else's page may show or read it.
    response_.set(http::field::cache_control, "no-store");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Referrer-Policy", "no-referrer");
    response_.set("Cross-Origin-Opener-Policy", "same-origin");
    response_.set("Cross-Origin-Embedder-Policy", "require-corp");
    response_.set("Cross-Origin-Resource-Policy", "same-origin");
    if (is_file)
      response_.set("Content-Security-Policy",
                    content_security_policy(view(parser_->get()[http::field::host])));
    else
      response_.set("Content-Security-Policy", "default-src 'none'");
    text_ = is_file ? std::string() : std::string(answer.text) + "\n";
    const std::string_view body = is_file ? answer.asset->gzip : std::string_view(text_);
    response_.body() = {body.data(), body.size()};
    response_.prepare_payload();
    stream_.expires_after(hub_.limits.stall);
    http::async_write(stream_, response_,
                      [self = shared_from_this(), last](Code error, std::size_t) {
                        if (error || self->hub_.ending) return;
                        if (!last) return self->read();
                        self->stream_.socket().shutdown(Tcp::socket::shutdown_send, error);
                      });
  }

  Hub& hub_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{64 << 10};
  std::optional<http::request_parser<http::empty_body>> parser_;
  http::response<http::span_body<const char>> response_;
  std::string text_;
};

namespace {

// Late frames wait in our queue, where newer ones replace them, and not in the system's.
constexpr int kSocketBuffer = 128 << 10;

std::size_t connections(const Hub& hub) {
  const std::lock_guard lock(hub.mutex);
  return hub.clients.size() + hub.pages.size();
}

void accept(Hub& hub) {
  hub.acceptor.async_accept([&hub](Code error, Tcp::socket socket) {
    if (hub.ending) return;
    if (error) {
      // Such as no file left. Not at once again: that would take all time there is.
      auto later = std::make_shared<net::steady_timer>(hub.context, std::chrono::milliseconds(50));
      later->async_wait([&hub, later](Code) {
        if (!hub.ending) accept(hub);
      });
      return;
    }
    if (connections(hub) >= hub.limits.max_connections && !hub.pages.empty())
      if (const auto oldest = hub.pages.front().lock()) oldest->cut();
    Code ignored;
    socket.set_option(Tcp::no_delay(true), ignored);
    socket.set_option(net::socket_base::send_buffer_size(kSocketBuffer), ignored);
    const auto page = std::make_shared<Page>(hub, std::move(socket));
    hub.pages.push_back(page);
    page->read();
    accept(hub);
  });
}

}  // namespace

struct Server::State {
  explicit State(const ServerOptions& options)
      : hub(options), stop_on_signals(options.stop_on_signals) {}

  void end() {
    if (std::exchange(hub.ending, true)) return;
    Code ignored;
    hub.acceptor.close(ignored);
    signals.cancel(ignored);
    signals.clear(ignored);  // the next one kills
    for (const auto& weak : hub.pages)
      if (const auto page = weak.lock()) page->cut();
    std::vector<std::shared_ptr<Client>> clients;
    {
      const std::lock_guard lock(hub.mutex);
      for (const auto& [id, client] : hub.clients) clients.push_back(client);
    }
    for (const auto& client : clients) client->end();
  }

  Hub hub;
  net::signal_set signals{hub.context};
  const bool stop_on_signals;
  bool is_loopback = false;
  std::uint16_t port = 0;
  std::string host;  // for URLs
};

Server::Server(const ServerOptions& options) : state_(std::make_unique<State>(options)) {
  Hub& hub = state_->hub;
  Code error;
  const net::ip::address address = net::ip::make_address(options.address, error);
  if (error)
    throw InvalidInput(options.address + ": is no address in numbers, such as 127.0.0.1 or ::1");
  if (!options.token.empty() && !is_token(options.token))
    throw InvalidInput("a token has at least 32 letters, digits, '-' and '_'");
  const Tcp::endpoint wanted(address, options.port);
  hub.acceptor.open(wanted.protocol(), error);
  if (!error) hub.acceptor.set_option(Tcp::acceptor::reuse_address(true), error);
  if (!error) hub.acceptor.bind(wanted, error);
  if (!error) hub.acceptor.listen(net::socket_base::max_listen_connections, error);
  if (error)
    throw Error(options.address + ":" + std::to_string(options.port) + ": cannot listen: " +
                (error == net::error::address_in_use ? "the port is in use" : error.message()));
  state_->host = address.is_v6() ? "[" + address.to_string() + "]" : address.to_string();
  state_->port = hub.acceptor.local_endpoint().port();
  state_->is_loopback = address.is_loopback();
  hub.gate.emplace(options.token.empty() ? random_token() : options.token, state_->port,
                   state_->is_loopback, options.assets);
}

Server::~Server() { state_->hub.clients.clear(); }

std::uint16_t Server::port() const { return state_->port; }
bool Server::is_loopback() const { return state_->is_loopback; }
std::string Server::url() const {
  return "http://" + state_->host + ":" + std::to_string(state_->port) + "/" +
         state_->hub.gate->token() + "/";
}

void Server::run(Room& room, const std::function<void()>& ready) {
  state_->hub.room = &room;
  accept(state_->hub);
  if (state_->stop_on_signals) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) state_->signals.add(signal);
    state_->signals.async_wait([state = state_.get()](Code error, int) {
      if (!error) state->end();
    });
  }
  if (ready) ready();
  state_->hub.context.run();
}

void Server::stop() {
  net::post(state_->hub.context, [state = state_.get()] { state->end(); });
}

void Server::send(ClientId client, Bytes message, Delivery delivery) {
  const std::lock_guard lock(state_->hub.mutex);
  const auto found = state_->hub.clients.find(client);
  if (found != state_->hub.clients.end() && found->second->add(std::move(message), delivery))
    net::post(state_->hub.context, [to = found->second] { to->pump(); });
}

void Server::close(ClientId client, std::string reason) {
  const std::lock_guard lock(state_->hub.mutex);
  const auto found = state_->hub.clients.find(client);
  if (found != state_->hub.clients.end() && found->second->refuse(std::move(reason)))
    net::post(state_->hub.context, [to = found->second] { to->pump(); });
}

std::size_t Server::waiting_bytes(ClientId client) const {
  const std::lock_guard lock(state_->hub.mutex);
  const auto found = state_->hub.clients.find(client);
  return found == state_->hub.clients.end() ? 0 : found->second->waiting_bytes();
}

}  // namespace touche::viewer
