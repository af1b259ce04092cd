// SPDX-License-Identifier: Apache-2.0
// Awkward files from the tests of other projects. Counts were taken from the files themselves by
// a separate script (headers, vcounts, distinct positions), not from what our readers say.
#include <gtest/gtest.h>

#include <set>

#include "shared_data.h"
#include "touche/io.h"

namespace touche::bad_meshes_test {
namespace {

namespace fs = std::filesystem;

struct Row {
  const char* file;
  Index vertices, faces, corners;  // all 0: refused
  const char* group;               // of the last face; or a part of the error that must be given
};

constexpr Row kRows[] = {
    {"ballA.off", 1900, 3796, 11388, ""},
    {"ballB.off", 1900, 3796, 11388, ""},
    {"box.STL", 4455, 8954, 26862, ""},
    {"busted.STL", 1941, 3878, 11634, ""},
    {"comments.off", 8, 6, 24, ""},
    {"counterXP.3MF", 43276, 83750, 251250, "body14018"},
    {"cube.glb", 8, 12, 36, "geometry_0_0"},  // its first chunk is not padded to four bytes
    {"cube_and_sphere_same_name.3mf", 2570, 5132, 15396, "Object"},
    {"duck.dae", 2108, 2144, 8500, "LOD3sp"},
    {"empty.obj", 0, 0, 0, ": no faces (0 vertices)"},
    {"empty.ply", 0, 0, 0, ": no faces (0 vertices)"},
    {"empty.stl", 0, 0, 0, ": no faces (0 vertices)"},
    {"featuretype.STL", 1722, 3476, 10428, ""},  // binary; 288 vertices are joined
    {"fixed_top.ply", 2374, 4772, 14316, ""},
    {"mirror.ply", 143, 286, 858, ""},
    {"multibody.stl", 20, 32, 96, "bodyA"},
    {"nancolor.obj", 8, 12, 36, ""},
    {"negative_indices.obj", 8, 6, 24, ""},
    {"nested.glb", 72, 36, 108, "block03"},
    {"no_indices_3storybuilding.glb", 216, 72, 216, "floor_2"},
    {"not_convex.obj", 288, 96, 288, ""},
    {"notenoughindices.obj", 0, 0, 0, ":9: a face needs 3 corners, this one has 2"},
    {"obj_with_no_face_in_chunk.obj", 3, 1, 3, "group2"},
    {"points_emptyascii.ply", 0, 0, 0, ":23: more data than the header announces"},  // 13 points
    {"points_emptyface.ply", 0, 0, 0, ": no faces (1024 vertices)"},
    {"polygonfaces.obj", 5, 1, 5, "textureSurface"},
    {"soup.stl", 300, 100, 300, ""},
    {"tet.ply", 4, 4, 12, ""},
    {"two_objects_mixed_case_names.stl", 16, 24, 72, "TranslatedCubeExportedFromCAD"},
    {"unit_cube.STL", 8, 12, 36, ""},  // binary, although it begins with "solid"
    {"whitespace.off", 8, 6, 24, ""},
    {"invalid/OutOfMemory.off", 0, 0, 0, ":2: 353535235358 vertices announced"},
    {"invalid/box_nested_animation_4286.dae", 0, 0, 0,
     ":179: skinned and morphed meshes are not read"},
    {"invalid/crash-30d6d0f7c529b3b66b4131700b7a4580cd7082df.ply", 0, 0, 0,
     ":7: unknown property type '\\x00"},
    {"invalid/empty.obj", 0, 0, 0, ": the file is empty"},
    {"invalid/empty.off", 0, 0, 0, ": the file is empty"},
    {"invalid/empty.ply", 0, 0, 0, ": the file is empty"},
    {"invalid/invalid.off", 0, 0, 0, ":6: a face needs 3 corners, this one has 0"},
    {"invalid/malformed.obj", 0, 0, 0, ":28: vertex numbers start at 1"},
    {"invalid/malformed2.obj", 0, 0, 0, ":23: a face needs 3 corners, this one has 0"},
};

bool is_mesh(const fs::path& path) {
  const std::string ending = path.extension().string();
  return ending != ".trimesh" && ending != ".assimp" && ending != ".txt";
}

TEST(BadMeshes, LoadWithTheRightContentOrAreRefused) {
  TOUCHE_NEED_SHARED_DATA();
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.file);
    const fs::path path = test::shared_data() / "bad_meshes" / row.file;
    if (row.faces == 0) {
      try {
        (void)load_soup(path);
        ADD_FAILURE() << "was not refused";
      } catch (const LoadError& error) {
        EXPECT_TRUE(std::string(error.what()).starts_with(path.string() + row.group))
            << error.what();
      }
      continue;
    }
    PolygonSoup soup;
    ASSERT_NO_THROW(soup = load_soup(path));
    EXPECT_EQ(soup.vertex_count(), row.vertices);
    EXPECT_EQ(soup.face_count(), row.faces);
    EXPECT_EQ(soup.corner_count(), row.corners);
    EXPECT_EQ(soup.face_group(soup.face_count() - 1), row.group);
  }
}

TEST(BadMeshes, NoFileIsMissingFromTheTable) {
  TOUCHE_NEED_SHARED_DATA();
  const fs::path folder = test::shared_data() / "bad_meshes";
  std::set<std::string> in_folder, in_table;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && is_mesh(entry.path())) {
      in_folder.insert(fs::relative(entry.path(), folder).generic_string());
    }
  }
  for (const Row& row : kRows) in_table.insert(row.file);
  EXPECT_EQ(in_folder, in_table);
}

// Where the scenes of 3MF, glTF and COLLADA put their parts; bounds computed by the same script.
TEST(BadMeshes, ScenesAreAssembled) {
  TOUCHE_NEED_SHARED_DATA();
  const fs::path folder = test::shared_data() / "bad_meshes";
  const auto expect_bounds = [&](const char* file, const Vec3& lo, const Vec3& hi) {
    const Aabb box = load_soup(folder / file).bounds();
    EXPECT_LT((box.lo - lo).cwiseAbs().maxCoeff(), 1e-4) << file << box.lo.transpose();
    EXPECT_LT((box.hi - hi).cwiseAbs().maxCoeff(), 1e-4) << file << box.hi.transpose();
  };
  expect_bounds("counterXP.3MF", {-111.48989, 5.779197, 255.860162},
                {193.31011, 310.187997, 281.698413});
  expect_bounds("cube_and_sphere_same_name.3mf", {-19.999, -20, 0}, {72.8015, 20, 40});
  // z up inside, turned by the root node to glTF's y up, and by the reader back again.
  expect_bounds("no_indices_3storybuilding.glb", {-23.2071419, -63.3614082, 0}, {32.873001, 0, 9});
}

// Every other mesh of the shared data loads.
TEST(BadMeshes, GoodMeshesLoad) {
  TOUCHE_NEED_SHARED_DATA();
  const std::set<std::string> endings = {".obj", ".off", ".ply", ".stl"};
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(test::shared_data())) {
    const fs::path& path = entry.path();
    if (!entry.is_regular_file() || !endings.contains(path.extension().string())) continue;
    // The other two folders hold files that may be refused.
    const fs::path folder = *fs::relative(path, test::shared_data()).begin();
    if (folder == "bad_meshes" || folder == "cases") continue;
    EXPECT_NO_THROW(EXPECT_GT(load_soup(path).face_count(), 0u)) << path;
    ++files;
  }
  EXPECT_GT(files, 40);
}

}  // namespace
}  // namespace touche::bad_meshes_test
