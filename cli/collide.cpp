// SPDX-License-Identifier: Apache-2.0
// touche collide: tests whether two objects touch, and where.
#include <fmt/core.h>

#include <algorithm>

#include "commands.h"
#include "outlines.h"
#include "separation.h"
#include "touche/shape_file.h"
#include "trees.h"
#include "two_objects.h"

namespace touche::cli {
namespace {

struct CollideArguments {
  TwoObjects objects;
  std::size_t max_contacts = 0;  // 0: all
  TreeCollide trees;
  SeparationInput separation;
};

// For two meshes or two outlines of the plane.
template <class AnyResult, class AnyBody>
void print_contacts(const AnyResult& found, const AnyBody& a, const AnyBody& b) {
  if (found.contacts.empty()) {
    fmt::print("free: the {} do not touch\n", whole_of(a));
    return;
  }
  fmt::print("contact: {}{} pair{} of {}\n", found.complete ? "" : "at least ",
             found.contacts.size(), found.contacts.size() == 1 ? "" : "s", parts_of(a));
  for (std::size_t i = 0; i < std::min(kListed, found.contacts.size()); ++i)
    fmt::print("pair {}:\n{}\n", i + 1, contact_text(found.contacts[i], a, b));
  if (found.contacts.size() > kListed)
    fmt::print("({} more; --json lists all)\n", found.contacts.size() - kListed);
}

template <class AnyResult, class AnyBody>
int answer_contacts(const CollideArguments& options, const AnyResult& found, const AnyBody& a,
                    const AnyBody& b) {
  const std::vector<std::string> remarks = remarks_of(options.objects, a, b);
  if (options.objects.json) {
    Json list = Json::array();
    for (const auto& c : found.contacts) list.push_back(to_json(c, a, b));
    print(with_remarks({{"intersects", !found.contacts.empty()},
                        {"complete", found.complete},
                        {"contacts", list},
                        {"work", to_json(found.stats)}},
                       remarks));
  } else {
    print_remarks(remarks);
    print_contacts(found, a, b);
  }
  return found.contacts.empty() ? kFree : kContact;
}

/// The results of the requested queries for two bodies with common points, one of them convex.
struct ShapeOverlap {
  std::optional<DepthResult> depth;  // of two convex shapes only
  std::vector<ShapeContact> contacts;
  bool complete = true;  // false if contacts are left out
};

ShapeOverlap overlap_of(const CollideArguments& options, const Shape& a, const Pose& pose_a,
                        const Shape& b, const Pose& pose_b) {
  ShapeOverlap found;
  if (a.is_convex() && b.is_convex()) found.depth = depth(a, pose_a, b, pose_b);
  found.contacts = contacts(a, pose_a, b, pose_b).contacts;
  if (options.max_contacts > 0 && found.contacts.size() > options.max_contacts) {
    found.contacts.resize(options.max_contacts);
    found.complete = false;
  }
  return found;
}

/// The members that contacts of any bodies have. The distance is signed.
Contact contact_of(const ShapeContact& c) {
  return {c.face_a, c.face_b, {}, {}, c.point_a, c.point_b, c.normal, c.distance};
}

Json contact_json(const ShapeContact& c, const Shape& a, const Shape& b) {
  Json json = to_json(contact_of(c), a, b);
  json.erase("distance");
  json["separation"] = c.distance;
  return json;
}

void print_collide(const ShapeOverlap& found, const Shape& a, const Shape& b) {
  fmt::print("contact: they have points in common\n");
  if (const auto& deep = found.depth)
    fmt::print("  depth {:.9g}: b moved by {:.9g} along {} is out of a\n", deep->depth.lower,
               deep->depth.upper, vector_text(deep->direction, 6));
  for (std::size_t i = 0; i < std::min(kListed, found.contacts.size()); ++i)
    fmt::print("point {}:\n{}\n  separation {:.6g}\n", i + 1,
               contact_text(contact_of(found.contacts[i]), a, b), found.contacts[i].distance);
  if (found.contacts.size() > kListed)
    fmt::print("({} more; --json lists all)\n", found.contacts.size() - kListed);
}

int answer_overlap(const CollideArguments& options, const Shape& a, const Pose& pose_a,
                   const Shape& b, const Pose& pose_b) {
  const IntersectsResult found = intersects(a, pose_a, b, pose_b);
  ShapeOverlap overlap;
  if (found.intersects) overlap = overlap_of(options, a, pose_a, b, pose_b);
  if (options.objects.json) {
    Json json = {{"intersects", found.intersects},
                 {"decided", found.complete},
                 {"complete", found.complete && overlap.complete}};
    if (const auto& deep = overlap.depth)
      json["depth"] = {{"lower", deep->depth.lower},
                       {"upper", deep->depth.upper},
                       {"direction", to_json(deep->direction)}};
    json["contacts"] = Json::array();
    for (const ShapeContact& c : overlap.contacts)
      json["contacts"].push_back(contact_json(c, a, b));
    json["work"] = to_json(found.stats);
    print(json);
  } else if (!found.complete) {
    fmt::print("not decided: the surfaces touch or not, within rounding\n");
  } else if (!found.intersects) {
    fmt::print("free: they have no point in common\n");
  } else {
    print_collide(overlap, a, b);
  }
  return !found.complete ? kError : found.intersects ? kContact : kFree;
}

int run_collide(const CollideArguments& options) {
  const TwoObjects& o = options.objects;
  if (options.separation.wanted()) {
    if (options.trees.wanted()) throw InvalidInput("--separation is not answered by volume trees");
    return options.separation.run(o, options.max_contacts);
  }
  const bool outlines = are_outlines(o);
  if (options.trees.wanted()) {
    if (outlines) throw InvalidInput("volume trees are for meshes, not for drawings");
    if (is_named_json(o.file_a) || is_named_json(o.file_b))
      throw InvalidInput("volume trees are for meshes, not for shapes");
    return options.trees.run(o, options.max_contacts);
  }
  ContactsOptions how;
  if (options.max_contacts > 0) how.max_contacts = options.max_contacts;
  if (outlines) {
    const plane::Pose pose_a = parse_plane_pose(o.pose_a, "--pose-a"),
                      pose_b = parse_plane_pose(o.pose_b, "--pose-b");
    const plane::Object a = load_outline_a(o), b = load_outline_b(o);
    return answer_contacts(options, contacts(a, pose_a, b, pose_b, how), a, b);
  }
  const Pose pose_a = parse_pose(o.pose_a, "--pose-a"), pose_b = parse_pose(o.pose_b, "--pose-b");
  const Shape a = o.load_a(), b = o.load_b();
  if (a.is_convex() || b.is_convex()) return answer_overlap(options, a, pose_a, b, pose_b);
  return answer_contacts(options, contacts(a.object(), pose_a, b.object(), pose_b, how), a, b);
}

}  // namespace

void add_collide(Program& program) {
  Command command =
      program.command("collide", "Do two objects touch, and where? Lists the pairs of faces");
  auto options = std::make_shared<CollideArguments>();
  options->objects.add_to(command);
  command.add("--max-contacts", options->max_contacts, "Stop after this many (0: never)");
  options->separation.add_to(command);
  options->trees.add_to(command);
  command.footer(
      "Touching counts. Surfaces are tested: an object wholly inside another does not touch it.\n"
      "--separation treats closed bodies as solid. If they overlap, it reports the diameter of a\n"
      "ball that fits into both, and a shift of b that is proved to separate them, the shortest\n"
      "found. Faces, vertices and edges are numbered from 0 in the order of the file. Shapes are\n"
      "solid. The output for two shapes is their depth and the corners of their contact polygon;\n"
      "for a shape and a mesh, these corners for each face, and how far the shape reaches\n"
      "through it.\n\n"
      "Examples:\n"
      "  touche collide nut.obj bolt.obj\n"
      "  touche collide nut.obj bolt.obj --pose-a \"0,0,0.004\" --json\n"
      "  touche collide block.stl part.stl --separation\n"
      "  touche collide mm.stl m.obj --scale-b 1000 --max-contacts 1\n"
      "  touche collide nut.obj bolt.obj --method median --volume aabb --expansion hybrid");
  command.runs([options] { return run_collide(*options); });
}

}  // namespace touche::cli
