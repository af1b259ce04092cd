// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "hand.h"
#include "headlamp_parts.h"
#include "pi.h"
#include "random.h"
#include "scenes.h"

namespace touche::scenes {
namespace {

/// Where the hand wants to be at t in [0, 1] of its step.
struct Key {
  double t;
  Vec3 shift;      ///< from its mounted position, for a lamp of scale 1
  Vec3 turn;       ///< degrees: tilted about x and y, turned about its own axis
  double freedom;  ///< how far the hand may stray here
};

/// A quarter turn frees the bayonet; back over the collar; tilted over the cables and up.
const std::vector<Key> kCoverPath{
    {0, {0, 0, 0}, {0, 0, 0}, 0},          {0.04, {0, 0, 0.15}, {0, 0, 2}, 0.05},
    {0.18, {0, 0, 0.15}, {0, 0, 34}, 0.1}, {0.28, {0, 0, 14}, {0, 0, 36}, 0.15},
    {0.42, {0, 0, 50}, {0, 0, 36}, 0.8},   {0.6, {0, 28, 50}, {-9, 0, 40}, 0.8},
    {1, {0, 330, 80}, {-30, 4, 30}, 3}};

/// Straight out of the reflector's neck, between housing and battery, then tip down and up.
const std::vector<Key> kBulbPath{
    {0, {0, 0, 0}, {0, 0, 0}, 0},          {0.05, {0, 0, 1}, {0, 0, 1}, 0.08},
    {0.2, {0, 0, 22}, {0, 0, -2}, 0.3},    {0.45, {0, 0, 80}, {0, 0, -3}, 0.8},
    {0.65, {0, 40, 76}, {-35, 0, 0}, 0.8}, {1, {0, 220, 115}, {-75, 10, 20}, 3}};

Key along(const std::vector<Key>& path, double t) {
  std::size_t i = 1;
  while (i + 1 < path.size() && path[i].t < t) ++i;
  const Key &a = path[i - 1], &b = path[i];
  const double u = (t - a.t) / (b.t - a.t), w = u * u * (3 - 2 * u);
  return {t, a.shift + w * (b.shift - a.shift), a.turn + w * (b.turn - a.turn),
          std::lerp(a.freedom, b.freedom, w)};
}

/// The small unsteadiness of a hand: for each of six channels a few slow waves, in [−1, 1].
class Tremor {
 public:
  explicit Tremor(std::uint64_t seed) {
    Random random(seed);
    for (auto& channel : waves_)
      for (Wave& w : channel) w = {random.uniform(2, 11), random.uniform(0, 2 * kPi)};
  }
  double operator()(std::size_t channel, double t) const {
    double sum = 0;
    for (const Wave& w : waves_[channel]) sum += std::sin(2 * kPi * w.frequency * t + w.phase);
    return sum / static_cast<double>(waves_[channel].size());
  }

