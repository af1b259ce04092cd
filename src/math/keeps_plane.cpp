// SPDX-License-Identifier: Apache-2.0
#include "math/keeps_plane.h"

#include <algorithm>

#include "math/motion_data.h"

namespace touche::math {

bool keeps_plane(const Pose& pose) {
  const Eigen::Quaterniond turn = pose.rotation();
  return turn.x() == 0 && turn.y() == 0 && pose.translation().z() == 0;
}

bool keeps_plane(const Motion& motion) {
  const auto pieces = pieces_of(motion);
  return std::all_of(pieces.begin(), pieces.end(), [](const detail::Piece& piece) {
    if (piece.kind == detail::PieceKind::function)
      return piece.function->target<PlanePoses>() != nullptr;
    const Mat3& r = piece.rotation;
    return r(2, 2) == 1 && r(0, 2) == 0 && r(1, 2) == 0 && r(2, 0) == 0 && r(2, 1) == 0 &&
           piece.travel.z() == 0 && piece.start.z() == piece.centre.z() &&
           (piece.angle == 0 || (piece.axis.x() == 0 && piece.axis.y() == 0));
  });
}

}  // namespace touche::math
