// SPDX-License-Identifier: Apache-2.0
// Proves that two bodies do no more than touch at every moment of a stretch of time.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "path/bodies.h"
#include "path/shift_apart.h"
#include "touche/motion.h"

namespace touche::paths {

class SoupTouchProof final : public TouchProof {
 public:
  /// For bodies that are closed except for slits, from t_start to t_end. The bodies and motions
  /// must outlive it. The tolerance is that of the contacts: a length.
  SoupTouchProof(const Interior& a, const Motion& motion_a, const Interior& b,
                 const Motion& motion_b, double t_start, double t_end, double tolerance,
                 const Budget& budget);

  /// By one shift, or by shrinking (see shift_apart.h).
  double proved_from(double t, double end, double most) override;

 private:
  struct Moving {
    const Object& a;
    Motion motion_a;
    const Object& b;
    Motion motion_b;
  };

  /// The time until which the surfaces of two bodies that are apart at t stay apart, by more than
  /// slits need.
  double apart_until(const Moving& pair, double t, double end, double tolerance);
  double shifted_until(double t, double end, double most);
  double shrunk_until(double t, double end, double most);

  const Interior &a_, &b_;
  const Motion &motion_a_, &motion_b_;
  const double tolerance_;
  const Budget budget_;
  const double gap_;
  double error_;              // rounding error of coordinates at any of these times
  std::vector<Contact> met_;  // contacts that ended a stretch, latest first
  std::map<double, std::optional<ShrunkPair>> shrunk_;  // by the amount of shrinking
  std::uint64_t work_ = 0;
};

}  // namespace touche::paths
