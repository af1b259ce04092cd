// SPDX-License-Identifier: Apache-2.0
#include "depth.h"

#include <algorithm>
#include <map>
#include <set>

#include "touche/world.h"

namespace touche::bench {
namespace {

// A convex polyhedron: its corners, and the directions of its faces and edges, each once.
struct Convex {
  std::vector<Vec3> corners, normals, edges;
};

void add_direction(std::vector<Vec3>& directions, const Vec3& v) {
  const double length = v.norm();
  if (!(length > 1e-12)) return;
  const Vec3 unit = v / length;
  for (const Vec3& known : directions)
    if (known.cross(unit).squaredNorm() < 1e-20) return;
  directions.push_back(unit);
}

Convex convex_of(const PolygonSoup& soup) {
  Convex made;
  made.corners.assign(soup.vertices().begin(), soup.vertices().end());
  for (Index f = 0; f < soup.face_count(); ++f) {
    const auto face = soup.face(f);
    const Vec3 a = soup.vertex(face[0]);
    add_direction(made.normals, (soup.vertex(face[1]) - a).cross(soup.vertex(face[2]) - a));
    for (std::size_t i = 0; i < face.size(); ++i)
      add_direction(made.edges, soup.vertex(face[(i + 1) % face.size()]) - soup.vertex(face[i]));
  }
  return made;
}

// Returns by how much the projections on an axis overlap, moving either way.
double overlap(const std::vector<Vec3>& a, const std::vector<Vec3>& b, const Vec3& axis) {
  double a_lo = kInfinity, a_hi = -kInfinity, b_lo = kInfinity, b_hi = -kInfinity;
  for (const Vec3& p : a) {
    const double x = axis.dot(p);
    a_lo = std::min(a_lo, x);
    a_hi = std::max(a_hi, x);
  }
  for (const Vec3& p : b) {
    const double x = axis.dot(p);
    b_lo = std::min(b_lo, x);
    b_hi = std::max(b_hi, x);
  }
  return std::min(a_hi - b_lo, b_hi - a_lo);
}

double depth(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b) {
  const Pose to_a = relative(pose_a, pose_b);
  std::vector<Vec3> corners, edges;
  for (const Vec3& p : b.corners) corners.push_back(to_a * p);
  for (const Vec3& e : b.edges) edges.push_back(to_a.rotate(e));
  double least = kInfinity;
  const auto try_axis = [&](const Vec3& axis) {
    least = std::min(least, overlap(a.corners, corners, axis));
  };
  for (const Vec3& n : a.normals) try_axis(n);
  for (const Vec3& n : b.normals) try_axis(to_a.rotate(n));
  for (const Vec3& e : a.edges)
    for (const Vec3& f : edges) {
      const Vec3 axis = e.cross(f);
      const double length = axis.norm();
      if (length > 1e-9) try_axis(axis / length);
    }
  return std::max(0., least);
}

}  // namespace

struct DepthMeter::Data {
  World world;
  std::vector<Convex> shapes;
  std::vector<NodeId> nodes;
  std::map<NodeId, std::size_t> bodies;
  std::vector<std::size_t> meshes;                       // of bodies
  std::set<std::pair<std::size_t, std::size_t>> joined;  // which may pass through each other
};

DepthMeter::DepthMeter(const Task& task) : data_(std::make_unique<Data>()) {
  std::vector<Object> objects;
  for (const scenes::DynamicMesh& mesh : task.scene.meshes) {
    objects.emplace_back(mesh.soup, mesh.name);
    data_->shapes.push_back(convex_of(mesh.soup));
  }
  for (const scenes::DynamicBody& body : task.scene.bodies) {
    data_->nodes.push_back(data_->world.add(objects[body.mesh], body.pose, {.fixed = body.fixed}));
    data_->bodies.emplace(data_->nodes.back(), data_->meshes.size());
    data_->meshes.push_back(body.mesh);
  }
  for (const scenes::DynamicHinge& hinge : task.scene.hinges)
    if (hinge.to) data_->joined.insert(std::minmax(hinge.body, *hinge.to));
}

DepthMeter::~DepthMeter() = default;

Overlap DepthMeter::measure(const std::vector<State>& states) {
  for (std::size_t b = 0; b < states.size(); ++b)
    data_->world.set_pose(data_->nodes[b], states[b].pose);
  Overlap found;
  for (const TouchingPair& pair : data_->world.touching_pairs().pairs) {
    const std::size_t a = data_->bodies.at(pair.a), b = data_->bodies.at(pair.b);
    if (data_->joined.contains(std::minmax(a, b))) continue;
    ++found.pairs;
    found.deepest = std::max(found.deepest, depth(data_->shapes[data_->meshes[a]], states[a].pose,
                                                  data_->shapes[data_->meshes[b]], states[b].pose));
  }
  return found;
}

}  // namespace touche::bench
