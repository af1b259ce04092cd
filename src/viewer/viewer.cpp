// SPDX-License-Identifier: Apache-2.0
#include "touche/viewer.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "touche/types.h"
#include "touche/version.h"
#include "viewer/opened.h"
#include "viewer/server.h"
#include "viewer/session.h"
#include "viewer/unpack.h"

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
  how.saved = options.saved;
  state_->session.emplace(
      viewer::open_inputs(
          inputs,
          {.unit = options.unit, .up = options.up, .weld = options.weld, .folder = options.folder}),
      how);
}

void Viewer::run(const std::function<void()>& ready) {
  if (!state_->session) throw InvalidInput("a viewer opens something before it runs");
  state_->session->start(state_->server);
  state_->server.run(*state_->session, ready);
  state_->session->stop();
  if (!state_->session->failure().empty()) throw Error(state_->session->failure());
}

void Viewer::stop() { state_->server.stop(); }

std::string page_licences() {
  const auto found = std::ranges::find(viewer::assets(), "licences.txt", &viewer::Asset::path);
  if (found == viewer::assets().end()) throw Error("the page has no licences");
  return viewer::unpacked(found->gzip);
}

}  // namespace touche
