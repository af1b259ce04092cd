// SPDX-License-Identifier: Apache-2.0
// touche path: finds every contact along a motion, and the clearance between them.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "commands.h"
#include "motion_options.h"
#include "outlines.h"
#include "progress.h"
#include "touche/overlap.h"
#include "touche/path.h"
#include "touche/plane.h"
#include "touche/shape_file.h"
#include "two_objects.h"

namespace touche::cli {
namespace {

struct PathArguments {
  TwoObjects objects;
  MotionOptions motion;
  PathOptions path;
  std::string tolerance, clearance, touching;  // lengths
  int steps = 256;
  bool surfaces = false;
};

// The functions below take bodies in space or outlines of the plane.
template <class AnyThickness>
Json thickness_json(const AnyThickness& t) {
  const double upper = t.diameter.upper;
  return {{"lower", t.diameter.lower},
          {"upper", std::isfinite(upper) ? Json(upper) : Json()},
          {"centre", cli::to_json(t.centre)}};
}

template <class AnyResult, class AnyBody>
Json path_json(const AnyResult& r, const AnyBody& a, const AnyBody& b) {
  Json json = {{"verdict", name(r.verdict)}, {"tolerance", r.tolerance}};
  json["least_clearance"] = {
      {"proved", r.min_clearance.lower},
      {"found", std::isfinite(r.min_clearance.upper) ? Json(r.min_clearance.upper) : Json()},
      {"at", r.min_clearance_at}};
  json["containment_before"] = name(r.before);
  json["may_reach_in"] = r.may_reach_in;
  json["contacts"] = Json::array();
  for (const auto& c : r.contacts) {
    Json interval = {{"free_until", c.start.lower},
                     {"touched_at", c.start.upper},
                     {"touched_until", c.end.lower},
                     {"free_from", c.end.upper}};
    if (c.first) interval["first"] = cli::to_json(*c.first, a, b);
    if (c.last) interval["last"] = cli::to_json(*c.last, a, b);
    interval["deepest"] = thickness_json(c.deepest);
    interval["deepest_at"] = c.deepest_at;
    interval["touching"] = c.max_touching_thickness;
    interval["only_touching"] = c.only_touching;
    interval["touching_until"] = c.touching_until;
    interval["containment_after"] = name(c.after);
    json["contacts"].push_back(interval);
  }
  json["samples"] = Json::array();
  for (const ClearanceSample& s : r.samples)
    json["samples"].push_back(
        {{"t", s.t}, {"distance", s.clearance.upper}, {"proved", s.clearance.lower}});
  json["decided_until"] = r.decided_until;
  json["work"] = cli::to_json(r.stats);
  return json;
}

// Empty if neither object is known to lie inside the other.
std::string inside_text(Containment containment) {
  return containment == Containment::a_in_b   ? "a lies inside b"
         : containment == Containment::b_in_a ? "b lies inside a"
                                              : "";
}

// Indents the lines by two columns.
std::string indented(const std::string& lines) {
  std::string text = "  ";
  for (const char c : lines) {
    text += c;
    if (c == '\n') text += "  ";
  }
  return text;
}

const char* why_off(const Shape&) {
  return ", the deviation of meshes from smooth surfaces (an estimate)";
}
const char* why_off(const plane::Object&) { return ", the deviation of chords from curves"; }

// Of all overlaps found, the largest that is proved to be there.
template <class AnyResult>
double thickest(const AnyResult& r) {
  double most = 0;
  for (const auto& c : r.contacts) most = std::max(most, c.deepest.diameter.lower);
  return most;
}
// A bound of all that were tested.
template <class AnyResult>
double most_tested(const AnyResult& r) {
  double most = 0;
  for (const auto& c : r.contacts) most = std::max(most, c.max_thickness);
  return most;
}

template <class AnyResult>
double allowed(const AnyResult& r) {
  double most = 0;
  for (const auto& c : r.contacts) most = std::max(most, c.max_touching_thickness);
  return most;
}

// Returns whether all contacts are known and each may be only a touch.
template <class AnyResult>
bool may_only_touch(const AnyResult& r) {
  return r.decided_until == 1 && !r.contacts.empty() &&
         std::all_of(r.contacts.begin(), r.contacts.end(),
                     [](const auto& c) { return c.only_touching; });
}

// The position up to which all contacts are proved to be touches.
template <class AnyResult>
double touching_until(const AnyResult& r) {
  for (const auto& c : r.contacts)
    if (c.touching_until < c.end.upper) return c.touching_until;
  return 1;
}

std::string word_of_bounds(const Shape&) { return "surface"; }
std::string word_of_bounds(const plane::Object&) { return "outline"; }

template <class AnyResult, class AnyBody>
void print_path(const AnyResult& r, const PathOptions& options, const AnyBody& a, const AnyBody& b,
                const std::string& what_is_open, const std::string& travel,
                const Figures& figures) {
  switch (r.verdict) {
    case PathVerdict::free:
      fmt::print("free, proved");
      if (r.may_reach_in)
        fmt::print(": no {} touches another, and neither object lies inside the other",
                   word_of_bounds(a));
      if (r.min_clearance.lower > 0)
        fmt::print("{} at least {} apart everywhere", r.may_reach_in ? ";" : ":",
                   figures.text(r.min_clearance.lower, 6));
      fmt::print("\n");
      break;
    case PathVerdict::near:
      fmt::print("near: {}, proved; but less than {} apart\n",
                 r.may_reach_in ? fmt::format("no {} touches another, and neither object lies "
                                              "inside the other",
                                              word_of_bounds(a))
                                : "no contact",
                 figures.text(options.clearance, 6));
      break;
    case PathVerdict::touching:
      fmt::print("touching, proved: {} {}{}{}\n",
                 r.may_reach_in
                     ? fmt::format("neither object lies inside the other, and at no time do {}s "
                                   "overlap by more than",
                                   word_of_bounds(a))
                     : "at no time is an overlap thicker than",
                 figures.text(allowed(r), 3),
                 options.chord_errors_a.empty() && options.chord_errors_b.empty() ? "" : why_off(a),
                 thickest(r) > 0
                     ? fmt::format("; the thickest found is {}", figures.text(thickest(r), 3))
                     : "");
      break;
    case PathVerdict::open:
      fmt::print("{}s {}, proved; whether one object lies inside the other is unknown: {}\n",
                 word_of_bounds(a), r.contacts.empty() ? "do not touch" : "only touch",
                 what_is_open);
      break;
    case PathVerdict::clash:
      fmt::print("clash\n");
      break;
    case PathVerdict::undecided:
      if (may_only_touch(r)) {
        fmt::print(
            "not decided: at all times tested the objects only touch, with overlaps of at most {}, "
            "but this is not proved between these times after t = {:.6g}\n",
            figures.text(most_tested(r), 3), touching_until(r));
        break;
      }
      fmt::print(
          "not decided: the allowed work is used up, or it was stopped; all contacts are "
          "known for t < {:.12g}{}\n",
          r.decided_until,
          r.decided_until == 1 && r.before == Containment::undecided
              ? ", but not whether one object lies inside the other"
              : "");
      break;
  }
  if (r.contacts.empty() && r.verdict != PathVerdict::undecided) fmt::print("{}\n", travel);
  if (std::isfinite(r.min_clearance.upper) && r.contacts.empty() && inside_text(r.before).empty())
    fmt::print("least clearance: in [{:.9g}, {:.9g}]{}, found at t = {:.9g}\n",
               figures.factor() * r.min_clearance.lower, figures.factor() * r.min_clearance.upper,
               figures.name(), r.min_clearance_at);
  if (const std::string inside = inside_text(r.before); !inside.empty())
    fmt::print("at t = 0 {}\n", inside);
  for (std::size_t i = 0; i < r.contacts.size(); ++i) {
    const auto& c = r.contacts[i];
    fmt::print("contact {}: from t in [{:.9g}, {:.9g}] to t in [{:.9g}, {:.9g}]\n", i + 1,
               c.start.lower, c.start.upper, c.end.lower, c.end.upper);
    if (c.deepest.diameter.lower > 0 && std::isfinite(c.deepest.diameter.upper))
      fmt::print("  overlap up to {} thick (at most {}), at t = {:.6g}\n",
                 figures.text(c.deepest.diameter.lower, 6),
                 figures.text(c.deepest.diameter.upper, 6), c.deepest_at);
    else if (c.deepest.diameter.upper > 0 && std::isfinite(c.deepest.diameter.upper))
      fmt::print("  {}overlap no thicker than {}, at t = {:.6g}\n",
                 r.may_reach_in ? word_of_bounds(a) + "s " : "",
                 figures.text(c.deepest.diameter.upper, 6), c.deepest_at);
    if (c.first) fmt::print("  first:\n{}\n", indented(contact_text(*c.first, a, b, figures)));
    if (c.last && c.end.upper < 1)
      fmt::print("  last:\n{}\n", indented(contact_text(*c.last, a, b, figures)));
    if (const std::string inside = inside_text(c.after); !inside.empty())
      fmt::print("  from then on {}\n", inside);
  }
}

// Chord errors by face, of a mesh; all edges of a drawing have the same one.
std::vector<double> chord_errors_of(const Shape& shape) {
  return chord_errors(shape.object().soup());
}
std::vector<double> chord_errors_of(const plane::Object& object) {
  return std::vector<double>(object.in_space().soup().face_count(), object.outline().chord_error());
}

InsideFault fault_of(const Shape& shape) {
  return shape.is_convex() ? InsideFault::none : inside_fault(shape.object().soup());
}
InsideFault fault_of(const plane::Object&) { return InsideFault::none; }

bool is_open(const Shape& shape) {
  return !shape.is_convex() && Interior(shape.object()).is_open();
}
bool is_open(const plane::Object& object) { return Interior(object.in_space()).is_open(); }

double closed_gap(const Shape& shape) {
  return shape.is_convex() ? 0 : Interior(shape.object()).closed_gap();
}
double closed_gap(const plane::Object&) { return 0; }

// Narrower gaps, as a share of the size, are not worth a remark.
constexpr double kSlit = 1e-6;

// ", at (1, 0, 0.5) in its coordinates"
std::string where_open(const Shape& shape) {
  const std::optional<Vec3> at = Interior(shape.object()).open_at();
  return at ? ", at " + vector_text(*at, 6) + " in its coordinates" : "";
}
std::string where_open(const plane::Object& object) {
  const std::optional<Vec3> at = Interior(object.in_space()).open_at();
  return at ? ", at " + vector_text(plane::Vec2(at->head<2>()), 6) + " in its coordinates" : "";
}

// "peg.stl is open, at (1, 0, 0.5) in its coordinates"
template <class AnyBody>
std::string open_text(const TwoObjects& objects, const AnyBody& a, const AnyBody& b) {
  const bool a_is_open = is_open(a), b_is_open = is_open(b);
  if (a_is_open && b_is_open) return "both are open; " + objects.file_b + where_open(b);
  if (!a_is_open && !b_is_open)
    return (closed_gap(a) > 0 ? objects.file_a : objects.file_b) + " has gaps that are near";
  return a_is_open ? objects.file_a + " is open" + where_open(a)
                   : objects.file_b + " is open" + where_open(b);
}

template <class AnyBody, class AnyMotion>
int answer_path(const PathArguments& options, const AnyBody& a, const AnyMotion& motion_a,
                const AnyBody& b, const AnyMotion& motion_b, double mesh_error = 0,
                std::vector<std::string> remarks = {}) {
  const Cancel cancel;
  const CancelOnSignal on_signal(cancel);
  PathOptions how = options.path;
  how.step = 1.0 / options.steps;
  how.budget.cancel = cancel;
  how.tolerance = options.objects.positive_length(options.tolerance, "--tolerance");
  how.clearance = options.objects.length(options.clearance, "--clearance");
  if (options.touching == "chord_error") {
    // Chord errors are estimated for meshes only: convex shapes are exact, or the error of the mesh
    // around them is known and reported.
    if (!is_named_json(options.objects.file_a)) how.chord_errors_a = chord_errors_of(a);
    if (!is_named_json(options.objects.file_b)) how.chord_errors_b = chord_errors_of(b);
  } else {
    how.max_touching_thickness = options.objects.length(options.touching, "--touching");
  }
  // Shapes are convex, so a ball in the polyhedron around a round shape (see mesh_around) lies in
  // the shape once its radius is reduced by the mesh error.
  const double thinner = 2 * mesh_error;
  how.max_touching_thickness += thinner;
  if (!(how.tolerance > 0)) how.tolerance = 1e-6 * std::min(size_of(a), size_of(b));
  auto r = path(a, motion_a, b, motion_b, how);
  for (auto& contact : r.contacts)
    contact.deepest.diameter.lower = std::max(0.0, contact.deepest.diameter.lower - thinner);
  for (std::string& remark : remarks_of(options.objects, a, b))
    remarks.push_back(std::move(remark));
  for (const auto& [file, object] :
       {std::pair(&options.objects.file_a, &a), std::pair(&options.objects.file_b, &b)})
    if (const InsideFault fault = fault_of(*object); fault != InsideFault::none)
      remarks.push_back(fmt::format("{}: {}", *file, remark_of(fault)));
  const Figures figures =
      options.objects.figures({options.clearance, options.touching, options.tolerance});
  add_tolerance_remark(r.tolerance, how.clearance, figures, remarks);
  for (std::string& remark : options.motion.remarks()) remarks.push_back(std::move(remark));
  for (const auto& [file, object] :
       {std::pair(&options.objects.file_a, &a), std::pair(&options.objects.file_b, &b)})
    if (const double gap = closed_gap(*object); gap > kSlit * size_of(*object))
      remarks.push_back(fmt::format(
          "{}: its gaps are no wider than {:.2g} and count as closed for what lies in it", *file,
          gap));
  if (options.objects.json) {
    Json json = path_json(r, a, b);
    if (r.verdict == PathVerdict::open) {
      json["a_is_open"] = is_open(a);
      json["b_is_open"] = is_open(b);
    }
    print(with_remarks(json, remarks));
  } else {
    print_remarks(remarks);
    print_path(r, how, a, b, r.verdict == PathVerdict::open ? open_text(options.objects, a, b) : "",
               travel_text(in_space(motion_a), middle_of(a), options.motion.most_turns(), figures),
               figures);
  }
  switch (r.verdict) {
    case PathVerdict::free:
    case PathVerdict::near:
      return kFree;
    case PathVerdict::touching:
    case PathVerdict::clash:
      return kContact;
    case PathVerdict::open:
      if (!r.contacts.empty()) return kContact;
      return options.surfaces ? kFree : kOpen;
    case PathVerdict::undecided:
      break;
  }
  return kError;
}

// Paths of a convex shape and a mesh do not decide all that paths of two meshes do: what lies
// inside of an open mesh, and which contacts only touch because shrinking both bodies separates
// them. So a bounded shape beside a mesh is replaced by the mesh around it if the mesh is open or
// if overlaps are allowed. If the mesh around it is larger than the shape, adds a remark. Returns
// by how much it is larger, a length.
double mesh_around(Shape& shape, const Shape& other, bool allows_overlap, const std::string& file,
                   std::vector<std::string>& remarks) {
  if (!shape.is_convex() || shape.kind() == ShapeKind::half_space || other.is_convex() ||
      (!allows_overlap && Interior(other).closed()))
    return 0;
  ShapeFileMesh made = load_shape_mesh(file);
  if (made.error > 0)
    remarks.push_back(fmt::format(
        "{}: beside this mesh the round shape is tested as a polyhedron around it, which is "
        "larger by up to {:.3g}: the verdict free and reported overlaps hold for the shape; where "
        "contact is reported there may be a gap, and clearances may be larger, by as much",
        file, made.error));
  shape = Object(std::move(made.mesh));
  return made.error;
}

int run_path(const PathArguments& options) {
  const TwoObjects& o = options.objects;
  if (are_outlines(o)) {
    const plane::Motion motion = plane_motion(options.motion);
    const plane::Pose pose_b = parse_plane_pose(o.pose_b, "--pose-b");
    const plane::Object a = load_outline_a(o), b = load_outline_b(o);
    return answer_path(options, a, motion, b, plane::Motion::at(pose_b));
  }
  const Motion motion = options.motion.motion();
  const Pose pose_b = parse_pose(o.pose_b, "--pose-b");
  Shape a = o.load_a(), b = o.load_b();
  std::vector<std::string> remarks;
  const bool allows_overlap = !options.touching.empty();
  const double error = mesh_around(a, b, allows_overlap, o.file_a, remarks) +
                       mesh_around(b, a, allows_overlap, o.file_b, remarks);
  return answer_path(options, a, motion, b, Motion::at(pose_b), error, std::move(remarks));
}

}  // namespace

void add_path(Program& program) {
  Command command = program.command(
      "path", "All contacts along a motion, how deep, and the clearance in between; proved");
  auto options = std::make_shared<PathArguments>();
  options->objects.add_to(command);
  command.remove("--pose-a");
  options->motion.add_to(command);
  PathOptions& path = options->path;
  command.add("--tolerance", options->tolerance, "Default: 1e-6 of the smaller object's size")
      .type_name("LENGTH");
  command.add("--clearance", options->clearance, "Less than this is near").type_name("LENGTH");
  command
      .add("--touching", options->touching,
           "Objects that overlap no thicker than this touch, else they clash; or "
           "chord_error: than faces that meet may be off from the smooth surfaces they stand for; "
           "default: the tolerance")
      .type_name("LENGTH");
  command
      .add("--steps", options->steps,
           "Least number of samples of the clearance, and of tests whether a contact has ended")
      .range(1, 1e6)
      .show_default();
  command.flag("--surfaces", options->surfaces, kSurfacesHelp);
  command.add("--threads", path.threads, "0: all; the result is the same").range(0, 1024);
  command
      .add("--thickness-points", path.thickness_points,
           "Points tested for the thickness of an overlap, at each time; 0: none is measured, and "
           "each contact is a clash")
      .show_default();
  command.add("--max-work", path.budget.max_work,
              "Give up on a search for a contact after testing this many pairs, on a thickness "
              "after as many points");
  command.footer(
      "Contacts are intervals; each end is bracketed, and outside of them the objects are proved\n"
      "apart. The thickness of an overlap is the diameter of the largest ball that fits into\n"
      "both. Of drawings it is that of the largest disc inside of both; what closed chains\n"
      "enclose counts, by the even-odd rule. Shapes are solid and exact; beside an open mesh,\n"
      "and with --touching, round ones are tested as polyhedra around them, with a remark.\n"
      "Exit code: 0 free or near, 1 touching or clash, 2 not decided, 3 surfaces do not touch,\n"
      "but an object is open, so what lies inside it is unknown (0 with --surfaces).\n\n"
      "Examples:\n"
      "  touche path nut.obj bolt.obj --screw \"0,0,0, 0,0,1, 3600, 2\"\n"
      "  touche path peg.stl hole.stl --to \"0,0,40\" --clearance 0.05\n"
      "  touche path a.stl b.stl --to \"10,0,0\" --json | jq .contacts\n"
      "  touche path ball.json bolt.obj --to \"0,0,30\"\n"
      "  touche path key.svg lock.dxf --from \"-30,0\" --to \"5,0,90\" --clearance 0.1");
  command.runs([options] { return run_path(*options); });
}

}  // namespace touche::cli
