// SPDX-License-Identifier: Apache-2.0
// Files made to eat memory, stack or time: each is refused, or read, in little of all three.
#include <zlib.h>

#include <cstdlib>
#include <map>

#include "collada_files.h"
#include "gltf_files.h"
#include "small_child.h"

namespace touche::hostile_files_test {
namespace {

using test::collada;
using test::faces;
using test::geometry;
using test::GltfFile;
using test::in_a_child;
using test::Io;
using test::kMebi;
using test::kPlaced;
using test::node;
using test::nodes;
using test::raw;
using test::repeated;

// ---- archives -----------------------------------------------------------------------------------

// A text that is a block over and over between a head and a tail, and what deflate makes of it.
struct Repeated {
  std::string head, block;
  std::size_t times = 0;
  std::string tail;

  std::size_t size() const { return head.size() + times * block.size() + tail.size(); }
};

std::string deflated(const std::string& text, int flush) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 16, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, flush);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::uint32_t crc_of(const std::string& text) {
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size())));
}

std::string zip(const std::map<std::string, Repeated>& entries) {
  const auto u16 = [](std::size_t n) { return raw(static_cast<std::uint16_t>(n)); };
  const auto u32 = [](std::size_t n) { return raw(static_cast<std::uint32_t>(n)); };
  std::string out, directory;
  for (const auto& [name, text] : entries) {
    // Blocks that were flushed stand alone, and can be repeated as they are.
    const std::string block = deflated(text.block, Z_FULL_FLUSH);
    std::string packed = deflated(text.head, Z_FULL_FLUSH);
    for (std::size_t i = 0; i < text.times; ++i) packed += block;
    packed += deflated(text.tail, Z_FINISH);
    unsigned long crc = crc_of(text.head);
    for (std::size_t i = 0; i < text.times; ++i)
      crc = crc32_combine(crc, crc_of(text.block), static_cast<z_off_t>(text.block.size()));
    crc = crc32_combine(crc, crc_of(text.tail), static_cast<z_off_t>(text.tail.size()));
    const std::string common = u16(20) + u16(0) + u16(8) + u32(0x00210000) + u32(crc) +
                               u32(packed.size()) + u32(text.size()) + u16(name.size()) + u16(0);
    directory += "PK\x01\x02" + u16(20) + common + u16(0) + u16(0) + u16(0) + u32(0) +
                 u32(out.size()) + name;
    out += "PK\x03\x04" + common + name + packed;
  }
  return out + directory + "PK\x05\x06" + u32(0) + u16(entries.size()) + u16(entries.size()) +
         u32(directory.size()) + u32(out.size()) + u16(0);
}

std::map<std::string, Repeated> package(const Repeated& model) {
  const std::string relations =
      R"(<Relationships><Relationship Target="/m" )"
      R"(Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>)";
  return {{"_rels/.rels", {relations, "", 0, ""}}, {"m", model}};
}

class HostileFiles : public Io {
 protected:
  void expect(const std::string& name, const std::string& bytes, const std::string& error) const {
    const std::filesystem::path path = Io::write(name, bytes);
    const std::string said = in_a_child([&] { return error_of(path); });
    EXPECT_TRUE(said.starts_with(error)) << name << ": " << said;
    std::filesystem::remove(path);
  }
  static std::string mesh(const std::string& position) {
    return "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":" + position + "}}]}],";
  }
};

// Makes sure that the tests below can detect "loaded" and "killed".
TEST_F(HostileFiles, TheChildKnowsItsLimits) {
  EXPECT_EQ(in_a_child([] { return "said"; }), "said");
  EXPECT_EQ(in_a_child([]() -> std::string { std::abort(); }), "killed by signal 6");
  if (test::is_sanitized()) return;
  EXPECT_EQ(in_a_child([] { return std::string(800 * kMebi, 'x').substr(0, 4); }), "out of memory");
  EXPECT_EQ(in_a_child([] { return std::string(500 * kMebi, 'x').substr(0, 4); }), "xxxx");
}

// ---- deep and endless ---------------------------------------------------------------------------

