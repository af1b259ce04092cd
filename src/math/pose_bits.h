// SPDX-License-Identifier: Apache-2.0
// A pose from the very numbers of another one, to the last bit.
#pragma once

#include "touche/pose.h"

namespace touche {

struct PoseBits {
  /// The numbers must be those of a pose.
  static Pose make(const Eigen::Quaterniond& rotation, const Vec3& translation) {
    return {rotation, translation};
  }
};

}  // namespace touche
