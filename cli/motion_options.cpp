// SPDX-License-Identifier: Apache-2.0
#include "motion_options.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "two_objects.h"

namespace touche::cli {

void MotionOptions::add_to(Command& command) {
  command.add("--from", from, "Pose of a at t = 0, default: as in the file").type_name("POSE");
  command.add("--to", to, "Pose of a at t = 1").type_name("POSE");
  command
      .add("--screw", screw,
           "In place of --to: \"px,py,pz,ax,ay,az,degrees,pitch\": turn about the axis "
           "through p along a, advancing by pitch per full turn")
      .type_name("SCREW");
  command
      .add("--turn", turn,
           "In place of --to, for drawings: \"px,py,degrees\": turn about the point p")
      .type_name("TURN");
  command.add("--interpolation", interpolation, "From --from to --to").one_of({"slerp", "nlerp"});
}

Motion MotionOptions::motion() const {
  if (!turn.empty()) throw InvalidInput("--turn is for drawings of the plane; in space: --screw");
  if (!screw.empty()) {
    if (!to.empty()) throw InvalidInput("--screw: given together with --to");
    const std::vector<double> v = parse_numbers(screw, 8, "--screw");
    const double turns = v[6] / 360;
    return Motion::screw(parse_pose(from, "--from"), {v[0], v[1], v[2]}, {v[3], v[4], v[5]},
                         2 * std::numbers::pi * turns, v[7] * turns);
  }
  if (to.empty())
    throw InvalidInput("how does a move? expected --to or --screw, or --turn for drawings");
  return Motion::interpolated(
      parse_pose(from, "--from"), parse_pose(to, "--to"),
      interpolation == "nlerp" ? Interpolation::nlerp : Interpolation::slerp);
}

double MotionOptions::most_turns() const {
  // Degrees are the seventh number of a screw, and the third of a turn and of a pose in the plane.
  double degrees = 360;
  for (const auto& [text, which] :
       {std::pair(&screw, 6U), std::pair(&turn, 2U), std::pair(&from, 2U), std::pair(&to, 2U)}) {
    if (text->empty()) continue;
    const std::vector<double> v = parse_numbers(*text, 0, "");
    if (v.size() > which) degrees += std::abs(v[which]);
  }
  return degrees / 360;
}

std::vector<std::string> MotionOptions::remarks() const {
  std::vector<std::string> remarks;
  if (!turn.empty()) return remarks;
  add_order_remark(from, "--from", remarks);
  add_order_remark(to, "--to", remarks);
  return remarks;
}

}  // namespace touche::cli
