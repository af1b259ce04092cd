// SPDX-License-Identifier: Apache-2.0
// Measuring, and seeing the method.
#include <fmt/core.h>

#include <algorithm>

#include "methods/tree/outline.h"
#include "touche/query.h"
#include "viewer/core.h"
#include "viewer/core_send.h"
#include "viewer/scene_messages.h"

namespace touche::viewer {
namespace {

constexpr std::chrono::milliseconds kMeasuring{50};
constexpr std::size_t kMostVolumes = 4000, kMostOpenPairs = 500;
constexpr std::size_t kMostNeighbours = 8;
constexpr int kOpenLevels = 4;

// The value of a name.
template <class Enum>
Enum value_of(const std::string& text, const char* what) {
  const auto& names = kNames<Enum>;
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) throw InvalidInput(fmt::format("There is no {} \"{}\".", what, text));
  return static_cast<Enum>(found - names.begin());
}

SplitMethod method_of(const std::string& text) {
  const auto method = value_of<SplitMethod>(text, "splitting method");
  if (method == SplitMethod::branch_and_bound)
    throw InvalidInput(fmt::format("There is no splitting method \"{}\" here.", text));
  return method;
}

}  // namespace

// The bodies of both nodes, pair by pair, never farther than the nearest so far.
void Core::on(ClientId client, const protocol::MeasurePair& m) {
  const NodeId a = nodes_[checked(m.a)], b = nodes_[checked(m.b)];
  const std::vector<NodeId> bodies_a = bodies_below(world_, a), bodies_b = bodies_below(world_, b);
  for (const NodeId body : bodies_a)
    if (std::binary_search(bodies_b.begin(), bodies_b.end(), body))
      throw InvalidInput("What is measured has a part in common.");
  if (bodies_a.empty() || bodies_b.empty()) throw InvalidInput("There is no part to be measured.");

  protocol::Measured measured{.a = m.a, .b = m.b, .lower = kInfinity, .upper = kInfinity};
  DistanceOptions how;
  how.budget.deadline = Clock::now() + kMeasuring;
  for (const NodeId one : bodies_a)
    for (const NodeId other : bodies_b) {
      how.max_distance = measured.upper;
      const DistanceResult result = distance(world_.object(one), world_.pose(one),
                                             world_.object(other), world_.pose(other), how);
      measured.lower = std::min(measured.lower, result.distance.lower);
      if (!result.closest || !(result.distance.upper < measured.upper)) continue;
      measured.upper = result.distance.upper;
      measured.point_a = result.closest->point_a;
      measured.point_b = result.closest->point_b;
    }
  measured.lower = std::min(measured.lower, measured.upper);
  if (measured.upper == kInfinity)
    throw InvalidInput("There was no time to measure this; try smaller parts.");
  measured.intersecting = measured.upper == 0;
  send(client, measured);
}

