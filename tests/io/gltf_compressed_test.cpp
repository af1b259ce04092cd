// SPDX-License-Identifier: Apache-2.0
// Compressed meshes of glTF: the same triangles as without compression, and errors for damaged
// bytes.
#include <cmath>
#include <random>
#include <set>

#include "compressed_gltf.h"
#include "io/draco_mesh.h"
#include "io/meshopt.h"
#include "small_child.h"
#include "test_scale.h"

namespace touche::gltf_compressed_test {
namespace {

using test::GltfFile;
using test::nodes;
using test::PlainMesh;
using test::raws;
using test::ring;

using Triangle = std::array<std::array<double, 3>, 3>;

// The triangles of a soup, each from its least corner on, in the order of their corners.
std::multiset<Triangle> triangles(const PolygonSoup& soup) {
  std::multiset<Triangle> all;
  for (Index f = 0; f < soup.face_count(); ++f) {
    Triangle t;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3& x = soup.vertex(soup.face(f)[k]);
      t[k] = {x.x(), x.y(), x.z()};
    }
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    all.insert(t);
  }
  return all;
}

class GltfCompressed : public test::Io {
 protected:
  PolygonSoup read(const std::string& gltf) const { return soup("a.gltf", gltf); }

  // Bytes cut off anywhere, and with some changed: loaded, or refused where they stand.
  void survives_damage(const std::function<std::string(const std::string&)>& file_of,
                       const std::string& bytes) const {
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const std::string what = error("a.gltf", file_of(bytes.substr(0, size)));
      EXPECT_NE(what, "loaded") << size;
      EXPECT_TRUE(what.starts_with(":/")) << what;
    }
    std::mt19937_64 random(5);
    const int count = test::scaled(2000);
    for (int i = 0; i < count; ++i) {
      std::string damaged = bytes;
      for (std::uint64_t k = random() % 3 + 1; k-- > 0;)
        damaged[random() % damaged.size()] = static_cast<char>(random());
      const std::string what = error("a.gltf", file_of(damaged));
      EXPECT_TRUE(what == "loaded" || what.starts_with(":")) << what;
    }
  }
};

// ---- EXT_meshopt_compression --------------------------------------------------------------------

#ifdef TOUCHE_MESHOPT

TEST_F(GltfCompressed, MeshoptGivesTheSameTriangles) {
  EXPECT_TRUE(io::reads_meshopt());
  for (const auto& [sides, sections] : {std::pair{3u, 3u}, {12u, 40u}, {60u, 200u}}) {
    const PlainMesh mesh = ring(sides, sections);
    const PolygonSoup plain = read(mesh.gltf());
    for (const bool as_triangles : {true, false}) {
      const PolygonSoup soup = read(test::meshopt_gltf(mesh, as_triangles));
      EXPECT_EQ(soup.face_count(), plain.face_count());
      EXPECT_EQ(soup.vertex_count(), plain.vertex_count());
      EXPECT_EQ(triangles(soup), triangles(plain));
      EXPECT_EQ(soup.face_group(0), "ring");
    }
  }
}

