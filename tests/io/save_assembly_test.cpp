// SPDX-License-Identifier: Apache-2.0
// Assemblies go to a file and come back.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "shapes.h"
#include "study_files.h"
#include "touche/io.h"

namespace touche::save_assembly_test {
namespace {

AssemblyMesh mesh_of(const PolygonSoup& soup, const std::string& name) {
  AssemblyMesh mesh;
  mesh.name = name;
  for (const Vec3& v : soup.vertices())
    mesh.coordinates.insert(mesh.coordinates.end(), {v.x(), v.y(), v.z()});
  for (Index f = 0; f < soup.face_count(); ++f) {
    const auto face = soup.face(f);
    mesh.corners.insert(mesh.corners.end(), face.begin(), face.end());
    mesh.face_sizes.push_back(static_cast<Index>(face.size()));
  }
  return mesh;
}

AssemblyNode node(const std::string& name, Index parent, std::vector<Index> meshes, const Vec3& at,
                  const Mat3& linear = Mat3::Identity()) {
  AssemblyNode made;
  made.name = made.step = name;
  made.parent = parent;
  made.meshes = std::move(meshes);
  made.translation = at;
  made.linear = linear;
  return made;
}

TEST(SaveAssembly, ComesBack) {
  const test::StudyFolder folder("save-assembly");
  const auto file = folder.path() / "a.glb";
  Assembly assembly;
  assembly.meshes = {mesh_of(scenes::box({0, 0, 0}, {1, 2, 3}, 2), "box"),
                     mesh_of(scenes::sphere(1, 200), "ball"), AssemblyMesh{"nothing", {}, {}, {}}};
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  assembly.nodes = {node("root", kNone, {}, {0.1, 0.2, 0.3}, turn),
                    node("Zylinder \"ö\"", 0, {0}, {1, 2, 3}, 2 * turn),
                    node("scaled", 0, {1}, {4, 5, 6}, Vec3(1, 2, 3).asDiagonal()),
                    node("below", 2, {0, 1}, {7, 8, 9}),
                    node("empty", 0, {2}, {0, 0, 0}),
                    node("lone", kNone, {0}, {1, 1, 1})};
  save_assembly(assembly, file);
  const Assembly read = load_assembly(file);
  ASSERT_EQ(read.nodes.size(), assembly.nodes.size());
  EXPECT_EQ(read.meshes.size(), 3u);  // the third is both in one
  for (std::size_t n = 0; n < read.nodes.size(); ++n) {
    const AssemblyNode &before = assembly.nodes[n], &after = read.nodes[n];
    EXPECT_EQ(after.name, before.name);
    EXPECT_EQ(after.parent, before.parent);
    EXPECT_LT((after.linear - before.linear).norm(), 1e-14);
    EXPECT_LT((after.translation - before.translation).norm(), 1e-14);
    EXPECT_EQ(after.meshes.empty(), before.meshes.empty() || before.meshes[0] == 2);
  }
  EXPECT_EQ(read.nodes[1].meshes, read.nodes[5].meshes);
  EXPECT_EQ(read.soup(3).triangle_count(), scenes::box({0, 0, 0}, {1, 2, 3}, 2).triangle_count() +
                                               scenes::sphere(1, 200).triangle_count());
  const PolygonSoup box = read.soup(5);
  EXPECT_EQ(box.bounds().lo, Vec3(1, 1, 1));
  EXPECT_EQ(box.bounds().hi, Vec3(2, 3, 4));
  // Other programs find it with y up.
  EXPECT_EQ(load_assembly(file, {.up = UpAxis::z}).soup(5).bounds().hi, Vec3(2, 4, -1));
  // An assembly that comes from a file can be written again.
  save_assembly(read, folder.path() / "b.glb");
  const Assembly again = load_assembly(folder.path() / "b.glb");
  EXPECT_EQ(again.meshes.size(), 3u);
  for (const Index n : {Index{1}, Index{2}, Index{3}, Index{5}}) {
    EXPECT_LT((again.soup(n).bounds().lo - read.soup(n).bounds().lo).norm(), 1e-12);
    EXPECT_LT((again.soup(n).bounds().hi - read.soup(n).bounds().hi).norm(), 1e-12);
  }
}

TEST(SaveAssembly, RefusesWhatCannotBeExpressed) {
  const test::StudyFolder folder("save-refused");
  const auto save_with = [&](const Assembly& assembly) {
    save_assembly(assembly, folder.path() / "a.glb");
  };
  Assembly assembly;
  EXPECT_THROW(save_assembly(assembly, folder.path() / "a.obj"), LoadError);
  EXPECT_THROW(save_assembly(assembly, folder.path() / "none" / "a.glb"), LoadError);
  EXPECT_NO_THROW(save_with(assembly));
  assembly.meshes = {mesh_of(scenes::box({0, 0, 0}, {1, 1, 1e60}), "box")};
  assembly.nodes = {node("a", kNone, {0}, {0, 0, 0})};
  EXPECT_THROW(save_with(assembly), LoadError);
  assembly.meshes = {mesh_of(scenes::box({0, 0, 0}, {1, 1, 1}), "box")};
  assembly.nodes = {node("a", kNone, {}, {0, 0, 0}, Mat3::Zero()), node("b", 0, {0}, {0, 0, 0})};
  EXPECT_THROW(save_with(assembly), LoadError);
  assembly.nodes = {node("a", kNone, {0}, {0, 0, std::nan("")})};
  EXPECT_THROW(save_with(assembly), LoadError);
}

}  // namespace
}  // namespace touche::save_assembly_test
