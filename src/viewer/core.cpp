// SPDX-License-Identifier: Apache-2.0
#include "viewer/core.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/threads.h"
#include "bvh/object_data.h"
#include "touche/version.h"
#include "viewer/core_send.h"
#include "viewer/scene_messages.h"

namespace touche::viewer {
namespace {

// Chunks wait while more than this of one client is not sent yet.
constexpr std::size_t kMostWaiting = std::size_t{4} << 20;
constexpr std::chrono::milliseconds kProgressEvery{100};

}  // namespace

void check(const SessionOptions& options) {
  if (!(options.rate > 0) || options.rate > 1000)
    throw InvalidInput(
        fmt::format("a rate of {} steps per second, expected 0 to 1000", options.rate));
  if (!(options.milliseconds > 0) || options.milliseconds > 1000)
    throw InvalidInput(
        fmt::format("{} milliseconds for a step, expected more than 0 and at most "
                    "1000",
                    options.milliseconds));
}

Core::Core(Opened opened, SessionOptions options, Outbox& outbox)
    : opened_(std::move(opened)), options_(std::move(options)), outbox_(outbox) {
  check(options_);
  if (options_.program.empty()) options_.program = fmt::format("touche {}", kVersion);
  budget_.tolerance = opened_.tolerance;
  budget_.clearance = 2 * opened_.tolerance;
  budget_.milliseconds = options_.milliseconds;
  build_world();

  // Meshes are made ready while the first client connects.
  pieces_.resize(opened_.objects.size());
  piece_maker_.start(
      [this, objects = opened_.objects](const Budget& budget) -> Worker::Finish {
        std::vector<std::vector<MeshPiece>> pieces(objects.size());
        base::with_threads(options_.threads, [&] {
          for (std::size_t m = 0; m < objects.size() && !budget.expired(); ++m)
            pieces[m] = mesh_pieces(objects[m], static_cast<std::uint32_t>(m));
        });
        return [this, pieces = std::move(pieces)]() mutable {
          pieces_ = std::move(pieces);
          warm_up();
        };
      },
      [this](const std::string& text) { notice(0, protocol::Level::error, text); });

  if (opened_.study) set_timeline(timeline_of(*opened_.study, opened_.group_nodes, 5));
  if (opened_.simulation) start_simulation();
  if (opened_.prove) prove_opened();
  if (opened_.find_clashes) find(opened_.clash_options.clearance);
}

Core::~Core() = default;

// Contact simulation needs surface features, which are computed on first use. That takes longer
// than a step may, so they are computed before a part is held.
void Core::warm_up() {
  warmer_.start(
      [objects = opened_.objects](const Budget& budget) -> Worker::Finish {
        for (const Object& object : objects) {
          if (budget.expired()) break;
          (void)bvh::features_of(object);
        }
        return {};
      },
      [this](const std::string& text) { notice(0, protocol::Level::error, text); });
}

void Core::build_world() {
  for (const OpenedNode& node : opened_.nodes) {
    const bool root = node.parent == protocol::kNoNode;
    const Pose local = root ? node.pose : relative(opened_.nodes[node.parent].pose, node.pose);
    const std::optional<NodeId> parent = root ? std::nullopt : std::optional(nodes_[node.parent]);
    const NodeId id = node.object ? world_.add(opened_.objects[*node.object], local,
                                               {.fixed = true}, parent, node.name)
                                  : world_.add_group(local, parent, node.name);
    ids_.emplace(id, static_cast<std::uint32_t>(nodes_.size()));
    nodes_.push_back(id);
    start_poses_.push_back(local);
  }
  if (opened_.allowed_contacts.empty()) return;
  std::set<std::pair<NodeId, NodeId>> allowed;
  for (const AllowedContact& pair : opened_.allowed_contacts) {
    const NodeId a = nodes_[opened_.parts[pair.part_a].node];
    const NodeId b = nodes_[opened_.parts[pair.part_b].node];
    allowed.emplace(std::min(a, b), std::max(a, b));
  }
  world_.set_pair_filter([allowed = std::move(allowed)](NodeId a, NodeId b) {
    return !allowed.contains({std::min(a, b), std::max(a, b)});
  });
}

// ---- clients -----------------------------------------------------------------------------------

void Core::enter(ClientId client) { clients_[client]; }

void Core::leave(ClientId client) {
  clients_.erase(client);
  if (holder_ == client) {
    let_go();
    if (recorder_.active()) save_for_one_who_left();
  }
  send_roles();
}

void Core::save_for_one_who_left() {
  try {
    end_recording();
    if (unsaved_) save_recorded("");
    notice(0, protocol::Level::warning,
           "The client that recorded has left; its recording is saved: " + recording_file_);
  } catch (const Error& error) {
    notice(0, protocol::Level::error, error.what());
  }
}

void Core::receive(ClientId client, const protocol::ClientMessage& message) {
  const auto state = clients_.find(client);
  if (state == clients_.end()) return;
  const bool enters = std::holds_alternative<protocol::Enter>(message);
  if (enters == state->second.entered) {
    notice(client, protocol::Level::error, "The first message, and no other, is Enter.");
    outbox_.close(client, "the first message, and no other, is Enter");
    return;
  }
  try {
    std::visit([&](const auto& m) { on(client, m); }, message);
  } catch (const std::exception& error) {
    notice(client, protocol::Level::error, error.what());
  }
}

void Core::notice(ClientId client, protocol::Level level, const std::string& text) {
  const protocol::Notice notice{.level = level, .text = text};
  if (client == 0)
    send_all(notice);
  else
    send(client, notice);
}

std::uint32_t Core::checked(std::uint32_t node) const {
  if (node >= nodes_.size()) throw InvalidInput(fmt::format("there is no node {}", node));
  return node;
}

std::uint32_t Core::checked_body(std::uint32_t node) const {
  if (!opened_.nodes[checked(node)].object)
    throw InvalidInput(fmt::format("\"{}\" is a group, expected a part", opened_.nodes[node].name));
  return node;
}

void Core::check_may_move(ClientId client) const {
  if (holder_ != 0 && holder_ != client)
    throw InvalidInput(fmt::format("Somebody else holds \"{}\".", world_.name(hold_->node())));
}

void Core::on(ClientId client, const protocol::Enter& m) {
  if (m.protocol != protocol::kVersion) {
    const std::string reason =
        fmt::format("the page speaks version {} of the protocol, the program version {}",
                    m.protocol, protocol::kVersion);
    notice(client, protocol::Level::error, reason + ": reload the page");
    outbox_.close(client, reason);
    return;
  }
  Client& state = clients_[client];
  state.entered = true;
  send_scene(client);
  for (std::uint32_t mesh = 0; mesh < opened_.objects.size(); ++mesh)
    for (std::uint32_t piece = piece_count(opened_.objects[mesh]); piece-- > 0;)
      state.pieces.emplace_back(mesh, piece);
  std::reverse(state.pieces.begin(), state.pieces.end());
  send_roles();
  for (const std::string& remark : opened_.remarks) notice(client, protocol::Level::remark, remark);
}

void Core::send_scene(ClientId client) {
  protocol::Hello hello;
  hello.protocol = protocol::kVersion;
  hello.program = options_.program;
  hello.you = client;
  hello.title = opened_.title;
  hello.source = opened_.kind;
  hello.unit = opened_.unit;
  hello.metres_per_unit = metres_per_unit(opened_.unit);
  hello.rate = options_.rate;
  hello.tolerance = budget_.tolerance;
  hello.clearance = budget_.clearance;
  send(client, hello);

  send(client, scene_message(opened_));

  poses_changed_ = poses_changed_ || !moved_.empty();
  send_timeline(client);
  send(client, tree_choices());
  send(client, budget_);
  send_recording();
  send_history();
  if (proved_) send(client, *proved_);
  if (clash_table_) send(client, *clash_table_);
}

void Core::on(ClientId client, const protocol::Viewpoint& m) {
  Client& state = clients_[client];
  state.viewpoint = m.position;
  state.has_viewpoint = true;
  state.sorted = false;
  if (client == holder_) hold_->set(hold_settings());
}

void Core::on(ClientId /*client*/, const protocol::Cancel& m) {
  switch (m.task) {
    case protocol::Task::proof:
      prover_.stop();
      break;
    case protocol::Task::clashes:
      clash_finder_.stop();
      break;
    case protocol::Task::tree:
    case protocol::Task::animation:
      break;  // these have no position to stop at
    case protocol::Task::simulation:
      simulator_.stop();
      break;
  }
}

// ---- meshes ------------------------------------------------------------------------------------

void Core::sort_pieces(Client& state) const {
  state.sorted = true;
  if (!state.has_viewpoint) return;
  // Finds for each mesh the nearest of the bodies that have it.
  std::vector<std::vector<Vec3>> viewers(opened_.objects.size());
  for (std::uint32_t n = 0; n < nodes_.size(); ++n)
    if (opened_.nodes[n].object && viewers[*opened_.nodes[n].object].size() < 16)
      viewers[*opened_.nodes[n].object].push_back(world_.pose(nodes_[n]).inverse() *
                                                  state.viewpoint);
  std::vector<std::pair<double, std::pair<std::uint32_t, std::uint32_t>>> order;
  for (const auto& [mesh, piece] : state.pieces) {
    const Aabb& box = pieces_[mesh][piece].box;
    double nearest = kInfinity;
    for (const Vec3& viewer : viewers[mesh])
      nearest =
          std::min(nearest, (viewer - viewer.cwiseMax(box.lo).cwiseMin(box.hi)).squaredNorm());
    order.push_back({-nearest, {mesh, piece}});
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < order.size(); ++i) state.pieces[i] = order[i].second;
}

void Core::send_pieces(ClientId client, Client& state) {
  if (state.pieces.empty() || piece_maker_.running()) return;
  if (!state.sorted) sort_pieces(state);
  while (!state.pieces.empty() && outbox_.waiting_bytes(client) < kMostWaiting) {
    const auto [mesh, piece] = state.pieces.back();
    state.pieces.pop_back();
    outbox_.send(client, pieces_[mesh][piece].message, Delivery::reliable);
  }
}

void Core::send_poses() {
  if (!poses_changed_) return;
  poses_changed_ = false;
  protocol::Poses poses;
  poses.step = steps_;
  poses.time = timeline_.empty() ? std::chrono::duration<double>(Clock::now() - begun_).count()
                                 : play_.value;
  for (const std::uint32_t node : moved_)
    poses.items.push_back({.node = node, .pose = world_.pose(nodes_[node])});
  send_all(poses, Delivery::latest);
}

// ---- time --------------------------------------------------------------------------------------

Core::Clock::time_point Core::tick(Clock::time_point now) {
  send_progress(now);
  try {
    poll_workers();
    play_on(now);
    step_held(now);
    keep_journal(now);
    send_open_pairs();
  } catch (const Error& error) {
    play_.speed = 0;
    let_go();
    notice(0, protocol::Level::error, error.what());
  }
  send_poses();
  bool busy = play_.speed != 0 || wanted_ || recorder_.active();
  for (auto& [client, state] : clients_) {
    if (!state.entered) continue;
    send_pieces(client, state);
    busy |= !state.pieces.empty();
  }
  for (const Worker* worker : {&piece_maker_, &warmer_, &journal_writer_, &prover_, &clash_finder_,
                               &tree_builder_, &simulator_, &film_writer_})
    busy |= worker->running();
  const std::chrono::duration<double> period(1 / options_.rate);
  return now + (busy ? std::chrono::duration_cast<Clock::duration>(period)
                     : Clock::duration(std::chrono::seconds(1)));
}

void Core::poll_workers() {
  const auto ended = [&](Worker& worker, std::optional<protocol::Task> task) {
    if (worker.poll() && task) send_all(protocol::TaskProgress{.task = *task});
  };
  ended(piece_maker_, {});
  ended(warmer_, {});
  ended(journal_writer_, {});
  ended(prover_, protocol::Task::proof);
  ended(clash_finder_, protocol::Task::clashes);
  ended(tree_builder_, protocol::Task::tree);
  ended(simulator_, protocol::Task::simulation);
  ended(film_writer_, protocol::Task::animation);
}

void Core::send_progress(Clock::time_point now) {
  if (now < next_progress_) return;
  next_progress_ = now + kProgressEvery;
  const auto tell = [&](const Worker& worker, protocol::Task task) {
    if (!worker.running()) return;
    send_all(protocol::TaskProgress{
        .task = task,
        .running = true,
        .done = static_cast<std::uint32_t>(worker.progress()->done.load()),
        .total = static_cast<std::uint32_t>(worker.progress()->total.load())});
  };
  tell(prover_, protocol::Task::proof);
  tell(clash_finder_, protocol::Task::clashes);
  tell(tree_builder_, protocol::Task::tree);
  tell(simulator_, protocol::Task::simulation);
  tell(film_writer_, protocol::Task::animation);
}

void Core::shut_down() {
  for (Worker* worker :
       {&piece_maker_, &warmer_, &prover_, &clash_finder_, &tree_builder_, &simulator_})
    worker->cancel();
  film_writer_.finish();
  if (hold_) let_go();
  if (recorder_.active()) end_recording();
  if (unsaved_) save_recorded("");
}

}  // namespace touche::viewer
