// SPDX-License-Identifier: Apache-2.0
// touche distance: measures the distance of two objects.
#include <fmt/core.h>

#include <cmath>
#include <string>
#include <vector>

#include "commands.h"
#include "outlines.h"
#include "two_objects.h"

namespace touche::cli {
namespace {

struct DistanceArguments {
  TwoObjects objects;
  std::string max_distance;  // a length; empty: unlimited
  double relative_error = 0;
};

// The functions of this file take bodies in space or outlines of the plane.
template <class Result, class AnyBody>
void print_distance(const Result& found, const AnyBody& a, const AnyBody& b,
                    const Figures& figures) {
  if (!found.closest)
    fmt::print("distance: more than {}\n", figures.text(found.distance.lower, 9));
  else
    fmt::print("distance: {} (proved: at least {})\n{}\n", figures.text(found.distance.upper, 9),
               figures.text(found.distance.lower, 9), contact_text(*found.closest, a, b, figures));
}

template <class AnyBody, class AnyPose>
int answer_distance(const DistanceArguments& options, const AnyBody& a, const AnyPose& pose_a,
                    const AnyBody& b, const AnyPose& pose_b) {
  const auto found = distance(
      a, pose_a, b, pose_b,
      {.max_distance = options.objects.length(options.max_distance, "--max-distance", kInfinity),
       .relative_error = options.relative_error});
  const std::vector<std::string> remarks = remarks_of(options.objects, a, b);
  if (options.objects.json) {
    Json json = {{"distance", found.closest ? Json(found.distance.upper) : Json()},
                 {"lower_bound", found.distance.lower}};
    if (found.closest) json["closest"] = to_json(*found.closest, a, b);
    json["work"] = to_json(found.stats);
    print(with_remarks(json, remarks));
  } else {
    print_remarks(remarks);
    print_distance(found, a, b, options.objects.figures({options.max_distance}));
  }
  return found.closest && found.distance.upper == 0 ? kContact : kFree;
}

int run_distance(const DistanceArguments& options) {
  const TwoObjects& o = options.objects;
  if (are_outlines(o)) {
    const plane::Pose pose_a = parse_plane_pose(o.pose_a, "--pose-a"),
                      pose_b = parse_plane_pose(o.pose_b, "--pose-b");
    const plane::Object a = load_outline_a(o), b = load_outline_b(o);
    return answer_distance(options, a, pose_a, b, pose_b);
  }
  const Pose pose_a = parse_pose(o.pose_a, "--pose-a"), pose_b = parse_pose(o.pose_b, "--pose-b");
  const Shape a = o.load_a(), b = o.load_b();
  return answer_distance(options, a, pose_a, b, pose_b);
}

}  // namespace

void add_distance(Program& program) {
  Command command =
      program.command("distance", "How far apart are two objects? Gives the closest points");
  auto options = std::make_shared<DistanceArguments>();
  options->objects.add_to(command);
  command
      .add("--max-distance", options->max_distance,
           "Farther than this need not be measured; default: inf")
      .type_name("LENGTH");
  command
      .add("--relative-error", options->relative_error,
           "Allowed share by which the answer may be too large")
      .at_least(0);
  command.footer(
      "The distance of the surfaces; 0, and exit code 1, when they touch. Shapes are solid.\n\n"
      "Examples:\n"
      "  touche distance nut.obj bolt.obj\n"
      "  touche distance nut.obj bolt.obj --pose-a \"0,0,4,0.7071068,0,0,0.7071068\"\n"
      "  touche distance nut.obj bolt.obj --max-distance 0.5 --json\n"
      "  touche distance ball.json bolt.obj\n"
      "  touche distance plate.svg hole.dxf --pose-a \"10,0,45\"");
  command.runs([options] { return run_distance(*options); });
}

}  // namespace touche::cli
