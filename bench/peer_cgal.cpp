// SPDX-License-Identifier: Apache-2.0
// CGAL with exact predicates: its collision detection of rigid meshes for whether any pair
// intersects. For all pairs, every triangle of b is searched in the tree of a, as CGAL has no other
// method.
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Rigid_triangle_mesh_collision_detection.h>
#include <CGAL/Surface_mesh.h>

#include "peer.h"

namespace touche::bench {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;
using Triangle = Kernel::Triangle_3;
using Mesh = CGAL::Surface_mesh<Point>;
using Triangles = std::vector<Triangle>;
using Primitive = CGAL::AABB_triangle_primitive<Kernel, Triangles::const_iterator>;
using Tree = CGAL::AABB_tree<CGAL::AABB_traits<Kernel, Primitive>>;

Point point(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

// Triangle by triangle, so that it accepts what is no manifold.
Mesh mesh(const PolygonSoup& soup) {
  Mesh result;
  for (const Vec3& v : soup.vertices()) result.add_vertex(point(v));
  for (const auto& t : soup.triangles())
    result.add_face(Mesh::Vertex_index(t[0]), Mesh::Vertex_index(t[1]), Mesh::Vertex_index(t[2]));
  return result;
}

Kernel::Aff_transformation_3 transform(const Pose& pose) {
  const Mat3 r = pose.matrix();
  const Vec3& t = pose.translation();
  return {r(0, 0), r(0, 1), r(0, 2), t.x(),   r(1, 0), r(1, 1),
          r(1, 2), t.y(),   r(2, 0), r(2, 1), r(2, 2), t.z()};
}

class Cgal final : public Rival {
 public:
  Cgal(const PolygonSoup& a, const PolygonSoup& b)
      : mesh_a_(mesh(a)), mesh_b_(mesh(b)), soup_b_(b) {
    collision_.add_mesh(mesh_a_, CGAL::parameters::apply_per_connected_component(false));
    collision_.add_mesh(mesh_b_, CGAL::parameters::apply_per_connected_component(false));
    for (const auto& t : a.triangles())
      triangles_a_.emplace_back(point(a.vertex(t[0])), point(a.vertex(t[1])),
                                point(a.vertex(t[2])));
  }

  bool intersects(const PosePair& p) override {
    // Both go into a's frame, as the other peers do.
    collision_.set_transformation(0, transform(Pose()));
    collision_.set_transformation(1, transform(relative(p.a, p.b)));
    return !collision_.get_all_intersections(0).empty();
  }

  std::size_t all_pairs(const PosePair& p, std::vector<FacePair>* pairs) override {
    if (!tree_a_) tree_a_ = std::make_unique<Tree>(triangles_a_.cbegin(), triangles_a_.cend());
    const Pose b_in_a = relative(p.a, p.b);
    std::vector<Point> moved;
    moved.reserve(soup_b_.vertex_count());
    for (const Vec3& v : soup_b_.vertices()) moved.push_back(point(b_in_a * v));
    std::size_t count = 0;
    std::vector<Primitive::Id> found;
    for (Index t = 0; t < soup_b_.triangle_count(); ++t) {
      const auto& corner = soup_b_.triangle(t);
      found.clear();
      tree_a_->all_intersected_primitives(
          Triangle(moved[corner[0]], moved[corner[1]], moved[corner[2]]),
          std::back_inserter(found));
      count += found.size();
      if (pairs)
        for (const auto& id : found)
          pairs->push_back({static_cast<Index>(id - triangles_a_.cbegin()), t});
    }
    return count;
  }

 private:
  Mesh mesh_a_, mesh_b_;
  CGAL::Rigid_triangle_mesh_collision_detection<Mesh> collision_;
  PolygonSoup soup_b_;
  Triangles triangles_a_;
  std::unique_ptr<Tree> tree_a_;
};

}  // namespace

Peer cgal_peer() {
  return {"CGAL",
          {Question::intersects, Question::all_pairs},
          [](const PolygonSoup& a, const PolygonSoup& b) -> std::unique_ptr<Rival> {
            return std::make_unique<Cgal>(a, b);
          }};
}

}  // namespace touche::bench