// Accessors with bytes of one view, in which elements are eight bytes apart.
TEST_F(GltfCompressed, MeshoptReadsQuantisedPositionsAndShortIndices) {
  const PlainMesh mesh = ring(5, 9);
  const std::size_t count = mesh.vertex_count();
  std::vector<std::int16_t> numbers;
  std::vector<std::uint16_t> corners(mesh.corners.begin(), mesh.corners.end());
  for (std::size_t v = 0; v < count; ++v) {
    for (std::size_t k = 0; k < 3; ++k)
      numbers.push_back(static_cast<std::int16_t>(mesh.positions[3 * v + k]));
    numbers.push_back(0);
  }
  const auto gltf = [&](bool compressed, const std::string& normalised) {
    GltfFile file;
    const std::string stride = ",\"byteStride\":8";
    const std::string vertices =
        compressed ? test::add_meshopt(file, test::meshopt_vertices(raws(numbers), count, 8), count,
                                       8, "ATTRIBUTES", "},\"unknown\":{")
                   : file.view(raws(numbers), stride);
    const std::string list =
        compressed ? test::add_meshopt(file, test::meshopt_indices(mesh.corners, true),
                                       corners.size(), 2, "TRIANGLES")
                   : file.view(raws(corners));
    const std::string position = file.accessor(
        "\"bufferView\":" + vertices + ",\"componentType\":5122,\"type\":\"VEC3\",\"count\":" +
        std::to_string(count) + normalised);
    const std::string indices = file.accessor(
        "\"bufferView\":" + list +
        ",\"componentType\":5123,\"type\":\"SCALAR\",\"count\":" + std::to_string(corners.size()));
    std::string text = file.text(
        "\"extensionsRequired\":[\"KHR_mesh_quantization\"],\"meshes\":[{\"primitives\":[{"
        "\"attributes\":{\"POSITION\":" +
        position + "},\"indices\":" + indices + "}]}]," + nodes({"\"mesh\":0"}));
    // The stride belongs to the view, not to the extension.
    if (const std::size_t at = text.find("\"extensions\":{\"EXT"); compressed)
      text.insert(at, "\"byteStride\":8,");
    return text;
  };
  for (const std::string normalised : {"", ",\"normalized\":true"}) {
    const PolygonSoup plain = read(gltf(false, normalised)), soup = read(gltf(true, normalised));
    EXPECT_EQ(soup.face_count(), corners.size() / 3);
    EXPECT_EQ(triangles(soup), triangles(plain));
    EXPECT_NEAR(soup.bounds().hi.x(), normalised.empty() ? 4000 : 4000. / 32767, 1e-12);
  }
}

TEST_F(GltfCompressed, MeshoptUndoesItsFilters) {
  const PlainMesh mesh = ring(6, 8);
  const std::size_t count = mesh.vertex_count();
  std::string filtered(12 * count, '\0');
  meshopt_encodeFilterExp(filtered.data(), count, 12, 24, mesh.positions.data());
  // Half a turn about z, as the filter writes quaternions.
  const std::array<float, 8> turns = {0, 0, 1, 0, 0, 0, 0, 1};
  std::string quaternions(16, '\0');
  meshopt_encodeFilterQuat(quaternions.data(), 2, 8, 16, turns.data());

  GltfFile file;
  const std::string vertices =
      test::add_meshopt(file, test::meshopt_vertices(filtered, count, 12), count, 12, "ATTRIBUTES",
                        ",\"filter\":\"EXPONENTIAL\"");
  const std::string rotations = test::add_meshopt(file, test::meshopt_vertices(quaternions, 2, 8),
                                                  2, 8, "ATTRIBUTES", ",\"filter\":\"QUATERNION\"");
  const std::string position =
      file.accessor("\"bufferView\":" + vertices +
                    ",\"componentType\":5126,\"type\":\"VEC3\",\"count\":" + std::to_string(count));
  const std::string list = file.array(raws(mesh.corners), 5125, "SCALAR", mesh.corners.size());
  const std::string rotation =
      file.accessor("\"bufferView\":" + rotations +
                    ",\"componentType\":5122,\"normalized\":true,\"type\":\"VEC4\",\"count\":2");
  const auto path = write(
      "a.gltf",
      file.text("\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":" + position +
                "},\"indices\":" + list + "}]}]," +
                nodes({"\"mesh\":0,\"name\":\"r\",\"extensions\":{\"EXT_mesh_gpu_instancing\":"
                       "{\"attributes\":{\"ROTATION\":" +
                       rotation + "}}}"})));
  const Assembly assembly = load_assembly(path, {.up = UpAxis::z});
  ASSERT_EQ(assembly.nodes.size(), 3u);
  const PolygonSoup plain = load_soup(write("b.gltf", mesh.gltf()), {.up = UpAxis::z});
  EXPECT_EQ(triangles(assembly.soup(2)), triangles(plain));
  EXPECT_LT((assembly.soup(1).vertex(0) - Vec3(-4000, 0, 0)).norm(), 0.3);
}

