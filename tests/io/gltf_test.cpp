// SPDX-License-Identifier: Apache-2.0
// glTF files made here: which triangles they hold and where, and what is refused with which words.
#include <cmath>

#include "gltf_files.h"

namespace touche::gltf_test {
namespace {

using FaceList = std::vector<std::vector<Index>>;
using test::face;
using test::GltfFile;
using test::Io;
using test::nodes;
using test::raws;

class Gltf : public Io {
 protected:
  static std::string mesh(const std::string& position, const std::string& more = "") {
    return "{\"primitives\":[{\"attributes\":{\"POSITION\":" + position + "}" + more + "}]}";
  }
  static std::string one(const std::string& meshes, const std::string& node = "\"mesh\":0") {
    return "\"meshes\":[" + meshes + "]," + nodes({node});
  }
  // Coordinates as in the file.
  PolygonSoup soup(const std::string& name, const std::string& bytes) const {
    return load_soup(write(name, bytes), {.up = UpAxis::z});
  }
  // A triangle at the origin, the last of three numbers of each vertex 0.
  const std::vector<float> triangle_ = {0, 0, 0, 1, 0, 0, 0, 1, 0};

  std::string triangle_error(const std::string& node, const std::string& rest = "") const {
    GltfFile file;
    const std::string position = file.positions(triangle_);
    return error("a.gltf", file.text(one(mesh(position), node) + rest));
  }
};

TEST_F(Gltf, ReadsDataInsideBesideAndInABinaryFile) {
  GltfFile file;
  const std::string position = file.positions({0.1f, 0, 0, 1, 0, 0, 0, 1, 0, 9, 9, 9});
  const std::string list = file.array(raws<std::uint16_t>({0, 1, 2}), 5123, "SCALAR", 3);
  const std::string rest = one(mesh(position, ",\"indices\":" + list), "\"mesh\":0,\"name\":\"n\"");
  write("my bytes.bin", file.buffer());
  for (const auto& [name, bytes] :
       {std::pair{"a.gltf", file.text(rest)}, std::pair{"a.glb", file.binary(rest)},
        std::pair{"b.gltf", file.document(rest, "my%20bytes.bin")}}) {
    const PolygonSoup soup = this->soup(name, bytes);
    ASSERT_EQ(soup.face_count(), 1u) << name;
    EXPECT_EQ(soup.vertex_count(), 3u) << name;  // the fourth is not used
    EXPECT_EQ(soup.vertex(0), Vec3(0.1f, 0, 0)) << name;
    EXPECT_EQ(soup.face_group(0), "n");
  }
  EXPECT_EQ(error("c.gltf", file.document(rest, "../x.bin")),
            ":/buffers/0/uri: a buffer must be a file in the same folder or below it");
  EXPECT_EQ(error("c.gltf", file.document(rest, "http://x/y")),
            ":/buffers/0/uri: a buffer must be a file in the same folder or below it");
  const std::string missing = error("c.gltf", file.document(rest, "none.bin"));
  EXPECT_TRUE(missing.starts_with(":/buffers/0/uri: ")) << missing;
  EXPECT_NE(missing.find("none.bin: "), missing.npos) << missing;
  EXPECT_EQ(error("c.gltf", file.document(rest, "data:;base64,AAA")),
            ":/buffers/0: 54 bytes announced, there are 2");
  EXPECT_EQ(error("c.gltf", file.document(rest, "")), ":/buffers/0: the buffer has no data");
}

TEST_F(Gltf, ReadsTrianglesStripsAndFans) {
  GltfFile file;
  const std::string position = file.positions({0, 0, 0, 1, 0, 0, 2, 1, 0, 3, 3, 0, 1, 4, 0});
  const auto faces = [&](const std::string& more) {
    const PolygonSoup soup = this->soup("a.gltf", file.text(one(mesh(position, more))));
    FaceList all;  // by the x and y of their corners, which distinguish the vertices
    for (Index f = 0; f < soup.face_count(); ++f) {
      all.emplace_back();
      for (const Index v : soup.face(f)) {
        const Vec3& p = soup.vertex(v);
        all.back().push_back(static_cast<Index>(p.x() == 1 && p.y() == 4 ? 4 : p.x()));
      }
    }
    return all;
  };
  EXPECT_EQ(faces(",\"mode\":5"), (FaceList{{0, 1, 2}, {1, 3, 2}, {2, 3, 4}}));
  EXPECT_EQ(faces(",\"mode\":6"), (FaceList{{1, 2, 0}, {2, 3, 0}, {3, 4, 0}}));
  EXPECT_EQ(error("a.gltf", file.text(one(mesh(position)))),
            ":/meshes/0/primitives/0: 5 corners of triangles, which is no multiple of 3");
  EXPECT_EQ(error("a.gltf", file.text(one(mesh(position, ",\"mode\":1")))),
            ": no faces: 1 primitive of lines is left out");
  const std::string list = file.array(raws<std::uint8_t>({4, 2, 0}), 5121, "SCALAR", 3);
  EXPECT_EQ(faces(",\"indices\":" + list), (FaceList{{4, 2, 0}}));
  const std::string wrong = file.array(raws<std::uint32_t>({0, 5, 1}), 5125, "SCALAR", 3);
  EXPECT_EQ(error("a.gltf", file.text(one(mesh(position, ",\"indices\":" + wrong)))),
            ":/meshes/0/primitives/0: index 1 is 5, but there are 5 vertices");
}

TEST_F(Gltf, ReadsComponentsOfAllTypesStridesAndSparseArrays) {
  const auto second = [&](GltfFile& file, const std::string& position) {
    return soup("a.gltf", file.text(one(mesh(position)))).vertex(1);
  };
  {
    GltfFile file;
    const auto bytes = raws<std::int8_t>({0, 0, 0, -128, 127, 5, 0, 1, 0});
    EXPECT_EQ(second(file, file.array(bytes, 5120, "VEC3", 3)), Vec3(-128, 127, 5));
    EXPECT_EQ(second(file, file.array(bytes, 5120, "VEC3", 3, ",\"normalized\":true")),
              Vec3(-1, 1, 5 / 127.));
  }
  {
    GltfFile file;
    const auto bytes = raws<std::uint16_t>({0, 0, 0, 65535, 1, 0, 0, 1, 0});
    EXPECT_EQ(second(file, file.array(bytes, 5123, "VEC3", 3, ",\"normalized\":true")),
              Vec3(1, 1 / 65535., 0));
  }
  {  // Every 16 bytes a vertex, from byte 4.
    GltfFile file;
    const std::string view =
        file.view(raws<float>({7, 0, 0, 0, 7, 1, 2, 3, 7, 0, 1, 0}), ",\"byteStride\":16");
    EXPECT_EQ(second(file, file.accessor("\"bufferView\":" + view +
                                         ",\"byteOffset\":4,\"componentType\":5126,"
                                         "\"type\":\"VEC3\",\"count\":3")),
              Vec3(1, 2, 3));
    EXPECT_EQ(error("a.gltf", file.text(one(mesh(file.accessor(
                                  "\"bufferView\":" + view +
                                  ",\"byteOffset\":8,\"componentType\":5126,\"type\":\"VEC3\","
                                  "\"count\":3"))))),
              ":/accessors/1: 3 elements, 16 bytes apart, from byte 8 of a view of 48");
  }
  {  // Zeros, two of which are replaced.
    GltfFile file;
    const std::string indices = file.view(raws<std::uint8_t>({1, 2}));
    const std::string values = file.view(raws<float>({1, 2, 3, 4, 5, 7}));
    const std::string members =
        "\"componentType\":5126,\"type\":\"VEC3\",\"count\":3,\"sparse\":{\"count\":2,"
        "\"indices\":{\"bufferView\":" +
        indices + ",\"componentType\":5121},\"values\":{\"bufferView\":" + values + "}}";
    const PolygonSoup soup = this->soup("a.gltf", file.text(one(mesh(file.accessor(members)))));
    EXPECT_EQ(soup.vertex(0), Vec3(0, 0, 0));
    EXPECT_EQ(soup.vertex(1), Vec3(1, 2, 3));
    EXPECT_EQ(soup.vertex(2), Vec3(4, 5, 7));
  }
  GltfFile file;
  const std::string nan = file.positions({0, 0, 0, 1, std::nanf(""), 0, 0, 1, 0});
  EXPECT_EQ(error("a.gltf", file.text(one(mesh(nan)))),
            ":/accessors/0: element 1: the coordinate nan is not finite");
}

TEST_F(Gltf, PlacesMeshesByNodes) {
  GltfFile file;
  const std::string position = file.positions(triangle_);
  const std::string rest =
      "\"meshes\":[" + mesh(position) + "]," +
      nodes({"\"name\":\"outer\",\"translation\":[10,20,30],\"scale\":[2,2,2],\"children\":[1,2]",
             // Turned by 90° about z, then what stands left of it.
             "\"mesh\":0,\"name\":\"turned\",\"rotation\":[0,0,0.70710678,0.70710678],"
             "\"translation\":[1,0,0]",
             "\"mesh\":0,\"name\":\"mirrored\",\"matrix\":[-1,0,0,0,0,1,0,0,0,0,1,0,0,0,5,1]"});
  const PolygonSoup soup = this->soup("a.gltf", file.text(rest));
  ASSERT_EQ(soup.vertex_count(), 6u);
  EXPECT_LT((soup.vertex(1) - Vec3(12, 22, 30)).norm(), 1e-14);
  EXPECT_EQ(soup.vertex(4), Vec3(8, 20, 40));
  EXPECT_EQ(soup.face_group(1), "mirrored");
  EXPECT_EQ(face(soup, 1), (std::vector<Index>{5, 4, 3}));  // outside stays outside
  const std::filesystem::path path = write("a.gltf", file.text(rest));
  EXPECT_EQ(load_soup(path, {.scale = 1000}).vertex(4), Vec3(8000, -40000, 20000));
}

// In glTF y is up, here z.
TEST_F(Gltf, IsTurnedSoThatZIsUp) {
  GltfFile file;
  const std::string position = file.positions({1, 2, 3, 0, 0, 0, 0, 1, 0});
  const auto path = write("a.gltf", file.text(one(mesh(position), "\"mesh\":0,\"name\":\"n\"")));
  EXPECT_EQ(load_soup(path).vertex(0), Vec3(1, -3, 2));
  EXPECT_EQ(load_soup(path, {.up = UpAxis::y}).vertex(0), Vec3(1, -3, 2));
  EXPECT_EQ(load_soup(path, {.up = UpAxis::z}).vertex(0), Vec3(1, 2, 3));
  EXPECT_EQ(load_soup(path, {.up = UpAxis::x}).vertex(0), Vec3(-2, -3, 1));
  EXPECT_EQ(load_soup(parse_part_name(path.string() + "#n"), {.scale = 2}).vertex(0),
            Vec3(2, -6, 4));
  EXPECT_EQ(load_assembly(path).frame.up, UpAxis::y);
  const FileFrame frame = file_frame(path, {.scale = 2});
  EXPECT_EQ(frame.up, UpAxis::y);
  EXPECT_EQ(frame.in_file({2, -6, 4}), Vec3(1, 2, 3));
}

// Of the nodes that cannot be read the others know nothing.
TEST_F(Gltf, ANodeThatCannotBeReadIsLeftOut) {
  GltfFile file;
  const std::string position = file.positions(triangle_);
  const std::string list = file.array(raws<std::uint8_t>({0, 1, 9}), 5121, "SCALAR", 3);
  const auto path = write(
      "a.gltf",
      file.text("\"animations\":[{}],\"meshes\":[" + mesh(position) + "," +
                mesh(position, ",\"indices\":" + list) + "]," +
                nodes({"\"mesh\":0,\"name\":\"good\"", "\"mesh\":0,\"skin\":0,\"name\":\"arm\"",
                       "\"name\":\"group\",\"children\":[3,4]", "\"mesh\":1,\"name\":\"broken\"",
                       "\"mesh\":1,\"name\":\"again\""},
                      "0,1,2")));
  const Assembly assembly = load_assembly(path);
  ASSERT_EQ(assembly.nodes.size(), 5u);
  ASSERT_EQ(assembly.left_out.size(), 3u);
  EXPECT_EQ(assembly.left_out[0].node, 1u);
  EXPECT_EQ(assembly.left_out[0].reason,
            "skinned meshes are not read; save the file without bones");
  EXPECT_EQ(assembly.left_out[1].node, 3u);
  EXPECT_EQ(assembly.left_out[1].place, "/meshes/1/primitives/0");
  EXPECT_EQ(assembly.left_out[2].node, 4u);
  EXPECT_EQ(assembly.left_out[2].reason, "index 2 is 9, but there are 3 vertices");
  EXPECT_EQ(assembly.soup(0).face_count(), 1u);
  ASSERT_EQ(assembly.remarks.size(), 1u);
  EXPECT_NE(assembly.remarks[0].find("('animation 0') are not used"), std::string::npos);
  // A soup of them would be less than the file has.
  EXPECT_THROW((void)assembly.soup(), LoadError);
  EXPECT_THROW((void)assembly.soup(2), LoadError);
  EXPECT_THROW((void)load_soup(path), LoadError);
  // A mesh that failed does not disturb the others.
  EXPECT_EQ(load_soup(parse_part_name(path.string() + "#good")).vertex_count(), 3u);
}

// The transform of a node is read before its mesh, and holds for all nodes below it.
TEST_F(Gltf, NodesThatCannotBePlacedAreLeftOutWithAllBelow) {
  GltfFile file;
  const std::string position = file.positions(triangle_);
  const auto path = write(
      "a.gltf", file.text("\"extensionsRequired\":[\"KHR_node_visibility\"],\"meshes\":[" +
                          mesh(position) + "]," +
                          nodes({"\"mesh\":0,\"name\":\"good\"",
                                 "\"rotation\":[0,0,0,0],\"name\":\"turned\",\"children\":[2]",
                                 "\"mesh\":0,\"name\":\"below\"",
                                 "\"name\":\"hidden\",\"children\":[4],\"extensions\":"
                                 "{\"KHR_node_visibility\":{\"visible\":false}}",
                                 "\"mesh\":0,\"name\":\"below\"",
                                 "\"mesh\":0,\"name\":\"seen\",\"extensions\":"
                                 "{\"KHR_node_visibility\":{\"visible\":true}}"},
                                "0,1,3,5")));
  const Assembly assembly = load_assembly(path);
  ASSERT_EQ(assembly.nodes.size(), 3u);
  ASSERT_EQ(assembly.left_out.size(), 1u);
  EXPECT_EQ(assembly.path(assembly.left_out[0].node), "turned");
  EXPECT_EQ(assembly.left_out[0].reason, "length 0, expected 1");
  ASSERT_EQ(assembly.remarks.size(), 1u);
  EXPECT_EQ(assembly.remarks[0],
            "1 node hidden by KHR_node_visibility (hidden) is left out, with all below");
  EXPECT_EQ(load_soup(parse_part_name(path.string() + "#seen")).face_count(), 1u);
}

// A mesh that is scaled by 0 is nothing: no point is left of it that could be met.
TEST_F(Gltf, WhatIsScaledByZeroIsNoPoint) {
  GltfFile file;
  const std::string position = file.positions(triangle_);
  for (const char* scale : {"0,0,0", "0,2,0", "1,0,0"}) {
    const auto path =
        write("a.gltf", file.text("\"meshes\":[" + mesh(position) + "]," +
                                  nodes({"\"mesh\":0,\"name\":\"good\"",
                                         "\"mesh\":0,\"name\":\"gone\",\"translation\":[99,0,0],"
                                         "\"scale\":[" +
                                             std::string(scale) + "]"},
                                        "0,1")));
    const PolygonSoup soup = load_soup(path);
    EXPECT_EQ(soup.face_count(), 1u) << scale;
    EXPECT_LT(soup.bounds().hi.x(), 90) << scale;
    ASSERT_EQ(soup.remarks().size(), 1u);
    EXPECT_EQ(soup.remarks()[0], scale[0] == '0' && scale[2] == '0'
                                     ? "1 node scaled by 0 (gone) is left out"
                                     : "1 node flattened to a line (gone) is left out");
  }
}

TEST_F(Gltf, ReadsInstances) {
  GltfFile file;
  const std::string position = file.positions({0, 0, 0, 1, 0, 0, 0, 1, 0});
  const std::string shifts = file.positions({0, 0, 0, 5, 0, 0});
  const std::string turns = file.array(raws<std::int8_t>({0, 0, 0, 127, 0, 0, 127, 0}), 5120,
                                       "VEC4", 2, ",\"normalized\":true");
  const std::string scales = file.positions({1, 1, 1, 2, 3, 1});
  const auto instanced = [&](const std::string& attributes) {
    return "\"extensionsRequired\":[\"EXT_mesh_gpu_instancing\"],\"meshes\":[" + mesh(position) +
           "]," +
           nodes({"\"mesh\":0,\"name\":\"bolt\",\"translation\":[0,0,7],\"extensions\":"
                  "{\"EXT_mesh_gpu_instancing\":{\"attributes\":{" +
                  attributes + "}}}"});
  };
  const auto path =
      write("a.gltf", file.text(instanced("\"TRANSLATION\":" + shifts + ",\"ROTATION\":" + turns +
                                          ",\"SCALE\":" + scales)));
  const Assembly assembly = load_assembly(path, {.up = UpAxis::z});
  ASSERT_EQ(assembly.nodes.size(), 3u);
  EXPECT_EQ(assembly.path(1), "bolt/bolt[0]");
  EXPECT_EQ(assembly.path(2), "bolt/bolt[1]");
  EXPECT_TRUE(assembly.nodes[0].meshes.empty());
  EXPECT_EQ(assembly.soup(1).vertex(1), Vec3(1, 0, 7));
  // Scaled, turned by half a turn about z, then moved.
  EXPECT_LT((assembly.soup(2).vertex(1) - Vec3(3, 0, 7)).norm(), 1e-12);
  EXPECT_LT((assembly.soup(2).vertex(2) - Vec3(5, -3, 7)).norm(), 1e-12);
  EXPECT_EQ(error("a.gltf", file.text(instanced(""))),
            ":/nodes/0/extensions/EXT_mesh_gpu_instancing/attributes: expected TRANSLATION, "
            "ROTATION or SCALE");
  EXPECT_EQ(
      error("a.gltf", file.text(instanced("\"TRANSLATION\":" + shifts + ",\"SCALE\":" + position))),
      ":/nodes/0/extensions/EXT_mesh_gpu_instancing/attributes: the numbers of translations, "
      "rotations and scales differ");
}

TEST_F(Gltf, RefusesNodesThatAreNoTree) {
  EXPECT_EQ(triangle_error("\"mesh\":0,\"children\":[0]"),
            ":/nodes/0: the node has two parents, or is below itself");
  GltfFile file;
  const std::string position = file.positions(triangle_);
  EXPECT_EQ(error("a.gltf", file.text("\"meshes\":[" + mesh(position) + "]," +
                                      nodes({"\"children\":[1,1]", "\"mesh\":0"}))),
            ":/nodes/1: the node has two parents, or is below itself");
  EXPECT_EQ(triangle_error("\"mesh\":1"),
            ":/nodes/0/mesh: 1, expected an integer from 0 to below 1");
  EXPECT_EQ(triangle_error("\"mesh\":0,\"children\":[7]"),
            ":/nodes/0/children/0: 7, expected an integer from 0 to below 1");
  EXPECT_EQ(triangle_error("\"mesh\":0,\"rotation\":[0,0,0,0]"),
            ":/nodes/0/rotation: length 0, expected 1");
  EXPECT_EQ(triangle_error("\"mesh\":0,\"matrix\":[1,0,0,1,0,1,0,0,0,0,1,0,0,0,0,1]"),
            ":/nodes/0/matrix: the last row is not 0 0 0 1");
}

TEST_F(Gltf, RefusesWhatWouldChangeTheSurface) {
  const std::string ok = "\"mesh\":0";
  EXPECT_EQ(triangle_error(ok, ",\"extensionsRequired\":[\"KHR_materials_unlit\"]"), "loaded");
  EXPECT_EQ(triangle_error(ok, ",\"extensionsRequired\":[\"X_y\"]"),
            ":/extensionsRequired/0: the file requires 'X_y', which is not read; save it without");
  EXPECT_EQ(triangle_error(ok + ",\"skin\":0"),
            ":/nodes/0: skinned meshes are not read; save the file without bones");
  EXPECT_EQ(triangle_error(ok + ",\"weights\":[0,0.5]"),
            ":/nodes/0/weights/1: morph targets are not read, their weights must be 0");
  GltfFile file;
  const std::string view =
      file.view(raws(triangle_), ",\"extensions\":{\"KHR_meshopt_compression\":{}}");
  const std::string compressed = file.accessor(
      "\"bufferView\":" + view + ",\"componentType\":5126,\"type\":\"VEC3\",\"count\":3");
  EXPECT_EQ(error("a.gltf", file.text(one(mesh(compressed)))),
            ":/bufferViews/0: KHR_meshopt_compression is not read; save the file without it");
}

TEST_F(Gltf, ReadsChunksThatAreNotPaddedWithARemark) {
  GltfFile file;
  const std::string position = file.positions(triangle_);
  std::string json = file.document(one(mesh(position)), "");
  while (json.size() % 4 != 2) json += ' ';
  const auto u32 = [](std::size_t n) { return test::raw(static_cast<std::uint32_t>(n)); };
  // Either nothing follows the JSON, or padding that its length does not include.
  for (const std::string padding : {"", "  "}) {
    const std::string chunks = u32(json.size()) + "JSON" + json + padding +
                               u32(file.buffer().size()) + std::string("BIN\0", 4) + file.buffer();
    const PolygonSoup s = soup("a.glb", "glTF" + u32(2) + u32(12 + chunks.size()) + chunks);
    EXPECT_EQ(s.face_count(), 1u);
    EXPECT_EQ(s.vertex_count(), 3u);
    ASSERT_EQ(s.remarks().size(), 1u);
    EXPECT_EQ(s.remarks()[0], "byte 12: a chunk of " + std::to_string(json.size()) +
                                  " bytes, which is no multiple of 4");
    EXPECT_NE(error("a.glb", "glTF" + u32(2) + u32(12) + chunks.substr(0, chunks.size() - 1)),
              "loaded");
  }
  EXPECT_TRUE(soup("b.glb", file.binary(one(mesh(position)))).remarks().empty());
}

TEST_F(Gltf, RefusesBinaryFilesThatAreTooShort) {
  GltfFile file;
  const std::string position = file.positions(triangle_);
  const std::string good = file.binary(one(mesh(position)));
  for (std::size_t size = 1; size < good.size(); ++size)
    EXPECT_NE(error("a.glb", good.substr(0, size)), "loaded") << size;
  EXPECT_EQ(error("a.glb", good), "loaded");
  std::string old = good;
  old[4] = 1;
  EXPECT_EQ(error("a.glb", old), ":byte 4: binary glTF of version 1, expected 2");
  // In version 1 lists are objects.
  for (const char* version : {"1", "\"1.0\""})
    EXPECT_EQ(
        error("a.gltf", std::string("{\"accessors\":{},\"asset\":{\"version\":") + version + "}}")
            .substr(0, 23),
        ":/asset/version: glTF 1");
}

}  // namespace
}  // namespace touche::gltf_test
