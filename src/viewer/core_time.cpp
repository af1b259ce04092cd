// SPDX-License-Identifier: Apache-2.0
// Playing paths and simulations.
#include <algorithm>

#include "viewer/core.h"
#include "viewer/core_send.h"
#include "viewer/proved.h"

namespace touche::viewer {

void Core::set_timeline(Timeline timeline) {
  timeline_ = std::move(timeline);
  play_ = {.value = timeline_.start};
  send_timeline(0);
}

void Core::send_timeline(ClientId client) {
  const protocol::Timeline told = timeline_message(timeline_);
  const protocol::Position position{.value = play_.value, .speed = play_.speed};
  if (client == 0) {
    send_all(told);
    send_all(position);
  } else {
    send(client, told);
    send(client, position);
  }
}

void Core::send_position(Delivery how) {
  send_all(protocol::Position{.value = play_.value, .speed = play_.speed}, how);
}

void Core::go_to(double value) {
  play_.value = std::clamp(value, timeline_.start, timeline_.end);
  for (const NodeMotion& motion : timeline_.motions) {
    world_.set_pose(nodes_[motion.node], motion.motion.pose(timeline_.share(play_.value)));
    moved_.insert(motion.node);
  }
  ++steps_;
  poses_changed_ = true;
}

void Core::play_on(Clock::time_point now) {
  if (play_.speed == 0) return;
  play_.go_on(timeline_, std::chrono::duration<double>(now - played_until_).count());
  played_until_ = now;
  go_to(play_.value);
  send_position(Delivery::latest);
}

void Core::on(ClientId client, const protocol::Scrub& m) {
  check_may_move(client);
  if (timeline_.empty()) throw InvalidInput("There is no path to be played.");
  if (recorder_.active()) throw InvalidInput("No path is played while something is recorded.");
  let_go();
  play_.speed = 0;
  go_to(m.value);
  send_position(Delivery::latest);
}

void Core::on(ClientId client, const protocol::Play& m) {
  check_may_move(client);
  if (timeline_.empty()) throw InvalidInput("There is no path to be played.");
  if (recorder_.active()) throw InvalidInput("No path is played while something is recorded.");
  if (std::abs(m.speed) > 1000) throw InvalidInput("A speed of more than 1000.");
  let_go();
  // From the end it begins anew.
  if (m.speed > 0 && play_.value >= timeline_.end) play_.value = timeline_.start;
  if (m.speed < 0 && play_.value <= timeline_.start) play_.value = timeline_.end;
  play_.speed = m.speed;
  played_until_ = Clock::now();
  send_position(Delivery::latest);
}

void Core::on(ClientId client, const protocol::Advance& m) {
  check_may_move(client);
  if (timeline_.empty()) throw InvalidInput("There is no path to be played.");
  if (recorder_.active()) throw InvalidInput("No path is played while something is recorded.");
  let_go();
  play_.speed = 0;
  go_to(timeline_.advanced(play_.value, m.keys));
  send_position(Delivery::latest);
}

// ---- simulations -------------------------------------------------------------------------------

void Core::start_simulation() {
  simulator_.start(
      [this, simulation = *opened_.simulation,
       parts = opened_.simulation_parts](const Budget& budget) mutable -> Worker::Finish {
        SimulationOptions how;
        how.budget = budget;
        how.threads = options_.threads;
        SimulationResult result = simulate(std::move(simulation), std::move(parts), how);
        return [this, result = std::move(result)] {
          Timeline timeline = timeline_of(result);
          if (timeline.empty()) return;
          set_timeline(std::move(timeline));
          proved_ = proved_message(result, opened_);
          send_all(*proved_);
        };
      },
      [this](const std::string& text) { notice(0, protocol::Level::error, text); });
}

}  // namespace touche::viewer
