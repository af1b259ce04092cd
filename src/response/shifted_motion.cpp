// SPDX-License-Identifier: Apache-2.0
#include "response/shifted_motion.h"

#include <memory>
#include <utility>

#include "math/motion_data.h"
#include "math/rounding.h"

namespace touche::response {

Motion shifted(const Motion& motion, const Vec3& begin, const Vec3& end) {
  detail::MotionData data;
  for (detail::Piece piece : math::pieces_of(motion)) {
    // The centre of a piece moves uniformly, so a shift that grows uniformly only changes start and
    // travel.
    const Vec3 travel = (end - begin) / piece.rate();
    const Vec3 start = begin + piece.t_begin * (end - begin) - piece.u_begin * travel;
    if (piece.kind == detail::PieceKind::function) {
      piece.function = std::make_shared<const std::function<Pose(double)>>(
          [inner = piece.function, start, travel](double u) {
            const Pose pose = (*inner)(u);
            return Pose::from_quaternion_unchecked(pose.rotation(),
                                                   pose.translation() + start + u * travel);
          });
      piece.max_speed = math::kRoundUp * (piece.max_speed + travel.norm());
    } else {
      piece.start += start;
      piece.travel += travel;
    }
    data.add(std::move(piece));
  }
  return detail::MotionData::motion(std::move(data));
}

}  // namespace touche::response
