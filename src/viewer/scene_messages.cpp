// SPDX-License-Identifier: Apache-2.0
#include "viewer/scene_messages.h"

#include <fmt/core.h>

#include "viewer/mesh_chunks.h"
#include "viewer/method_view.h"

namespace touche::viewer {
namespace {

constexpr std::size_t kMostFaceFloats = 1'200'000;

}  // namespace

protocol::Scene scene_message(const Opened& opened) {
  protocol::Scene scene;
  Aabb box;
  for (std::uint32_t n = 0; n < opened.nodes.size(); ++n) {
    const OpenedNode& node = opened.nodes[n];
    protocol::Node told;
    told.id = n;
    told.parent = node.parent;
    told.name = node.name;
    told.kind = node.object ? protocol::NodeKind::body : protocol::NodeKind::group;
    told.fixed = opened.simulation && opened.simulation->bodies[n].fixed;
    told.mesh = node.object ? static_cast<std::uint32_t>(*node.object) : kNone;
    told.colour = node.colour;
    told.pose = node.pose;
    scene.nodes.push_back(std::move(told));
    if (!node.object) continue;
    const Aabb& own = opened.objects[*node.object].bounds();
    for (int corner = 0; corner < 8; ++corner)
      box.include(node.pose * Vec3((corner & 1) != 0 ? own.hi.x() : own.lo.x(),
                                   (corner & 2) != 0 ? own.hi.y() : own.lo.y(),
                                   (corner & 4) != 0 ? own.hi.z() : own.lo.z()));
  }
  scene.lo = box.lo;
  scene.hi = box.hi;
  for (const Object& object : opened.objects) {
    protocol::Mesh mesh;
    mesh.vertices = object.soup().vertex_count();
    mesh.triangles = object.soup().triangle_count();
    mesh.chunks = piece_count(object);
    mesh.lo = object.bounds().lo;
    mesh.hi = object.bounds().hi;
    mesh.closed = is_closed(object);
    scene.meshes.push_back(mesh);
  }
  return scene;
}

protocol::FaceShape face_message(const Opened& opened, std::uint32_t node, std::uint32_t face) {
  const PolygonSoup& soup = opened.objects[opened.nodes.at(node).object.value()].soup();
  if (face >= soup.face_count())
    throw InvalidInput(
        fmt::format("There is no face {}; the part has {}.", face, soup.face_count()));
  protocol::FaceShape shape{
      .node = node, .face = face, .group = std::string(soup.face_group(face))};
  // Triangles of a face follow each other.
  const auto before = [&](Index t) { return soup.face_of_triangle(t) < face; };
  Index first = 0, count = soup.triangle_count();
  while (count > 0) {
    const Index half = count / 2;
    if (before(first + half)) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  for (Index t = first; t < soup.triangle_count() && soup.face_of_triangle(t) == face; ++t) {
    if (shape.triangles.size() + 9 > kMostFaceFloats) break;
    for (const Index v : soup.triangle(t))
      for (int i = 0; i < 3; ++i) shape.triangles.push_back(static_cast<float>(soup.vertex(v)[i]));
  }
  return shape;
}

}  // namespace touche::viewer
