// SPDX-License-Identifier: Apache-2.0
// touche toi: finds the first time of contact of two objects.
#include <fmt/core.h>

#include <cmath>

#include "commands.h"
#include "motion_options.h"
#include "outlines.h"
#include "progress.h"
#include "two_objects.h"

namespace touche::cli {
namespace {

struct ToiArguments {
  TwoObjects objects;
  MotionOptions motion;
  std::string tolerance, clearance;  // empty: tolerance from the size of the objects, no clearance
  bool may_separate = false;
  std::uint64_t max_work = ~std::uint64_t{0};
};

// The functions of this file take bodies in space or outlines of the plane.
template <class AnyResult, class AnyBody>
Json toi_json(const AnyResult& found, double clearance, const AnyBody& a, const AnyBody& b) {
  Json json = {{"status", name(found.status)},
               {"free_until", found.time.lower},
               {"touched_at", std::isfinite(found.time.upper) ? Json(found.time.upper) : Json()},
               {"tolerance", found.tolerance},
               {"clearance", clearance},
               {"separated_at", found.separated_at}};
  if (found.contact) json["contact"] = to_json(*found.contact, a, b);
  json["work"] = to_json(found.stats);
  return json;
}

template <class AnyResult, class AnyBody>
void print_toi(const AnyResult& found, double clearance, bool may_separate, const AnyBody& a,
               const AnyBody& b, bool stopped, const std::string& travel, const Figures& figures) {
  const bool separated = found.separated_at > 0 && found.time.lower > found.separated_at;
  if (separated)
    fmt::print("starts in contact and separates, proved: apart from t = {:.6g} on\n",
               found.separated_at);
  const std::string span = separated ? fmt::format("({:.6g}, 1]", found.separated_at) : "[0, 1]";
  switch (found.status) {
    case ToiStatus::free:
      if (clearance > 0)
        fmt::print("free, proved: farther apart than {} for all t in {}\n",
                   figures.text(clearance, 6), span);
      else
        fmt::print("free, proved: no contact for any t in {} (tolerance {})\n", span,
                   figures.text(found.tolerance, 3));
      fmt::print("{}\n", travel);
      break;
    case ToiStatus::contact:
      fmt::print("contact: first {}at t in [{:.12g}, {:.12g}] (tolerance {})\n",
                 clearance > 0 ? fmt::format("as near as {} ", figures.text(clearance, 6)) : "",
                 found.time.lower, found.time.upper, figures.text(found.tolerance, 3));
      break;
    case ToiStatus::initially_touching:
      if (clearance > 0)
        fmt::print("contact: at t = 0 the distance is at most {} (clearance and tolerance)\n",
                   figures.text(clearance + found.tolerance, 6));
      else
        fmt::print("contact: at t = 0 the distance is at most the tolerance ({})\n",
                   figures.text(found.tolerance, 3));
      if (!may_separate) fmt::print("if they touch there and come apart: --may-separate\n");
      break;
    case ToiStatus::undecided:
      fmt::print("not decided: {}; {}\n", stopped ? "stopped" : "the allowed work is used up",
                 found.time.lower > 0 ? fmt::format("proved free for t < {:.12g}", found.time.lower)
                                      : "no time is proved free");
      break;
  }
  if (found.contact) fmt::print("{}\n", contact_text(*found.contact, a, b, figures));
}

template <class AnyBody, class AnyMotion>
int answer_toi(const ToiArguments& options, const AnyBody& a, const AnyMotion& motion_a,
               const AnyBody& b, const AnyMotion& motion_b) {
  const double given = options.objects.positive_length(options.tolerance, "--tolerance");
  const double size = std::min(size_of(a), size_of(b));
  const double tolerance = given > 0 ? given : 1e-6 * size;
  const double clearance = options.objects.length(options.clearance, "--clearance");
  const Cancel cancel;
  const CancelOnSignal on_signal(cancel);
  const auto found = time_of_impact(a, motion_a, b, motion_b,
                                    {.tolerance = tolerance,
                                     .clearance = clearance,
                                     .may_separate = options.may_separate,
                                     .budget = {.max_work = options.max_work, .cancel = cancel}});
  if (found.status != ToiStatus::free && found.tolerance > std::max(tolerance, size))
    throw InvalidInput(
        fmt::format("the coordinates along the motion are too large: they are rounded by up to "
                    "{:.3g}, and the smaller object is {:.3g} in size",
                    found.tolerance, size));
  const Figures figures = options.objects.figures({options.clearance, options.tolerance});
  std::vector<std::string> remarks = remarks_of(options.objects, a, b);
  add_tolerance_remark(found.tolerance, clearance, figures, remarks);
  for (std::string& remark : options.motion.remarks()) remarks.push_back(std::move(remark));
  if (options.objects.json) {
    print(with_remarks(toi_json(found, clearance, a, b), remarks));
  } else {
    print_remarks(remarks);
    print_toi(found, clearance, options.may_separate, a, b, cancel.requested(),
              travel_text(in_space(motion_a), middle_of(a), options.motion.most_turns(), figures),
              figures);
    if (found.tolerance > tolerance)
      fmt::print(
          "the tolerance is {} instead of {}: coordinates as large as along this motion "
          "are rounded by as much\n",
          figures.text(found.tolerance, 3), figures.text(tolerance, 3));
  }
  if (found.status == ToiStatus::free) return kFree;
  return found.status == ToiStatus::undecided ? kError : kContact;
}

int run_toi(const ToiArguments& options) {
  const TwoObjects& o = options.objects;
  // Parse all options before loading the files.
  if (are_outlines(o)) {
    const plane::Motion motion = plane_motion(options.motion);
    const plane::Pose pose_b = parse_plane_pose(o.pose_b, "--pose-b");
    const plane::Object a = load_outline_a(o), b = load_outline_b(o);
    return answer_toi(options, a, motion, b, plane::Motion::at(pose_b));
  }
  const Motion motion = options.motion.motion();
  const Pose pose_b = parse_pose(o.pose_b, "--pose-b");
  const Shape a = o.load_a(), b = o.load_b();
  return answer_toi(options, a, motion, b, Motion::at(pose_b));
}

}  // namespace

void add_toi(Program& program) {
  Command command = program.command(
      "toi", "When do two objects first touch? a moves, b stands still; the answer is proved");
  auto options = std::make_shared<ToiArguments>();
  options->objects.add_to(command);
  command.remove("--pose-a");
  options->motion.add_to(command);
  command.add("--tolerance", options->tolerance, "Default: 1e-6 of the smaller object's size")
      .type_name("LENGTH");
  command
      .add("--clearance", options->clearance,
           "Objects nearer than this count as in contact; `free` proves that clearance")
      .type_name("LENGTH");
  command.flag("--may-separate", options->may_separate,
               "Faces that touch at the start and are proved to separate there are no contact");
  command.add("--max-work", options->max_work, "Give up after testing this many pairs");
  command.footer(
      "Objects that come no closer than the tolerance are never reported as touching; objects\n"
      "that touch are never missed. Between poses: linear translation, slerp. Lengths are in the "
      "unit\n"
      "of the files; glTF, COLLADA and drawings take others, too: 2mm.\n\n"
      "Examples:\n"
      "  touche toi nut.obj bolt.obj --from \"0,0,2\" --to \"0,0,30\"\n"
      "  touche toi nut.obj bolt.obj --screw \"0,0,0, 0,0,1, 3600, 2\" --tolerance 1e-4\n"
      "  touche toi a.stl b.stl --to \"10,0,0,0.7071068,0,0,0.7071068\" --json\n"
      "  touche toi ball.json bolt.obj --to \"0,0,30\"\n"
      "  touche toi key.svg lock.dxf --turn \"20,10,90\"");
  command.runs([options] { return run_toi(*options); });
}

}  // namespace touche::cli
