// SPDX-License-Identifier: Apache-2.0
// 3MF files made here: their instances, and the error messages for invalid ones.
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <string>

#include "io/readers.h"
#include "io/zip_archive.h"
#include "touche/types.h"

namespace touche::three_mf_test {
namespace {

using Entries = std::map<std::string, std::string>;

std::string little_endian(std::uint32_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
  return out;
}

std::uint32_t crc32(const std::string& bytes) {
  std::uint32_t crc = 0xffffffff;
  for (const char c : bytes) {
    crc ^= static_cast<std::uint8_t>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc;
}

// A ZIP archive of stored entries.
std::string zip(const Entries& entries) {
  std::string out, directory;
  for (const auto& [name, bytes] : entries) {
    const auto size = static_cast<std::uint32_t>(bytes.size());
    const std::string common = little_endian(20, 2) + little_endian(0, 2) + little_endian(0, 2) +
                               little_endian(0x00210000, 4) + little_endian(crc32(bytes), 4) +
                               little_endian(size, 4) + little_endian(size, 4) +
                               little_endian(static_cast<std::uint32_t>(name.size()), 2) +
                               little_endian(0, 2);
    directory += "PK\x01\x02" + little_endian(20, 2) + common + little_endian(0, 2) +
                 little_endian(0, 2) + little_endian(0, 2) + little_endian(0, 4) +
                 little_endian(static_cast<std::uint32_t>(out.size()), 4) + name;
    out += "PK\x03\x04" + common + name + bytes;
  }
  const auto count = static_cast<std::uint32_t>(entries.size());
  const std::string end =
      "PK\x05\x06" + little_endian(0, 4) + little_endian(count, 2) + little_endian(count, 2) +
      little_endian(static_cast<std::uint32_t>(directory.size()), 4) +
      little_endian(static_cast<std::uint32_t>(out.size()), 4) + little_endian(0, 2);
  return out + directory + end;
}

const std::string kRelations =
    R"(<Relationships><Relationship Target="/3D/3dmodel.model")"
    R"( Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>)";
const std::string kMesh =
    R"(<mesh><vertices><vertex x="0.1" y="0" z="0"/><vertex x="+1" y="0" z="0"/>)"
    R"(<vertex x="0" y="1e0" z="0"/></vertices>)"
    R"(<triangles><triangle v1="0" v2="1" v3="2"/></triangles></mesh>)";

const std::string kProduction =
    R"(xmlns:p="http://schemas.microsoft.com/3dmanufacturing/production/2015/06")";

Entries package(const std::string& resources, const std::string& build) {
  return {{"_rels/.rels", kRelations},
          {"3D/3dmodel.model", "<model>\n<resources>" + resources + "</resources>\n<build>" +
                                   build + "</build></model>"}};
}
std::string object(const std::string& id, const std::string& content) {
  return "<object id=\"" + id + "\">" + content + "</object>";
}
std::string item(const std::string& id, const std::string& more = "") {
  return "<item objectid=\"" + id + "\" " + more + "/>";
}

io::MeshData read(const std::string& bytes) {
  const io::ReadBeside nothing;
  return io::read_mesh(bytes, ".3mf", "a.3mf", nothing);
}

std::string error(const std::string& bytes) {
  try {
    read(bytes);
    return "loaded";
  } catch (const LoadError& e) {
    return std::string(e.what()).substr(5);
  }
}
std::string error(const Entries& entries) { return error(zip(entries)); }

TEST(ThreeMf, PlacesObjectsAndTheirComponents) {
  Entries entries =
      package(object("1", kMesh) +
                  "<object id=\"2\" name=\"pair\"><components>"
                  "<component objectid=\"1\" transform=\"0 1 0 -1 0 0 0 0 1 10 20 30\"/>"
                  "<component objectid=\"7\" p:path=\"/3D/more.model\" " +
                  kProduction + "/></components></object>",
              item("2", R"(transform="2 0 0 0 2 0 0 0 2 0 0 1")") + item("1"));
  entries["3D/more.model"] = "<model><resources><object id=\"7\" name=\"far\">" + kMesh +
                             "</object></resources><build><item objectid=\"7\"/></build></model>";
  const io::MeshData mesh = read(zip(entries));
  ASSERT_EQ(mesh.face_count, 3u);
  ASSERT_EQ(mesh.vertex_count(), 9u);
  // (0.1, 0, 0) turned by a right angle, moved, doubled and lifted; every digit kept.
  EXPECT_EQ(mesh.coordinates[0], 20);
  EXPECT_EQ(mesh.coordinates[1], 2 * (0.1 + 20));
  EXPECT_EQ(mesh.coordinates[2], 61);
  EXPECT_EQ(mesh.coordinates[9], 0.2);
  EXPECT_EQ(mesh.coordinates[18], 0.1);
  EXPECT_EQ(mesh.corners, (std::vector<Index>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(mesh.group_names, (std::vector<std::string>{"Object_1", "far", "Object_1"}));
}

// Lengths and positions are in millimetres, whatever the file's unit.
TEST(ThreeMf, UnitsAreTakenToMillimetres) {
  const auto in = [](const std::string& unit) {
    Entries entries =
        package(object("1", kMesh), item("1", R"(transform="1 0 0 0 1 0 0 0 1 0 0 2")"));
    std::string& model = entries["3D/3dmodel.model"];
    model.replace(0, 6, "<model unit=\"" + unit + "\"");
    return entries;
  };
  const std::pair<const char*, double> units[] = {{"micron", 1e-3},   {"millimeter", 1},
                                                  {"centimeter", 10}, {"inch", 25.4},
                                                  {"foot", 304.8},    {"meter", 1000}};
  for (const auto& [unit, millimetres] : units) {
    const io::MeshData mesh = read(zip(in(unit)));
    EXPECT_DOUBLE_EQ(mesh.coordinates[3], millimetres) << unit;
    EXPECT_DOUBLE_EQ(mesh.coordinates[5], 2 * millimetres) << unit;
  }
  EXPECT_EQ(error(in("furlong")),
            ":3D/3dmodel.model unit: 'furlong' is not one of micron, millimeter, centimeter, inch, "
            "foot, meter");
  Entries mixed = package("", item("7", R"(p:path="/3D/more.model" )" + kProduction));
  mixed["3D/more.model"] =
      "<model unit=\"inch\"><resources>" + object("7", kMesh) + "</resources></model>";
  EXPECT_EQ(error(mixed), ":3D/more.model unit: differs from that of '3D/3dmodel.model'");
}

TEST(ThreeMf, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(error("garbage").substr(0, 19), ": not a ZIP archive");
  EXPECT_EQ(error(Entries{{"a", "b"}}), ":_rels/.rels: No such file");
  EXPECT_EQ(error(Entries{{"_rels/.rels", "<Relationships/>"}}), ":_rels/.rels: names no 3D model");
  EXPECT_EQ(error(Entries{{"_rels/.rels", kRelations}}), ":3D/3dmodel.model: No such file");
  Entries broken = package("", "");
  broken["3D/3dmodel.model"] = "<model>\n<resources>\n<object</model>";
  EXPECT_EQ(error(broken).substr(0, 25), ":3D/3dmodel.model line 3:");
  EXPECT_EQ(error(package(object("1", kMesh), "")),
            ": no faces (0 vertices); points and lines are not surfaces");
  EXPECT_EQ(error(package(object("1", kMesh), item("2"))),
            ":3D/3dmodel.model item of object '2': there is no such object");
  EXPECT_EQ(error(package(object("1", kMesh) + object("1", kMesh), item("1"))),
            ":3D/3dmodel.model object 1: is there twice");
  EXPECT_EQ(error(package(object("1", "<components><component objectid=\"1\"/></components>"),
                          item("1"))),
            ":3D/3dmodel.model component of object '1': more than 1000 nodes below each other; do "
            "parts contain each other in a cycle?");
  EXPECT_EQ(error(package(object("1", kMesh), item("1", "transform=\"1 0 0\""))),
            ":3D/3dmodel.model item of object '1' transform: '' is not a number");
  const auto with = [](const std::string& from, const std::string& to) {
    std::string mesh = kMesh;
    mesh.replace(mesh.find(from), from.size(), to);
    return error(package(object("1", mesh), item("1")));
  };
  EXPECT_EQ(with("0.1", "one"), ":3D/3dmodel.model object '1' vertex 0: 'one' is not a number");
  EXPECT_EQ(with("0.1", "nan").substr(0, 39), ":3D/3dmodel.model object '1' vertex 0: ");
  EXPECT_EQ(with("0.1", "1e300").substr(0, 39), ":3D/3dmodel.model object '1' vertex 0: ");
  EXPECT_EQ(with("v2=\"1\"", "v2=\"3\""),
            ":3D/3dmodel.model object '1' triangle 0: there is no vertex 3");
  EXPECT_EQ(with("v2=\"1\"", "v2=\"-1\""),
            ":3D/3dmodel.model object '1' triangle 0: '-1' is not a vertex number");
}

// An archive whose model has these attributes.
Entries with_model(const std::string& attributes, const std::string& resources) {
  Entries entries = package(resources, item("1"));
  entries["3D/3dmodel.model"].replace(0, 6, "<model " + attributes);
  return entries;
}

TEST(ThreeMf, RefusesRequiredExtensionsThatAreNotRead) {
  const std::pair<const char*, bool> extensions[] = {
      {"http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02", false},
      {"http://schemas.3mf.io/3dmanufacturing/booleanoperations/2023/07", false},
      {"http://schemas.microsoft.com/3dmanufacturing/slice/2015/07", false},
      {"http://schemas.microsoft.com/3dmanufacturing/securecontent/2019/04", false},
      {"http://example.com/new", false},
      {"http://schemas.microsoft.com/3dmanufacturing/production/2015/06", true},
      {"http://schemas.microsoft.com/3dmanufacturing/material/2015/02", true},
      {"http://schemas.microsoft.com/3dmanufacturing/trianglesets/2021/07", true}};
  for (const auto& [extension, read] : extensions)
    EXPECT_EQ(error(with_model(std::string("xmlns:own=\"") + extension +
                                   "\" xmlns:m=\"http://schemas.microsoft.com/3dmanufacturing/"
                                   "material/2015/02\" requiredextensions=\" m own \"",
                               object("1", kMesh))),
              read ? "loaded"
                   : std::string(":3D/3dmodel.model requiredextensions: the file requires the "
                                 "extension 'own' (") +
                         extension + "), which is not read; save it without");
  EXPECT_EQ(error(with_model("requiredextensions=\"b\"", object("1", kMesh))),
            ":3D/3dmodel.model line 1: no namespace is declared for the prefix 'b'");
}

// Names have prefixes that files choose.
TEST(ThreeMf, FindsElementsByTheirNamespace) {
  const std::string core = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02";
  const std::string mesh = std::regex_replace(kMesh, std::regex("<(/?)"), "<$1c:");
  Entries entries = package("", "");
  entries["3D/3dmodel.model"] =
      "<c:model xmlns:c=\"" + core + "\" xmlns=\"http://example.com/other\"><c:resources>" +
      "<object id=\"1\">of another kind</object><c:object id=\"1\">" + mesh +
      "</c:object></c:resources><c:build><c:item objectid=\"1\"/><item objectid=\"9\"/></c:build>" +
      "</c:model>";
  EXPECT_EQ(read(zip(entries)).face_count, 1u);
  // A path of another namespace is none of production.
  EXPECT_EQ(read(zip(package(object("1", kMesh), item("1", R"(q:path="x" xmlns:q="http://q")"))))
                .face_count,
            1u);
}

// A lattice beside a mesh may be ignored if the file does not require it, which is said.
TEST(ThreeMf, SaysWhatItDoesNotRead) {
  const std::string own = "xmlns:b=\"http://example.com/beams\"";
  std::string mesh = kMesh;
  mesh.insert(mesh.find("</mesh>"), "<b:beamlattice/>");
  const Assembly beams = io::read_3mf(zip(with_model(own, object("1", mesh))), "a.3mf");
  ASSERT_EQ(beams.remarks.size(), 1u);
  EXPECT_EQ(beams.remarks[0],
            "<b:beamlattice> (http://example.com/beams) is not read, and the file does not require "
            "it");
  const Assembly boolean =
      io::read_3mf(zip(with_model(own, object("1", "<b:booleanshape/>"))), "a.3mf");
  ASSERT_EQ(boolean.left_out.size(), 1u);
  EXPECT_EQ(boolean.left_out[0].reason, "has no mesh and no components");
  EXPECT_EQ(boolean.remarks.size(), 1u);
}

// Components with two instances of the next object each, forty levels deep.
TEST(ThreeMf, DoesNotGrowWithoutBound) {
  std::string resources = object("0", kMesh);
  for (int i = 1; i <= 40; ++i) {
    const std::string next = "<component objectid=\"" + std::to_string(i - 1) + "\"/>";
    resources += object(std::to_string(i), "<components>" + next + next + "</components>");
  }
  EXPECT_NE(error(package(resources, item("40"))).find("unfolds to more than"), std::string::npos);
  std::string deep;
  for (int i = 0; i < 200000; ++i) deep += "<a>";
  EXPECT_NE(error(package(deep, "")), "loaded");
}

TEST(ThreeMf, DamageIsAnErrorOrHarmless) {
  const std::string whole = zip(package(object("1", kMesh), item("1")));
  ASSERT_EQ(error(whole), "loaded");
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(error(whole.substr(0, length)), "loaded") << length;
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const char flip : {'\x01', '\x80', '\x7f'}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ flip);
      error(damaged);  // neither crashes nor throws anything else
    }
}

}  // namespace
}  // namespace touche::three_mf_test