TEST_F(GltfCompressed, MeshoptRefusesWhatItsDecoderDoesNotTake) {
  const PlainMesh mesh = ring(3, 4);
  const std::string bytes = test::meshopt_vertices(raws(mesh.positions), 12, 12);
  const auto refused = [&](std::size_t count, std::size_t stride, const std::string& mode,
                           const std::string& more = "", std::size_t length = 0) {
    GltfFile file;
    const std::string view = file.view(
        bytes, test::meshopt_view(0, length > 0 ? length : bytes.size(), count, stride, mode, more),
        144);
    const std::string position = file.accessor(
        "\"bufferView\":" + view + ",\"componentType\":5126,\"type\":\"VEC3\",\"count\":12");
    return error("a.gltf", file.text("\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":" +
                                     position + "}}]}]," + nodes({"\"mesh\":0"})));
  };
  const std::string at = ":/bufferViews/0/extensions/EXT_meshopt_compression";
  EXPECT_EQ(refused(12, 12, "ATTRIBUTES"), "loaded");
  EXPECT_EQ(refused(12, 12, "POINTS"),
            at + "/mode: \"POINTS\", expected one of: ATTRIBUTES, TRIANGLES, INDICES");
  EXPECT_EQ(refused(12, 12, "TRIANGLES"),
            at + ": elements of 12 bytes, which mode TRIANGLES with filter NONE does not have");
  EXPECT_EQ(refused(12, 12, "ATTRIBUTES", ",\"filter\":\"QUATERNION\""),
            at + ": elements of 12 bytes, which mode ATTRIBUTES with filter QUATERNION does not "
                 "have");
  EXPECT_EQ(refused(12, 4, "INDICES", ",\"filter\":\"EXPONENTIAL\""),
            at + ": mode INDICES has no filter, but EXPONENTIAL is given");
  EXPECT_EQ(refused(10, 4, "TRIANGLES"),
            at + ": 10 corners of triangles, which is no multiple of 3");
  EXPECT_EQ(refused(12, 10, "ATTRIBUTES"),
            at + ": elements of 10 bytes, which mode ATTRIBUTES with filter NONE does not have");
  EXPECT_EQ(refused(11, 12, "ATTRIBUTES"),
            ":/bufferViews/0: a view of 144 bytes, 132 of which are compressed");
  EXPECT_EQ(refused(12, 12, "ATTRIBUTES", "", 10000),
            at + ": bytes 0 to 10000 of a buffer of " + std::to_string(bytes.size()));
  const std::string damaged = refused(12, 12, "ATTRIBUTES", "", bytes.size() - 1);
  EXPECT_TRUE(damaged.starts_with(at + ": the " + std::to_string(bytes.size() - 1) +
                                  " compressed bytes are damaged"))
      << damaged;
  // More than any file of this size may unfold to, whatever its bytes are.
  EXPECT_NE(refused(4000000000, 256, "ATTRIBUTES").find("unfolds to more than"), std::string::npos);
}

TEST_F(GltfCompressed, MeshoptRefusesIndicesThatAreOutOfRangeAndDamagedBytes) {
  PlainMesh mesh = ring(3, 4);
  mesh.corners[7] = 12;
  EXPECT_EQ(error("a.gltf", test::meshopt_gltf(mesh, false)),
            ":/meshes/0/primitives/0: index 7 is 12, but there are 12 vertices");
  mesh = ring(3, 4);
  const std::string vertices = test::meshopt_vertices(raws(mesh.positions), 12, 12);
  const auto file_of = [&](const std::string& bytes) {
    GltfFile file;
    const std::string view = test::add_meshopt(file, bytes, 12, 12, "ATTRIBUTES");
    const std::string position = file.accessor(
        "\"bufferView\":" + view + ",\"componentType\":5126,\"type\":\"VEC3\",\"count\":12");
    return file.text("\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":" + position +
                     "}}]}]," + nodes({"\"mesh\":0"}));
  };
  survives_damage(file_of, vertices);
}