TEST_F(HostileFiles, NodesNestedWithoutEnd) {
  GltfFile file;
  const std::string position = file.positions({0, 0, 0, 1, 0, 0, 0, 1, 0});
  std::vector<std::string> chain;
  for (int i = 1; i < 100'000; ++i) chain.push_back("\"children\":[" + std::to_string(i) + "]");
  chain.emplace_back("\"mesh\":0");
  const std::string too_deep = "more than 1000 nodes below each other";
  expect("deep.gltf", file.text(mesh(position) + nodes(chain)), ":/nodes/1000: " + too_deep);
  chain.back() += ",\"children\":[0]";
  expect("cycle.gltf", file.text(mesh(position) + nodes(chain)), ":/nodes/1000: " + too_deep);

  const std::string triangle =
      geometry("g", "0 0 0 1 0 0 0 1 0", 3, faces("triangles", "<p>0 1 2</p>", "count='1'"));
  const std::string nested = repeated("<node>", 100'000) + kPlaced + repeated("</node>", 100'000);
  expect("deep.dae", collada(triangle, nested), ":6: " + too_deep);
  expect("cycle.dae",
         collada(triangle, "<instance_node url='#a'/>", "",
                 "<node id='a'>" + kPlaced +
                     "<instance_node url='#b'/></node>"
                     "<node id='b'><instance_node url='#a'/></node>"),
         ":4: " + too_deep);
  const std::string cycle =
      "<model><resources><object id='1'><components><component objectid='1'/></components>"
      "</object></resources><build><item objectid='1'/></build></model>";
  expect("cycle.3mf", zip(package({cycle, "", 0, ""})), ":m component of object '1': " + too_deep);
}

TEST_F(HostileFiles, ElementsNestedWithoutEnd) {
  const std::string too_deep = ": values are nested more than 500 levels deep";
  expect("deep.gltf", "{\"nodes\":" + repeated("[", 1'000'000), too_deep);
  expect("deep.gltf", "{\"nodes\":" + repeated("[", 1'000'000) + repeated("]", 1'000'000) + "}",
         too_deep);
  expect("deep.gltf", "{\"nodes\":" + repeated("[", 499) + repeated("]", 499) + "}",
         ":/: the key \"asset\" is missing");
  expect("deep.dae", repeated("<a>", 1'000'000), ":1: Start-end tags mismatch");
  expect("deep.dae",
         "<COLLADA>" + repeated("<a>", 500'000) + repeated("</a>", 500'000) + "</COLLADA>",
         ": the file holds no scene");
  expect("deep.3mf",
         zip(package({repeated("<a>", 300'000) + repeated("</a>", 300'000), "", 0, ""})),
         ": no faces (0 vertices)");
}

// ---- short in the file, long in memory ----------------------------------------------------------

TEST_F(HostileFiles, NodesThatMultiply) {
  GltfFile file;
  const std::string position = file.positions({0, 0, 0, 1, 0, 0, 0, 1, 0});
  std::vector<std::string> levels;
  for (int i = 1; i < 40; ++i) {
    const std::string next = std::to_string(i);
    levels.push_back("\"children\":[" + next + "," + next + "]");
  }
  levels.emplace_back("\"mesh\":0");
  expect("doubles.gltf", file.text(mesh(position) + nodes(levels)), ":/nodes/39: the node has two");

  std::string library, components;
  for (int i = 0; i < 40; ++i) {
    const std::string next = std::to_string(i + 1), id = std::to_string(i);
    library += "<node id='n" + id + "'><instance_node url='#n" + next +
               "'/><instance_node url='#n" + next + "'/></node>";
    components += "<object id='" + id + "'><components><component objectid='" + next +
                  "'/><component objectid='" + next + "'/></components></object>";
  }
  library += "<node id='n40'>" + kPlaced + "</node>";
  const std::string triangle =
      geometry("g", "0 0 0 1 0 0 0 1 0", 3, faces("triangles", "<p>0 1 2</p>", "count='1'"));
  expect("doubles.dae", collada(triangle, "<instance_node url='#n0'/>", "", library),
         ":4: unfolds to more than 200 times the file's ");
  const std::string object = "<object id='40'><mesh><vertices/><triangles/></mesh></object>";
  expect("doubles.3mf",
         zip(package({"<model><resources>" + object + components +
                          "</resources><build><item objectid='0'/></build></model>",
                      "", 0, ""})),
         ":m component of object '");
}

// Each part can be had; all in one soup would be 80 million triangles.
TEST_F(HostileFiles, PartsPlacedManyTimes) {
  std::vector<float> numbers;
  for (int i = 0; i < 3 * 6000; ++i) numbers.push_back(static_cast<float>(i % 97));
  GltfFile file;
  const std::string position = file.positions(numbers);
  std::vector<std::string> all;
  std::string roots;
  for (int i = 0; i < 40'000; ++i) {
    all.emplace_back("\"mesh\":0");
    roots += (i > 0 ? "," : "") + std::to_string(i);
  }
  const std::string bytes = file.text(mesh(position) + nodes(all, roots));
  expect("many.gltf", bytes, ":node 'unnamed#");
  const std::filesystem::path path = Io::write("many.gltf", bytes);
  const std::string said = in_a_child([&] {
    const Assembly assembly = load_assembly(path);
    return std::to_string(assembly.nodes.size()) + " " +
           std::to_string(assembly.soup(assembly.find("unnamed#40000")).face_count());
  });
  EXPECT_EQ(said, "40000 2000");
}

TEST_F(HostileFiles, NumbersNamedOftenOrNotThere) {
  GltfFile zeros;
  const std::string many =
      zeros.accessor("\"componentType\":5126,\"type\":\"VEC3\",\"count\":4294967292");
  zeros.view("1234");
  expect("zeros.gltf", zeros.text(mesh(many) + nodes({"\"mesh\":0"})),
         ":/meshes/0/primitives/0: unfolds to more than 200 times the file's ");

  GltfFile file;
  const std::string position = file.positions(std::vector<float>(30'000, 1));
  std::string primitives;
  for (int i = 0; i < 10'000; ++i)
    primitives += (i > 0 ? ",{\"attributes\":{\"POSITION\":" : "{\"attributes\":{\"POSITION\":") +
                  position + "}}";
  primitives.pop_back();
  expect("often.gltf",
         file.text("\"meshes\":[{\"primitives\":[" + primitives + "}]}]," + nodes({"\"mesh\":0"})),
         ":/meshes/0/primitives/");
}

TEST_F(HostileFiles, ChunksThatAnnounceGigabytes) {
  const std::string end = raw<std::uint32_t>(0xFFFFFFFC) + "JSON{}";
  expect("chunk.glb", "glTF" + raw<std::uint32_t>(2) + raw<std::uint32_t>(24) + end,
         ":byte 8: 24 bytes announced, there are 22");
  expect("chunk.glb", "glTF" + raw<std::uint32_t>(2) + raw<std::uint32_t>(22) + end,
         ":byte 12: a chunk of 4294967292 bytes, there are 6");
  expect("buffer.gltf",
         "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":4000000000,\"uri\":"
         "\"data:;base64,AAAA\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":4000000000}],"
         "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\",\"count\":3000}"
         "]," +
             mesh("0") + nodes({"\"mesh\":0"}) + "}",
         ":/buffers/0: 4000000000 bytes announced, there are 3");
}

TEST_F(HostileFiles, ArchivesThatUnpackToGigabytes) {
  const std::string too_much = ": unfolds to more than 200 times the file's ";
  const std::string spaces(kMebi, ' ');
  expect("spaces.3mf", zip(package({"<model>", spaces, 3000, "</model>"})), ":m" + too_much);
  expect("elements.3mf", zip(package({"<model>", repeated("<a/>", kMebi / 4), 60, "</model>"})),
         ":m" + too_much);

  // Many models, none of which is large.
  std::string items;
  auto entries = package({});
  for (int i = 0; i < 100; ++i) {
    const std::string name = "m" + std::to_string(i);
    items += "<item objectid='1' p:path='/" + name + "'/>";
    entries[name] = {"<model>", spaces, 40,
                     "<resources><object id='1'><mesh/></object></resources></model>"};
  }
  entries["m"] = {"<model><build>" + items + "</build></model>", "", 0, ""};
  expect("models.3mf", zip(entries), ":m");
}

}  // namespace
}  // namespace touche::hostile_files_test
