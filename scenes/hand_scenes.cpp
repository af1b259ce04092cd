// SPDX-License-Identifier: Apache-2.0
// Nuts, bolts and pegs, moved by a hand.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "hand.h"
#include "pi.h"
#include "random.h"
#include "thread.h"

namespace touche::scenes {
namespace {

/// The only group of the scene becomes the part alone, led by the hand. Where the part starts is
/// the hand's to say.
void hand_over(Scene& scene, std::size_t part, HandMotion hand) {
  scene.parts[part].pose = {};
  scene.groups = {{scene.parts[part].name, {part}, std::move(hand)}};
  scene.truth.reset();
}

}  // namespace

Scene thread_by_hand(const ThreadByHandOptions& options) {
  if (!(options.turns_per_second > 0) || !(options.turns_per_second <= 10))
    throw InvalidInput("thread_by_hand: a hand turns a nut at most ten times a second");
  NutAndBoltOptions thread = options.thread;
  thread.poses_per_turn = 0;
  Scene scene = nut_and_bolt(thread);
  const ScrewMotion screw = std::get<ScrewMotion>(scene.groups[0].motion);
  const ThreadSize& size = thread_size(thread.size);

  const double unscrewed = screw.turns / options.turns_per_second, away = size.nut_height;
  // Gives the nut's pose, as the bolt sees it.
  const auto way = [&](double t) {
    const double turns = screw.turns * std::clamp(t / unscrewed, 0.0, 1.0);
    const double lift = away * eased(unscrewed, unscrewed + 1, t);
    return Pose::from_axis_angle(Vec3::UnitZ(), 2 * kPi * turns,
                                 {0, 0, screw.pitch * turns + lift});
  };
  const bool nut = options.moved == ThreadByHandOptions::Moved::nut;
  const Pose start = scene.parts[1].pose;
  const auto meant = [&](double t) { return nut ? way(t) * start : way(t).inverse(); };
  const Vec3 grip = Vec3::UnitZ() * (nut ? size.nut_height / 2 : -size.head_height / 2);
  hand_over(scene, nut ? 1 : 0, led_by_hand(unscrewed + 1, meant, options.trembling, grip));
  scene.title = nut ? "A nut off its bolt, by hand" : "A bolt out of its nut, by hand";
  return scene;
}

Scene peg_by_hand(const PegByHandOptions& options) {
  if (!(options.offset >= 0) || !(options.offset <= options.peg.size / 2) ||
      !(std::abs(options.angle) < 0.2))
    throw InvalidInput(
        fmt::format("peg_by_hand: a hand that is off by {} mm and {:.3g} radians for a peg of {} "
                    "mm; these must "
                    "be no more than half of its size, and less than 0.2",
                    options.offset, options.angle, options.peg.size));
  PegInHoleOptions straight = options.peg;
  straight.offset = straight.tilt = 0;
  if (straight.lead_in == 0) straight.lead_in = 1.4 * options.offset;
  Scene scene = peg_in_hole(straight);
  const double size = straight.size;
  const double above = scene.parts[0].pose.translation().z();
  const double below = std::get<TranslationMotion>(scene.groups[0].motion).by.z() + above;

  // The hand is wrong about where the hole is, and does not learn.
  Random random(options.trembling.seed);
  const double direction = random.uniform(0, 2 * kPi);
  const Vec3 aside = options.offset * Vec3(std::cos(direction), std::sin(direction), 0);
  const Vec3 axis = random.direction();
  const Pose aim = Pose::from_axis_angle(axis, options.angle, aside);

  // It comes down within a second, wiggles, and pushes in for three seconds.
  const double lands = 1, press = size / 8, wiggle = size / 40, pushes = 2, end = pushes + 3;
  const auto meant = [&](double t) {
    const double pushed = eased(pushes, end, t);
    const double z = std::lerp(above, -press, eased(0, lands, t)) + (below + press) * pushed;
    const double amount = wiggle * eased(lands / 2, lands, t), phase = 2 * kPi * 1.5 * t;
    const Vec3 place(amount * std::cos(phase), amount * std::sin(phase), z);
    return Pose::from_translation(place) * aim;
  };
  hand_over(scene, 0, led_by_hand(end + 0.5, meant, options.trembling));
  scene.title += ", by hand";
  return scene;
}

}  // namespace touche::scenes