#else

TEST_F(GltfCompressed, WithoutMeshoptItIsRefusedByName) {
  EXPECT_FALSE(io::reads_meshopt());
  GltfFile file;
  const std::string view = file.view(
      std::string(36, '\0'),
      ",\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":0,\"byteLength\":36,\"count\":3,"
      "\"byteStride\":12,\"mode\":\"ATTRIBUTES\"}}");
  const std::string position = file.accessor(
      "\"bufferView\":" + view + ",\"componentType\":5126,\"type\":\"VEC3\",\"count\":3");
  const std::string what =
      error("a.glb", file.binary("\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":" +
                                 position + "}}]}]," + nodes({"\"mesh\":0"})));
  EXPECT_NE(what.find("EXT_meshopt_compression is not read"), std::string::npos) << what;
}

#endif

// ---- KHR_draco_mesh_compression -----------------------------------------------------------------

#ifdef TOUCHE_DRACO

TEST_F(GltfCompressed, DracoGivesTheSameTriangles) {
  EXPECT_TRUE(io::reads_draco());
  for (const auto& [sides, sections] : {std::pair{3u, 3u}, {12u, 40u}, {24u, 80u}}) {
    const PlainMesh mesh = ring(sides, sections);
    const PolygonSoup plain = read(mesh.gltf());
    for (const int method : {draco::MESH_EDGEBREAKER_ENCODING, draco::MESH_SEQUENTIAL_ENCODING}) {
      for (const int speed : {0, 5, 10}) {
        for (const bool normals : {false, true}) {
          SCOPED_TRACE(testing::Message() << sides << ' ' << method << speed << normals);
          const auto bytes =
              test::draco_bytes(mesh, {.method = method, .speed = speed, .normals = normals});
          const PolygonSoup soup = read(test::draco_gltf(bytes));
          EXPECT_TRUE(soup.remarks().empty()) << soup.remarks()[0];
          EXPECT_EQ(triangles(soup), triangles(plain));
          // Points that differ only in their normal are one vertex where the stream says so: the
          // fastest encoder cuts the mesh there.
          if ((method == draco::MESH_EDGEBREAKER_ENCODING && speed < 10) || !normals) {
            EXPECT_EQ(soup.vertex_count(), plain.vertex_count());
          }
        }
      }
    }
  }
}

TEST_F(GltfCompressed, DracoGivesQuantisedPositionsToHalfAStep) {
  const PlainMesh mesh = ring(12, 40);
  const PolygonSoup plain = read(mesh.gltf());
  const double step = 8000. / ((1 << 14) - 1);
  const PolygonSoup soup =
      read(test::draco_gltf(test::draco_bytes(mesh, {.bits = 14, .normals = true})));
  ASSERT_EQ(soup.face_count(), plain.face_count());
  for (const Vec3& x : soup.vertices()) {
    double nearest = 1e9;
    for (const Vec3& y : plain.vertices())
      nearest = std::min(nearest, (x - y).cwiseAbs().maxCoeff());
    EXPECT_LT(nearest, 0.51 * step);
  }
}

TEST_F(GltfCompressed, DracoRemarksOnCountsAndRefusesOtherTypes) {
  const auto bytes = test::draco_bytes(ring(3, 4));
  auto wrong = bytes;
  wrong.points += 5;
  const std::string place = "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression";
  const PolygonSoup soup = read(test::draco_gltf(wrong));
  ASSERT_EQ(soup.remarks().size(), 1u);
  EXPECT_EQ(soup.remarks()[0], place + ": 17 vertices are announced, the compressed mesh has 12");
  wrong = bytes;
  wrong.position = 7;
  EXPECT_EQ(error("a.gltf", test::draco_gltf(wrong)),
            ":" + place + ": the compressed bytes have no attribute 7");
  EXPECT_EQ(error("a.gltf", test::draco_gltf(bytes, ",\"mode\":6")),
            ":/meshes/0/primitives/0: a fan that is compressed by Draco");
  EXPECT_EQ(triangles(read(test::draco_gltf(bytes, ",\"mode\":5"))), triangles(soup));
  wrong = bytes;
  wrong.bytes[5] = 1;
  EXPECT_EQ(error("a.gltf", test::draco_gltf(wrong)),
            ":" + place + ": Draco's format 1.2, expected 2.2");
  wrong.bytes = "DRACO";
  EXPECT_EQ(error("a.gltf", test::draco_gltf(wrong)),
            ":" + place + ": the compressed bytes are not Draco's");
}