 private:
  struct Wave {
    double frequency, phase;
  };
  std::array<std::array<Wave, 4>, 6> waves_;
};

/// Past here the lugs of the bulb are level with the leaf spring, which reaches from 2 to 9 above
/// the rear wall; the lugs start 5 below it.
constexpr double kFlickFrom = 9.5, kFlickAngle = 50;

std::vector<Pose> recorded(const LampUnit& unit, const std::vector<Key>& path,
                           const HeadlampOptions& options, std::uint64_t seed, bool flick) {
  const Tremor tremor(seed);
  std::vector<Pose> poses;
  for (int i = 0; i <= options.poses_per_step; ++i) {
    const double t = static_cast<double>(i) / options.poses_per_step;
    const Key key = along(path, t);
    Vec3 shift = key.shift, turn = key.turn * kPi / 180;
    for (std::size_t k = 0; k < 3; ++k) {
      shift[k] += key.freedom * tremor(k, t);
      turn[k] += key.freedom / 60 * tremor(3 + k, t);
    }
    if (flick && key.shift.z() > kFlickFrom) turn.z() += kFlickAngle * kPi / 180;
    // The part is tilted, and spins about its own axis.
    const Pose tilted =
        Pose::from_fixed_xyz(turn.x(), turn.y(), 0, unit.centre + unit.scale * shift);
    poses.push_back(tilted * Pose::from_axis_angle(Vec3::UnitZ(), turn.z(), Vec3::Zero()));
  }
  return poses;
}

/// The group's poses in step `step` of four; at rest before and after.
RecordedMotion in_step(int step, std::vector<Pose> poses) {
  RecordedMotion motion;
  const double last = static_cast<double>(poses.size() - 1);
  if (step > 0) {
    motion.poses.push_back(poses.front());
    motion.times.push_back(0);
  }
  for (std::size_t i = 0; i < poses.size(); ++i) {
    motion.poses.push_back(poses[i]);
    motion.times.push_back((step + static_cast<double>(i) / last) / 4);
  }
  if (step < 3) {
    motion.poses.push_back(poses.back());
    motion.times.push_back(1);
  }
  return motion;
}

std::vector<ScenePart> build(const Detail& detail) {
  std::vector<ScenePart> parts{{"housing", headlamp_housing(detail), {}},
                               {"lens", headlamp_lens(detail), {}},
                               {"cables", headlamp_harness(detail), {}},
                               {"adjusting screws", headlamp_screws(detail), {}},
                               {"engine bay", engine_bay(detail), {}}};
  for (const LampUnit& unit : {kMainLamp, kAuxiliaryLamp}) {
    const std::string name = unit.name;
    parts.push_back(
        {name + " reflector", reflector(detail, unit), Pose::from_translation(unit.centre)});
    parts.push_back({name + " cover", cover(detail, unit), {}});
    parts.push_back({name + " bulb glass", bulb_glass(detail, unit), {}});
    parts.push_back({name + " bulb base", bulb_base(detail, unit), {}});
  }
  return parts;
}

double triangle_count(const std::vector<ScenePart>& parts) {
  double sum = 0;
  for (const ScenePart& part : parts) sum += part.soup.triangle_count();
  return sum;
}

/// A part and all that belongs to it.
void take_away(std::vector<ScenePart>& parts, const std::string& name) {
  std::erase_if(parts, [&](const ScenePart& part) { return part.name.starts_with(name); });
}

/// Curves are cut in both directions, so the number of triangles grows with the square.
std::vector<ScenePart> build_with(double triangles) {
  Detail detail{std::sqrt(triangles / 60000)};
  std::vector<ScenePart> parts = build(detail);
  for (int attempt = 0; attempt < 3; ++attempt) {
    const double ratio = triangles / triangle_count(parts);
    if (std::abs(ratio - 1) < 0.04) break;
    detail.factor *= std::sqrt(ratio);
    parts = build(detail);
  }
  return parts;
}

}  // namespace

Scene headlamp(const HeadlampOptions& options) {
  if (options.triangles < 20000 || options.poses_per_step < 100)
    throw InvalidInput("headlamp: needs at least 20,000 triangles and 100 poses a step");
  Scene scene;
  scene.title = "Taking covers and bulbs out of a headlamp";
  scene.parts = build_with(options.triangles);
  scene.tolerance = 0.01;
  scene.clearance_threshold = 2;

  const std::size_t main = 5, auxiliary = 9;  // the first part of each lamp
  const auto add = [&](int step, const LampUnit& unit, const char* what,
                       std::vector<std::size_t> parts, const std::vector<Key>& path, bool flick) {
    scene.groups.push_back(
        {std::string(unit.name) + what, std::move(parts),
         in_step(step, recorded(unit, path, options, options.seed + 1000 * step, flick))});
  };
  add(0, kMainLamp, " cover", {main + 1}, kCoverPath, false);
  add(1, kMainLamp, " bulb", {main + 2, main + 3}, kBulbPath, options.hidden_clash);
  add(2, kAuxiliaryLamp, " cover", {auxiliary + 1}, kCoverPath, false);
  add(3, kAuxiliaryLamp, " bulb", {auxiliary + 2, auxiliary + 3}, kBulbPath, false);
  if (options.hidden_clash) {
    scene.title += ", one twist too fast for the recording";
    scene.truth = Truth::contact;
  }
  return scene;
}

Scene bulb_by_hand(const BulbByHandOptions& options) {
  if (options.triangles < 20000)
    throw InvalidInput("bulb_by_hand: needs at least 20,000 triangles");
  const bool main = options.lamp == BulbByHandOptions::Lamp::main;
  const LampUnit& unit = main ? kMainLamp : kAuxiliaryLamp;
  Scene scene;
  scene.title = std::string("The ") + unit.name + " bulb out of a headlamp, by hand";
  scene.parts = build_with(options.triangles);
  for (const LampUnit& lamp : {kMainLamp, kAuxiliaryLamp})
    take_away(scene.parts, std::string(lamp.name) + " cover");
  if (!main) take_away(scene.parts, std::string(kMainLamp.name) + " bulb");
  const std::string bulb = std::string(unit.name) + " bulb";
  SceneGroup group{bulb, {}, {}};
  for (std::size_t i = 0; i < scene.parts.size(); ++i) {
    ScenePart& part = scene.parts[i];
    if (part.name.starts_with(bulb))
      group.parts.push_back(i);
    else if (part.name.find(" bulb ") != std::string::npos)
      part.pose = Pose::from_translation(kAuxiliaryLamp.centre);  // the other one, in its place
  }
  constexpr double kSeconds = 8;
  const auto meant = [&](double t) {
    const double share = std::min(t / kSeconds, 1.0);  // carefully at first
    const Key key = along(kBulbPath, share * share);
    const Vec3 turn = key.turn * kPi / 180;
    return Pose::from_fixed_xyz(turn.x(), turn.y(), 0, unit.centre + unit.scale * key.shift) *
           Pose::from_axis_angle(Vec3::UnitZ(), turn.z(), Vec3::Zero());
  };
  group.motion = led_by_hand(kSeconds, meant, options.trembling, {0, 0, 8 * unit.scale});
  scene.groups.push_back(std::move(group));
  scene.tolerance = 0.01;
  scene.clearance_threshold = 2;
  scene.truth.reset();
  return scene;
}

}  // namespace touche::scenes
