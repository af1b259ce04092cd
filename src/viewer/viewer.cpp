// SPDX-License-Identifier: Apache-2.0
#include "touche/viewer.h"

#include <zlib.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "touche/types.h"
#include "touche/version.h"
#include "viewer/opened.h"
#include "viewer/server.h"
#include "viewer/session.h"

namespace touche {
namespace {

viewer::ServerOptions server_options(const ViewerOptions& options) {
  if (!(options.rate >= 1 && options.rate <= 1000))
    throw InvalidInput("a rate is from 1 to 1000 steps per second");
  viewer::ServerOptions server;
  server.address = options.address;
  server.port = options.port;
  server.token = options.token;
  server.stop_on_signals = options.stop_on_signals;
  return server;
}

// Of a page's file, which was packed when the program was built.
std::string unpacked(std::string_view gzip) {
  z_stream stream{};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(gzip.data()));
  stream.avail_in = static_cast<uInt>(gzip.size());
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) throw Error("no memory to unpack");
  std::string text, piece(1 << 16, '\0');
  int state = Z_OK;
  while (state == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    state = inflate(&stream, Z_NO_FLUSH);
    text.append(piece, 0, piece.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (state != Z_STREAM_END) throw Error("a file of the page is damaged");
  return text;
}

}  // namespace

struct Viewer::State {
  explicit State(const ViewerOptions& with) : options(with), server(server_options(with)) {}

  ViewerOptions options;
  viewer::Server server;
  std::optional<viewer::Session> session;  // goes before the server, to which it sends
};

Viewer::Viewer(const ViewerOptions& options) : state_(std::make_unique<State>(options)) {}
Viewer::~Viewer() = default;

std::string Viewer::url() const { return state_->server.url(); }
bool Viewer::is_loopback() const { return state_->server.is_loopback(); }

void Viewer::open(const std::vector<std::filesystem::path>& inputs) {
  if (state_->session) throw InvalidInput("a viewer opens once");
  const ViewerOptions& options = state_->options;
  viewer::SessionOptions how;
  how.rate = options.rate;
  how.threads = options.threads;
  how.program = std::string("touche ") + kVersion;
  state_->session.emplace(
      viewer::open_inputs(inputs, {.unit = options.unit, .folder = options.folder}), how);
}

void Viewer::run(const std::function<void()>& ready) {
  if (!state_->session) throw InvalidInput("a viewer opens something before it runs");
  state_->session->start(state_->server);
  state_->server.run(*state_->session, ready);
  state_->session->stop();
}

void Viewer::stop() { state_->server.stop(); }

std::string page_licences() {
  const auto found = std::ranges::find(viewer::assets(), "licences.txt", &viewer::Asset::path);
  if (found == viewer::assets().end()) throw Error("the page has no licences");
  return unpacked(found->gzip);
}

}  // namespace touche
