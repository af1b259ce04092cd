// SPDX-License-Identifier: Apache-2.0
#include "hand.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "pi.h"
#include "random.h"

namespace touche::scenes {
namespace {

constexpr double kPosesPerSecond = 60;

/// For each of six channels a few waves, slow drifts as well as a quick trembling; the root mean
/// square of each channel is 1.
class Waves {
 public:
  explicit Waves(std::uint64_t seed) {
    Random random(seed);
    for (auto& channel : waves_)
      for (Wave& w : channel) {
        w.frequency = 0.3 * std::pow(30.0, random.uniform());  // to 9 Hz
        w.phase = random.uniform(0, 2 * kPi);
      }
  }
  Vec3 at(double seconds, std::size_t first_channel) const {
    Vec3 result = Vec3::Zero();
    for (std::size_t k = 0; k < 3; ++k)
      for (const Wave& w : waves_[first_channel + k])
        result[static_cast<Eigen::Index>(k)] +=
            std::sin(2 * kPi * w.frequency * seconds + w.phase) * std::sqrt(2.0 / kWaves);
    return result;
  }

 private:
  static constexpr std::size_t kWaves = 6;
  struct Wave {
    double frequency = 0, phase = 0;
  };
  std::array<std::array<Wave, kWaves>, 6> waves_;
};

Pose turned_by(const Vec3& rotation) {
  const double angle = rotation.norm();
  return angle > 0 ? Pose::from_axis_angle(rotation, angle, Vec3::Zero()) : Pose();
}

}  // namespace

double eased(double from, double to, double t) {
  const double u = std::clamp((t - from) / (to - from), 0.0, 1.0);
  return u * u * (3 - 2 * u);
}

HandMotion led_by_hand(double seconds, const std::function<Pose(double)>& meant,
                       const Trembling& trembling, const Vec3& grip) {
  if (!(trembling.shift >= 0) || !(trembling.angle >= 0) || !std::isfinite(trembling.shift) ||
      !(trembling.angle < 1))
    throw InvalidInput("the shift and angle that a hand trembles by make no sense");
  const Waves waves(trembling.seed);
  // The square of a vector's length is the sum over its three channels.
  const double shift = trembling.shift / std::sqrt(3.0), angle = trembling.angle / std::sqrt(3.0);
  HandMotion hand;
  const int count = static_cast<int>(std::ceil(seconds * kPosesPerSecond));
  for (int i = 0; i <= count; ++i) {
    const double t = i / kPosesPerSecond, amount = eased(0, 0.5, t);
    const Pose error = Pose::from_translation(grip + amount * shift * waves.at(t, 0)) *
                       turned_by(amount * angle * waves.at(t, 3)) * Pose::from_translation(-grip);
    hand.times.push_back(t);
    hand.poses.push_back(meant(t) * error);
  }
  return hand;
}

}  // namespace touche::scenes
