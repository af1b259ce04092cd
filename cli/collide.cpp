// SPDX-License-Identifier: Apache-2.0
// touche collide: tests whether two objects touch, and where. With volume trees: which faces, at
// what cost.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "commands.h"
#include "outlines.h"
#include "shapes.h"
#include "touche/io.h"
#include "touche/separation.h"
#include "tree_options.h"
#include "two_objects.h"

namespace touche::cli {
namespace {

constexpr std::size_t kListed = 20;

struct CollideArguments {
  TwoObjects objects;
  std::size_t max_contacts = 0;  // 0: all
  TreeInput tree;
  std::string tree_a, tree_b;
  TraversalOptions traversal;
  Option expansion, queue;
  bool separation = false;
  std::string tolerance;  // a length; empty: see run_separation

  bool trees() const {
    const bool wanted = !tree_a.empty() || !tree_b.empty() || tree.wanted();
    if (!wanted && (expansion.given() || queue.given()))
      throw InvalidInput("--expansion and --queue are for volume trees: give --method or --tree-a");
    return wanted;
  }
};

// For objects in space or in the plane.
template <class AnyResult, class AnyObject>
void print_contacts(const AnyResult& found, const AnyObject& a, const AnyObject& b) {
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

/// Loads the tree from a file if one is given; otherwise builds it by the given method.
VolumeTree tree_of(const std::string& mesh, double scale, const std::string& file,
                   const TreeInput& how) {
  PolygonSoup soup = load_soup(mesh, {.scale = scale});
  if (!file.empty()) return load_tree(std::move(soup), file);
  if (!how.wanted()) throw InvalidInput("one tree is given, the other needs a file or --method");
  return VolumeTree(std::move(soup), how.options());
}

Json work_of(const TreeStats& stats) {
  Json work = to_json(stats);
  constexpr const char* kKinds[] = {"sphere", "aabb", "obb", "other"};
  Json kinds = Json::object();
  for (std::size_t i = 0; i < std::size(kKinds); ++i)
    for (std::size_t j = 0; j < std::size(kKinds); ++j)
      if (stats.by_kind[i][j] > 0)
        kinds[fmt::format("{} {}", kKinds[i], kKinds[j])] = stats.by_kind[i][j];
  work["volume_tests_by_kind"] = kinds;
  work["front"] = stats.front;
  return work;
}

void print_collide(const TreeResult& found) {
  if (!found.intersects)
    fmt::print("free: the surfaces do not touch\n");
  else
    fmt::print("contact: {} pair{} of faces\n", found.pairs.size(),
               found.pairs.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < std::min(kListed, found.pairs.size()); ++i)
    fmt::print("  face {} of a, face {} of b\n", found.pairs[i].a, found.pairs[i].b);
  if (found.pairs.size() > kListed)
    fmt::print("({} more; --json lists all)\n", found.pairs.size() - kListed);
  fmt::print("{} tests of volumes, {} of triangles ({} exact), front of {}\n",
             found.stats.volume_tests, found.stats.primitive_tests, found.stats.exact_tests,
             found.stats.front);
}

int run_trees(const CollideArguments& options) {
  const TwoObjects& o = options.objects;
  if (options.max_contacts > 1)
    throw InvalidInput("--max-contacts: volume trees find all pairs (0) or one (1)");
  TraversalOptions how = options.traversal;
  how.all_pairs = options.max_contacts == 0;
  const VolumeTree a = tree_of(o.file_a, o.scale_a, options.tree_a, options.tree);
  const VolumeTree b = tree_of(o.file_b, o.scale_b, options.tree_b, options.tree);
  const TreeResult found =
      intersects(a, parse_pose(o.pose_a, "--pose-a"), b, parse_pose(o.pose_b, "--pose-b"), how);
  if (o.json) {
    Json list = Json::array();
    for (const FacePair& pair : found.pairs) list.push_back({pair.a, pair.b});
    print({{"intersects", found.intersects}, {"pairs", list}, {"work", work_of(found.stats)}});
  } else {
    print_collide(found);
  }
  return found.intersects ? kContact : kFree;
}

template <class AnyObject, class AnyPose>
int answer_collide(const CollideArguments& options, const AnyObject& a, const AnyPose& pose_a,
                   const AnyObject& b, const AnyPose& pose_b) {
  ContactsOptions how;
  if (options.max_contacts > 0) how.max_contacts = options.max_contacts;
  const auto found = contacts(a, pose_a, b, pose_b, how);
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

/// The results of the requested queries for two shapes with common points.
struct ShapeOverlap {
  std::optional<DepthResult> depth;  // of two convex shapes only
  std::vector<ShapeContact> contacts;
  bool complete = true;  // false if contacts are left out
};

ShapeOverlap overlap_of(const CollideArguments& options, const Shape& a, const Pose& pose_a,
                        const Shape& b, const Pose& pose_b) {
  ShapeOverlap found;
  if (answers(ShapeQuestion::depth, a.kind(), b.kind())) found.depth = depth(a, pose_a, b, pose_b);
  if (!answers(ShapeQuestion::contacts, a.kind(), b.kind())) return found;
  found.contacts = contacts(a, pose_a, b, pose_b).contacts;
  if (options.max_contacts > 0 && found.contacts.size() > options.max_contacts) {
    found.contacts.resize(options.max_contacts);
    found.complete = false;
  }
  return found;
}

void print_collide(const ShapeOverlap& found, const Shape& a, const Shape& b) {
  fmt::print("contact: they have points in common\n");
  if (const auto& deep = found.depth)
    fmt::print("  depth {:.9g}: b moved by {:.9g} along {} is out of a\n", deep->depth.lower,
               deep->depth.upper, vector_text(deep->direction, 6));
  for (std::size_t i = 0; i < std::min(kListed, found.contacts.size()); ++i)
    fmt::print("point {}:\n{}\n", i + 1, contact_text(found.contacts[i], a, b));
  if (found.contacts.size() > kListed)
    fmt::print("({} more; --json lists all)\n", found.contacts.size() - kListed);
}

int run_shapes(const CollideArguments& options) {
  const TwoObjects& o = options.objects;
  const Shape a = load_shape_a(o), b = load_shape_b(o);
  const Pose pose_a = parse_pose(o.pose_a, "--pose-a"), pose_b = parse_pose(o.pose_b, "--pose-b");
  const IntersectsResult found = intersects(a, pose_a, b, pose_b);
  ShapeOverlap overlap;
  if (found.intersects) overlap = overlap_of(options, a, pose_a, b, pose_b);
  if (o.json) {
    Json json = {{"intersects", found.intersects},
                 {"decided", found.decided},
                 {"complete", found.decided && overlap.complete}};
    if (const auto& deep = overlap.depth)
      json["depth"] = {{"lower", deep->depth.lower},
                       {"upper", deep->depth.upper},
                       {"direction", to_json(deep->direction)}};
    json["contacts"] = Json::array();
    for (const ShapeContact& c : overlap.contacts) json["contacts"].push_back(to_json(c, a, b));
    json["work"] = to_json(found.stats);
    print(json);
  } else if (!found.decided) {
    fmt::print("not decided: the surfaces touch or not, within rounding\n");
  } else if (!found.intersects) {
    fmt::print("free: they have no point in common\n");
  } else {
    print_collide(overlap, a, b);
  }
  return !found.decided ? kError : found.intersects ? kContact : kFree;
}

/// Default tolerance of shifts: this share of the smaller object's size.
constexpr double kTolerance = 1e-5;

void print_collide(const Separation& found, double tolerance) {
  const std::string way = vector_text(found.direction, 6);
  switch (found.status) {
    case SeparationStatus::apart:
      fmt::print("free: {:.9g} apart (proved: at least {:.9g}), b from a along {}\n",
                 found.distance.upper, found.distance.lower, way);
      break;
    case SeparationStatus::overlapping:
      fmt::print(
          "contact: they touch or are in each other\n"
          "  depth {:.9g}: b moved by {:.9g} along {} is out of a\n",
          std::abs(found.distance.upper), -found.distance.lower, way);
      break;
    case SeparationStatus::undecided:
      fmt::print("not decided: they touch or not, within rounding\n");
      return;
  }
  if (!found.complete)
    fmt::print(
        "  not complete: lengths are proved, but not found to two tolerances ({:.3g} each)\n",
        tolerance);
}

int run_separation(const CollideArguments& options) {
  const TwoObjects& o = options.objects;
  if (are_outlines(o)) throw InvalidInput("--separation is for bodies of space, not for drawings");
  if (options.max_contacts > 0)
    throw InvalidInput("--max-contacts: --separation lists no contacts");
  const Shape a = load_shape_a(o), b = load_shape_b(o);
  const double size = std::min(size_of(a), size_of(b));
  SeparationOptions how;
  how.tolerance = o.positive_length(options.tolerance, "--tolerance");
  if (options.tolerance.empty())
    how.tolerance = size > 0 && std::isfinite(size) ? kTolerance * size : kTolerance;
  const Separation found =
      separation(a, parse_pose(o.pose_a, "--pose-a"), b, parse_pose(o.pose_b, "--pose-b"), how);
  const bool decided = found.status != SeparationStatus::undecided;
  if (o.json) {
    Json json = {{"status", name(found.status)}};
    if (decided) {
      json["distance"] = {{"lower", without_sign_of_zero(found.distance.lower)},
                          {"upper", without_sign_of_zero(found.distance.upper)}};
      json["direction"] = to_json(found.direction);
      json["shift"] = to_json(found.shift);
    }
    json["complete"] = found.complete;
    json["tolerance"] = how.tolerance;
    json["work"] = found.work;
    print(json);
  } else {
    print_collide(found, how.tolerance);
  }
  if (!decided) return kError;
  return found.status == SeparationStatus::overlapping ? kContact : kFree;
}

int run_collide(const CollideArguments& options) {
  const TwoObjects& o = options.objects;
  if (!options.separation && !options.tolerance.empty())
    throw InvalidInput("--tolerance is for --separation: contacts are found exactly");
  if (options.separation) {
    if (options.trees()) throw InvalidInput("--separation is not answered by volume trees");
    return run_separation(options);
  }
  const bool outlines = are_outlines(o);
  if (options.trees()) {
    if (outlines) throw InvalidInput("volume trees are for meshes, not for drawings");
    if (are_shapes(o)) throw InvalidInput("volume trees are for meshes, not for shapes");
    return run_trees(options);
  }
  if (are_shapes(o)) return run_shapes(options);
  if (outlines) {
    const plane::Pose pose_a = parse_plane_pose(o.pose_a, "--pose-a"),
                      pose_b = parse_plane_pose(o.pose_b, "--pose-b");
    const plane::Object a = load_outline_a(o), b = load_outline_b(o);
    return answer_collide(options, a, pose_a, b, pose_b);
  }
  const Pose pose_a = parse_pose(o.pose_a, "--pose-a"), pose_b = parse_pose(o.pose_b, "--pose-b");
  const Object a = o.load_a(), b = o.load_b();
  return answer_collide(options, a, pose_a, b, pose_b);
}

}  // namespace

void add_collide(Program& program) {
  Command command =
      program.command("collide", "Do two objects touch, and where? Lists the pairs of faces");
  auto options = std::make_shared<CollideArguments>();
  options->objects.add_to(command);
  command.add("--max-contacts", options->max_contacts, "Stop after this many (0: never)");
  command.flag("--separation", options->separation,
               "Closed bodies: how deep in each other, and the shortest way out; or how far apart");
  command
      .add("--tolerance", options->tolerance,
           "Of --separation: lengths are found to two of it; default: 1e-5 of the smaller one's "
           "size")
      .type_name("LENGTH");
  options->tree.add_to(command);
  const auto file = [&](const char* name, std::string& value, const char* help) {
    command.add(name, value, help).type_name("FILE").group("Volume tree");
  };
  file("--tree-a", options->tree_a, "Search this tree of a's, from touche build --method");
  file("--tree-b", options->tree_b, "And this one of b's");
  options->expansion = add_choice(command, "--expansion", options->traversal.expansion,
                                  "Which nodes of a pair are opened");
  options->queue =
      add_choice(command, "--queue", options->traversal.order, "Which pair is looked at next");
  options->expansion.group("Volume tree");
  options->queue.group("Volume tree");
  command.footer(
      "Touching counts. Surfaces are tested: an object wholly inside another does not touch it.\n"
      "--separation takes closed bodies as solid: of two in each other it tells the diameter of a\n"
      "ball that fits into both, and a shift of b that is proved to part them, the shortest "
      "found.\n"
      "Faces, vertices and edges are numbered from 0 in the order of the file. Shapes are solid; "
      "of\n"
      "two of them their depth is told, and the corners of what they have in contact; of a shape\n"
      "and a mesh those of each face, with how far the shape reaches through it.\n\n"
      "Examples:\n"
      "  touche collide nut.obj bolt.obj\n"
      "  touche collide nut.obj bolt.obj --pose-a \"0,0,0.004\" --json\n"
      "  touche collide block.stl part.stl --separation\n"
      "  touche collide mm.stl m.obj --scale-b 1000 --max-contacts 1\n"
      "  touche collide nut.obj bolt.obj --method median --volume aabb --expansion hybrid");
  command.runs([options] { return run_collide(*options); });
}

}  // namespace touche::cli
