// SPDX-License-Identifier: Apache-2.0
// touche toi: when do two objects first touch?
#include <fmt/core.h>

#include <cmath>
#include <numbers>

#include "commands.h"
#include "two_objects.h"

namespace touche::cli {
namespace {

struct Options {
  TwoObjects objects;
  std::string from, to, screw, interpolation = "slerp";
  double tolerance = 0;  // 0: from the size of the objects
  std::uint64_t max_work = ~std::uint64_t{0};
};

Motion motion_of_a(const Options& options) {
  if (!options.screw.empty()) {
    if (!options.to.empty()) throw InvalidInput("--screw: given together with --to");
    const std::vector<double> v = parse_numbers(options.screw, 8, "--screw");
    const double turns = v[6] / 360;
    return Motion::screw(parse_pose(options.from, "--from"), {v[0], v[1], v[2]}, {v[3], v[4], v[5]},
                         2 * std::numbers::pi * turns, v[7] * turns);
  }
  if (options.to.empty()) throw InvalidInput("how does a move? expected --to or --screw");
  return Motion::interpolated(
      parse_pose(options.from, "--from"), parse_pose(options.to, "--to"),
      options.interpolation == "nlerp" ? Interpolation::nlerp : Interpolation::slerp);
}

Json toi_json(const ToiResult& found, const Object& a, const Object& b) {
  Json json = {{"status", name(found.status)},
               {"free_until", found.free_until},
               {"touched_at", std::isfinite(found.touched_at) ? Json(found.touched_at) : Json()},
               {"tolerance", found.tolerance}};
  if (found.contact) json["contact"] = to_json(*found.contact, a, b);
  json["work"] = to_json(found.stats);
  return json;
}

void print_text(const ToiResult& found, const Object& a, const Object& b) {
  switch (found.status) {
    case ToiStatus::free:
      fmt::print("free, proved: no contact for any t in [0, 1] (tolerance {:.3g})\n",
                 found.tolerance);
      break;
    case ToiStatus::contact:
      fmt::print("contact: first at t in [{:.12g}, {:.12g}] (tolerance {:.3g})\n", found.free_until,
                 found.touched_at, found.tolerance);
      break;
    case ToiStatus::initially_touching:
      fmt::print("contact: at t = 0 the distance is at most the tolerance ({:.3g})\n",
                 found.tolerance);
      break;
    case ToiStatus::budget_exhausted:
      fmt::print("not decided: the allowed work is used up; proved free for t < {:.12g}\n",
                 found.free_until);
      break;
  }
  if (found.contact) fmt::print("{}\n", contact_text(*found.contact, a, b));
}

int run(const Options& options) {
  const Motion motion = motion_of_a(options);
  const Pose pose_b = parse_pose(options.objects.pose_b, "--pose-b");
  const Object a = options.objects.load_a(), b = options.objects.load_b();
  const double tolerance = options.tolerance > 0
                               ? options.tolerance
                               : 1e-6 * std::min(a.bounds().diagonal(), b.bounds().diagonal());
  const ToiResult found = time_of_impact(a, motion, b, Motion::at(pose_b),
                                         {.tolerance = tolerance, .max_work = options.max_work});
  if (options.objects.json)
    print(toi_json(found, a, b));
  else
    print_text(found, a, b);
  if (found.status == ToiStatus::free) return kFree;
  return found.status == ToiStatus::budget_exhausted ? kError : kContact;
}

}  // namespace

void add_toi(Program& program) {
  Command command = program.command(
      "toi", "When do two objects first touch? a moves, b stands still; the answer is proved");
  auto options = std::make_shared<Options>();
  options->objects.add_to(command);
  command.remove("--pose-a");
  command.add("--from", options->from, "Pose of a at t = 0, default: as in the file")
      .type_name("POSE");
  command.add("--to", options->to, "Pose of a at t = 1").type_name("POSE");
  command
      .add("--screw", options->screw,
           "In place of --to: \"px,py,pz,ax,ay,az,degrees,pitch\": turn about the axis "
           "through p along a, advancing by pitch per full turn")
      .type_name("SCREW");
  command.add("--interpolation", options->interpolation, "From --from to --to")
      .one_of({"slerp", "nlerp"});
  command
      .add("--tolerance", options->tolerance, "Length; default: 1e-6 of the smaller object's size")
      .positive();
  command.add("--max-work", options->max_work, "Give up after this many pairs looked at");
  command.footer(
      "Objects that come no closer than the tolerance are never reported as touching; objects\n"
      "that touch are never missed. Between poses: linear translation, slerp.\n\n"
      "Examples:\n"
      "  touche toi nut.obj bolt.obj --from \"0,0,2\" --to \"0,0,30\"\n"
      "  touche toi nut.obj bolt.obj --screw \"0,0,0, 0,0,1, 3600, 2\" --tolerance 1e-4\n"
      "  touche toi a.stl b.stl --to \"10,0,0,0.7071068,0,0,0.7071068\" --json");
  command.runs([options] { return run(*options); });
}

}  // namespace touche::cli