void Core::on(ClientId client, const protocol::BuildTree& m) {
  const std::uint32_t node = checked_body(m.node);
  TreeOptions options;
  options.volume = m.volume;
  options.method = method_of(m.method);
  if (m.degree < 2 || m.degree > 8)
    throw InvalidInput(fmt::format("A degree of {}, expected 2 to 8.", m.degree));
  if (!(m.improvement >= 0 && m.improvement <= 1))
    throw InvalidInput(fmt::format("An improvement of {}, expected 0 to 1.", m.improvement));
  options.quality = value_of<Quality>(m.quality, "quality");
  options.combine = value_of<Combine>(m.combine, "combination of qualities");
  const auto& volumes = tree_choices().volumes;
  const auto volume = std::ranges::find(volumes, m.volume, &protocol::TreeVolume::text);
  if (volume == volumes.end())
    throw InvalidInput(fmt::format("There is no volume \"{}\".", m.volume));
  if (options.quality == Quality::hausdorff && !volume->hausdorff)
    throw InvalidInput(
        fmt::format("The Hausdorff distance is not known for the volume \"{}\".", m.volume));
  if (tree_builder_.running()) throw InvalidInput("Another tree is being built.");
  options.degree = static_cast<int>(m.degree);
  options.improvement = m.improvement;
  options.threads = options_.threads;

  // Tests it against the parts whose boxes are nearest.
  const NodeId body = nodes_[node];
  const Pose pose = world_.pose(body);
  const Vec3 middle = pose * world_.object(body).bounds().centre();
  std::vector<Neighbour> neighbours;
  for (const NearestBody& near : world_.nearest(middle, kMostNeighbours + 1))
    if (near.body != body && neighbours.size() < kMostNeighbours)
      neighbours.push_back({world_.object(near.body), world_.pose(near.body)});
  tree_builder_.start(
      [this, client, node, object = world_.object(body), pose, options,
       neighbours = std::move(neighbours)](const Budget& budget) -> Worker::Finish {
        BuiltTree built = build_tree(object, pose, neighbours, options, budget);
        built.told.node = node;
        return [this, client, node, built = std::move(built)]() mutable {
          if (const auto before = trees_.find(node); before != trees_.end()) {
            built.told.tests_before = before->second.told.tests;
            built.told.triangle_tests_before = before->second.told.triangle_tests;
          }
          send(client, built.told);
          trees_.insert_or_assign(node, std::move(built));
        };
      },
      [this, client](const std::string& text) { notice(client, protocol::Level::error, text); });
}

void Core::on(ClientId client, const protocol::ShowVolumes& m) {
  protocol::Volumes volumes{
      .node = checked_body(m.node), .hierarchy = m.hierarchy, .level = m.level};
  if (m.level == kNone) {
    send(client, volumes);
    return;
  }
  const int level = static_cast<int>(std::min(m.level, 1000U));
  if (m.hierarchy == protocol::Hierarchy::own) {
    LevelView view = own_level(opened_.objects[*opened_.nodes[m.node].object], level, kMostVolumes);
    volumes.levels = static_cast<std::uint32_t>(view.levels);
    volumes.count = static_cast<std::uint32_t>(view.count);
    volumes.lines = std::move(view.lines);
  } else {
    const auto built = trees_.find(m.node);
    if (built == trees_.end()) throw InvalidInput("No tree was built of this part.");
    tree::LevelOutline outline = tree::outline(built->second.tree, level, kMostVolumes);
    volumes.levels = built->second.told.levels;
    volumes.count = static_cast<std::uint32_t>(outline.count);
    volumes.lines = std::move(outline.lines);
  }
  send(client, volumes);
}

void Core::on(ClientId client, const protocol::ShowOpenPairs& m) {
  clients_[client].wants_open_pairs = m.on;
  open_pairs_step_ = ~steps_;
  if (!m.on) send(client, protocol::OpenPairs{}, Delivery::latest);
}

// Sends the open pairs of the held part after each step.
void Core::send_open_pairs() {
  const bool wanted = std::any_of(clients_.begin(), clients_.end(),
                                  [](const auto& c) { return c.second.wants_open_pairs; });
  if (!wanted || !hold_ || open_pairs_step_ == steps_) return;
  open_pairs_step_ = steps_;
  protocol::OpenPairs pairs;
  std::size_t count = 0;
  const std::vector<NodeId> held = bodies_below(world_, hold_->node());
  for (const NodeId body : held) {
    for (const NodeId other : world_.bodies())
      if (!std::binary_search(held.begin(), held.end(), other) && count < kMostOpenPairs)
        add_open_pairs(world_.object(body), world_.pose(body), world_.object(other),
                       world_.pose(other), kOpenLevels, kMostOpenPairs, pairs.lines, count);
  }
  pairs.count = static_cast<std::uint32_t>(count);
  const Bytes bytes = bytes_of(encode(pairs));
  for (const auto& [client, state] : clients_)
    if (state.entered && state.wants_open_pairs) outbox_.send(client, bytes, Delivery::latest);
}

void Core::on(ClientId client, const protocol::AskFace& m) {
  send(client, face_message(opened_, checked_body(m.node), m.face));
}

}  // namespace touche::viewer
