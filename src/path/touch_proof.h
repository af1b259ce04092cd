// SPDX-License-Identifier: Apache-2.0
// Proves of a stretch of time that two bodies do no more than touch, at every moment of it.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "path/shift_apart.h"
#include "touche/motion.h"

namespace touche {

class TouchProof {
 public:
  /// For closed bodies (slits aside), from t_start to t_end. The bodies and motions must outlive
  /// it. The tolerance is that of the contacts: a length.
  TouchProof(const Interior& a, const Motion& motion_a, const Interior& b, const Motion& motion_b,
             double t_start, double t_end, double tolerance, const Budget& budget);

  /// A time, `end` at the latest, until which from t on the bodies come apart by no more than
  /// `most`, by one shift or by shrinking, as shift_apart.h says: so no ball inside of both is
  /// larger at any time between. t itself where nothing is proved.
  double proved_from(double t, double end, double most);

 private:
  struct Moving {
    const Object& a;
    Motion motion_a;
    const Object& b;
    Motion motion_b;
  };

  /// Until when the surfaces of two that are apart at t stay apart, farther than slits need.
  double apart_until(const Moving& pair, double t, double end, double tolerance);
  double shifted_until(double t, double end, double most);
  double shrunk_until(double t, double end, double most);

  const Interior &a_, &b_;
  const Motion &motion_a_, &motion_b_;
  const double tolerance_;
  const Budget budget_;
  const double gap_;
  double error_;                                        // of coordinates, at any of these times
  std::vector<Contact> met_;                            // that ended a stretch, the last one first
  std::map<double, std::optional<ShrunkPair>> shrunk_;  // by how much
  std::uint64_t work_ = 0;
};

}  // namespace touche