TEST_F(GltfCompressed, DracoSurvivesDamage) {
  const PlainMesh mesh = ring(3, 5);
  for (const int method : {draco::MESH_EDGEBREAKER_ENCODING, draco::MESH_SEQUENTIAL_ENCODING}) {
    for (const int bits : {0, 9}) {
      auto damaged = test::draco_bytes(mesh, {.method = method, .bits = bits, .normals = bits > 0});
      std::mt19937_64 random(7);
      const std::string good = damaged.bytes;
      const int count = test::scaled(2000);
      for (int i = 0; i < count; ++i) {
        std::string bytes = good;
        if (i % 4 == 0) bytes.resize(random() % bytes.size());
        for (std::uint64_t k = random() % 3; !bytes.empty() && k-- > 0;)
          bytes[random() % bytes.size()] = static_cast<char>(random());
        damaged.bytes = bytes;
        const std::string what = error("a.gltf", test::draco_gltf(damaged));
        EXPECT_TRUE(what == "loaded" || what.starts_with(":")) << what;
      }
    }
  }
}

// A few bytes announce billions of faces.
TEST_F(GltfCompressed, DracoTakesNoMemoryForWhatIsOnlyAnnounced) {
  const std::string start("DRACO\2\2\1\1\0\0", 11), varint("\xff\xff\xff\xff\x04", 5);
  const std::string faces = "\xff\xff\xff\xff\x03";
  test::DracoBytes bytes{start + std::string(1, '\0') + varint + faces + "\xff" + faces + faces, 3,
                         3, 0};
  const auto ask = [&](const std::string& gltf) {
    return test::in_a_child([&] { return error("a.gltf", gltf); });
  };
  EXPECT_NE(ask(test::draco_gltf(bytes)).find("unfolds to more than"), std::string::npos);
  bytes.bytes[8] = 0;  // sequential
  bytes.bytes = bytes.bytes.substr(0, 11) + faces + varint;
  EXPECT_NE(ask(test::draco_gltf(bytes)).find("unfolds to more than"), std::string::npos);
  // A face list that is there, and an attribute of 255 components for each of many points.
  bytes.bytes = start;
  bytes.bytes[8] = 0;
  bytes.bytes += std::string("\x80\x80\x40\x80\x80\x40\x01", 7);
  bytes.bytes += std::string(3 * 4 * (std::size_t{1} << 18), '\0');
  bytes.bytes += std::string("\x01\x01\x04\x09\xff\x00\x00\x00", 8);
  const std::string what = ask(test::draco_gltf(bytes));
  EXPECT_NE(what.find("unfolds to more than"), std::string::npos) << what;
}

#else

TEST_F(GltfCompressed, WithoutDracoItIsRefusedByName) {
  EXPECT_FALSE(io::reads_draco());
  GltfFile file;
  const std::string view = file.view(std::string(36, '\0'));
  const std::string position =
      file.accessor("\"componentType\":5126,\"type\":\"VEC3\",\"count\":3");
  const std::string what =
      error("a.gltf",
            file.text("\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":" + position +
                      "},\"extensions\":{\"KHR_draco_mesh_compression\":{\"bufferView\":" + view +
                      ",\"attributes\":{\"POSITION\":0}}}}]}]," + nodes({"\"mesh\":0"})));
  EXPECT_NE(what.find("KHR_draco_mesh_compression is not read"), std::string::npos) << what;
}

#endif

}  // namespace
}  // namespace touche::gltf_compressed_test
