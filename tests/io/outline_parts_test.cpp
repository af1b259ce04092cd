// SPDX-License-Identifier: Apache-2.0
// Objects and layers of drawings as outlines of their own.
#include "io_files.h"
#include "outline_text.h"

namespace touche::outline_parts_test {
namespace {

using test::refusal;
using Names = std::vector<std::string>;

struct Drawn {
  std::vector<OutlinePart> parts;
  OutlineReport report;

  Names names() const {
    Names all;
    for (const OutlinePart& part : parts) all.push_back(part.name);
    return all;
  }
  const plane::Outline& operator[](const std::string& name) const {
    for (const OutlinePart& part : parts)
      if (part.name == name) return part.outline;
    throw InvalidInput("no part " + name);
  }
};

std::string svg_file(const std::string& content) { return "<svg>" + content + "</svg>"; }

std::string dxf_file(const std::string& entities, const std::string& before = "") {
  return before + "0\nSECTION\n2\nENTITIES\n" + entities + "0\nENDSEC\n0\nEOF\n";
}

Drawn svg(const std::string& content, Split split, const OutlineOptions& options = {}) {
  Drawn drawn;
  drawn.parts =
      io::read_outlines(svg_file(content), ".svg", "d.svg", split, options, &drawn.report);
  return drawn;
}

Drawn dxf(const std::string& text, Split split, const OutlineOptions& options = {}) {
  Drawn drawn;
  drawn.parts = io::read_outlines(text, ".dxf", "d.dxf", split, options, &drawn.report);
  return drawn;
}

std::string square(int x, const std::string& attributes = "") {
  return "<rect x='" + std::to_string(x) + "' width='1' height='1' " + attributes + "/>";
}

std::string layer(const std::string& name, const std::string& content,
                  const std::string& attributes = "") {
  return "<g inkscape:groupmode='layer' inkscape:label='" + name + "' " + attributes + ">" +
         content + "</g>";
}

std::string group(const std::string& name, const std::string& content) {
  return "<g id='" + name + "'>" + content + "</g>";
}

// ---- SVG
// -----------------------------------------------------------------------------------------

TEST(OutlineParts, ObjectsOfSvgAreOutermostGroups) {
  const Drawn drawn =
      svg(square(0) +
              layer("cut", group("gear", square(2) + group("bore", square(3))) + square(4) +
                               layer("inner", group("gear", square(6)) + square(8, "id='loose'"))) +
              "<g>" + square(10) + "</g><g inkscape:label='a/b#c' id='g7'>" +
              layer("in a group", square(12)) + "</g>" + square(14) + layer("cut", square(16)),
          Split::objects);
  EXPECT_EQ(drawn.names(),
            (Names{"unnamed", "gear", "cut", "gear#2", "inner", "3", "a%2Fb%23c", "cut#2"}));
  EXPECT_EQ(drawn["unnamed"].chain_count(), 2u);
  EXPECT_EQ(drawn["unnamed"].hi().x(), 15);
  EXPECT_EQ(drawn["gear"].chain_count(), 2u);
  EXPECT_EQ(drawn["gear"].name(1), "bore");
  EXPECT_EQ(drawn["cut"].lo().x(), 4);
  EXPECT_EQ(drawn["gear#2"].lo().x(), 6);
  EXPECT_EQ(drawn["inner"].name(0), "loose");
  EXPECT_EQ(drawn["a%2Fb%23c"].lo().x(), 12);
  EXPECT_EQ(drawn["cut#2"].lo().x(), 16);
  EXPECT_TRUE(drawn.report.remarks.empty());
}

TEST(OutlineParts, LayersOfSvgAreTheInnermostAround) {
  const Drawn drawn = svg(
      square(0) + layer("cut", group("gear", square(2)) + layer("inner", square(4)) + square(6)) +
          group("gear", square(8) + layer("deep", square(9))) + layer("cut", square(10)),
      Split::layers);
  EXPECT_EQ(drawn.names(), (Names{"unnamed", "cut", "inner", "deep", "cut#2"}));
  EXPECT_EQ(drawn["unnamed"].chain_count(), 2u);
  EXPECT_EQ(drawn["cut"].chain_count(), 2u);
  EXPECT_EQ(drawn["cut"].hi().x(), 7);
  EXPECT_EQ(drawn["inner"].lo().x(), 4);
}

// Without marks, named groups right below the root are the layers: also of objects, that is their
// elements outside of groups.
TEST(OutlineParts, NamedGroupsOfUnmarkedSvg) {
  const std::string nest =
      group("left", square(0)) + group("right", square(2) + group("pin", square(4)));
  EXPECT_EQ(svg(nest, Split::layers).names(), (Names{"left", "right"}));
  EXPECT_EQ(svg(nest, Split::layers)["right"].chain_count(), 2u);
  EXPECT_EQ(svg(nest, Split::objects).names(), (Names{"left", "right", "pin"}));
  const std::string unnamed =
      "<g>" + square(0) + "</g><g transform='translate(5)'>" + square(0) + "</g>";
  EXPECT_EQ(svg(unnamed, Split::objects).names(), (Names{"1", "2"}));
  EXPECT_EQ(svg(unnamed, Split::objects)["2"].lo().x(), 5);
  EXPECT_EQ(svg(unnamed, Split::layers).names(), Names{"unnamed"});
}

TEST(OutlineParts, UsedGroupsAndSymbolsAreObjects) {
  const Drawn drawn = svg(
      "<defs>" + group("gear", square(0)) + "<rect id='r' width='1' height='1'/></defs>" +
          "<symbol id='nut'>" + group("edge", square(0)) + "</symbol>" + group("top", square(0)) +
          "<use href='#gear' x='10' id='u'/><use href='#gear' x='20'/><use href='#nut' x='30'/>" +
          "<use href='#top' x='40'/><use href='#r' x='50'/><g id='both'><use href='#gear'/>" +
          "<use href='#gear' x='2'/></g>",
      Split::objects);
  EXPECT_EQ(drawn.names(),
            (Names{"top", "gear", "gear#2", "nut", "top#2", "unnamed", "gear#3", "gear#4"}));
  EXPECT_EQ(drawn["gear#2"].lo().x(), 20);
  EXPECT_EQ(drawn["nut"].lo().x(), 30);
  EXPECT_EQ(drawn["top"].chain_count(), 1u);
  EXPECT_EQ(drawn["top#2"].lo().x(), 40);
  EXPECT_EQ(drawn["unnamed"].lo().x(), 50);
}

TEST(OutlineParts, WhatIsHiddenIsNoPart) {
  const std::string drawing =
      layer("cut", group("gear", square(0)) + "<g id='gone' style='display:none'>" + square(1) +
                       "</g><g id='unseen' visibility='hidden'>" + square(2) + "</g>") +
      layer("frame", group("border", square(3)), "style='display:none'") +
      group("text", "<text>a</text>");
  const Drawn objects = svg(drawing, Split::objects);
  EXPECT_EQ(objects.names(), Names{"gear"});
  EXPECT_EQ(objects.report.remarks,
            (Names{"2 shapes not displayed (gone, frame) and 1 with hidden visibility (unseen) are "
                   "left out",
                   "1 part without outlines (text) is left out"}));
  EXPECT_EQ(objects.parts[0].report.remarks, objects.report.remarks);
  EXPECT_EQ(objects.parts[0].outline.remarks(), objects.report.remarks);
  const Drawn all = svg(drawing, Split::objects, {.all_layers = true});
  EXPECT_EQ(all.names(), (Names{"gear", "border"}));
  const Drawn one = svg(drawing, Split::layers, {.layers = {"cut"}});
  EXPECT_EQ(one.names(), Names{"cut"});
  EXPECT_EQ(one.report.remarks.size(), 1u) << one.report.remarks.back();
  EXPECT_NE(refusal([&] {
              return svg(group("text", "<text>a</text>"), Split::objects)[""];
            }).find("the file holds no outlines"),
            std::string::npos);
}

// ---- DXF
// -----------------------------------------------------------------------------------------

std::string line(double x1, double y1, double x2, double y2, const std::string& layer = "0") {
  const auto number = [](int code, double x) {
    return std::to_string(code) + "\n" + std::to_string(x) + "\n";
  };
  return "0\nLINE\n8\n" + layer + "\n" + number(10, x1) + number(20, y1) + number(11, x2) +
         number(21, y2);
}

std::string insert(const std::string& block, double x, const std::string& layer = "0") {
  return "0\nINSERT\n8\n" + layer + "\n2\n" + block + "\n10\n" + std::to_string(x) + "\n20\n0\n";
}

std::string block(const std::string& name, const std::string& entities) {
  return "0\nBLOCK\n2\n" + name + "\n10\n0\n20\n0\n" + entities + "0\nENDBLK\n";
}

const std::string kBlocks = "0\nSECTION\n2\nBLOCKS\n" +
                            block("tooth", line(0, 0, 1, 0) + line(1, 0, 1, 1, "hard")) +
                            block("gear", line(0, 5, 1, 5) + insert("tooth", 0)) +
                            block("note", "0\nTEXT\n8\n0\n1\nhello\n") + "0\nENDSEC\n";

TEST(OutlineParts, ObjectsOfDxfArePlacedBlocks) {
  const Drawn drawn = dxf(
      dxf_file(line(0, 0, 1, 0, "cut") + insert("gear", 10) + line(1, 0, 1, 1, "CUT") +
                   insert("gear", 20) + line(5, 5, 6, 6, "marks") + insert("tooth", 30) +
                   insert("note", 40) + "0\nINSERT\n8\n0\n2\ntooth\n10\n50\n20\n0\n70\n3\n44\n2\n",
               kBlocks),
      Split::objects);
  EXPECT_EQ(drawn.names(), (Names{"cut", "gear", "gear#2", "marks", "tooth", "tooth#2"}));
  EXPECT_EQ(drawn["cut"].edge_count(), 2u);
  EXPECT_EQ(drawn["gear#2"].edge_count(), 3u);
  EXPECT_EQ(drawn["gear#2"].lo().x(), 20);
  EXPECT_EQ(drawn["tooth#2"].edge_count(), 6u);  // with all copies of an array
  ASSERT_EQ(drawn.report.remarks.size(), 1u);
  EXPECT_EQ(drawn.report.remarks[0], "1 part without outlines (note) is left out");
  ASSERT_EQ(drawn.parts[0].report.remarks.size(), 2u);
  EXPECT_EQ(drawn.parts[0].report.remarks[0], drawn.report.remarks[0]);
  EXPECT_EQ(drawn.parts[0].report.open.size(), 2u);
}

TEST(OutlineParts, LayersOfDxf) {
  const Drawn drawn = dxf(dxf_file(line(0, 0, 1, 0, "cut") + insert("gear", 10, "cut") +
                                       line(5, 5, 6, 6) + insert("gear", 20),
                                   kBlocks),
                          Split::layers);
  EXPECT_EQ(drawn.names(), (Names{"cut", "hard", "0"}));
  EXPECT_EQ(drawn["cut"].edge_count(), 3u);
  EXPECT_EQ(drawn["hard"].edge_count(), 2u);
  EXPECT_EQ(drawn["0"].edge_count(), 3u);
}

TEST(OutlineParts, HiddenEntitiesOfDxfAreInNoPart) {
  const std::string tables =
      "0\nSECTION\n2\nTABLES\n0\nTABLE\n2\nLAYER\n0\nLAYER\n2\nice\n70\n1\n62\n7\n0\nLAYER\n2\n"
      "dark\n70\n0\n62\n-7\n0\nENDTAB\n0\nENDSEC\n";
  const std::string file =
      dxf_file(line(0, 0, 1, 0, "cut") + insert("gear", 10, "ice") + line(2, 0, 3, 0, "dark") +
                   "0\nINSERT\n67\n1\n8\n0\n2\ngear\n10\n0\n20\n0\n" + insert("tooth", 9, "dark"),
               tables + kBlocks);
  const Drawn objects = dxf(file, Split::objects);
  EXPECT_EQ(objects.names(), (Names{"cut", "tooth"}));
  EXPECT_EQ(objects["tooth"].edge_count(), 1u);  // off hides layer 0 in the block
  EXPECT_EQ(objects.report.remarks.size(), 1u);
  EXPECT_EQ(dxf(file, Split::objects, {.all_layers = true}).names(),
            (Names{"cut", "gear", "dark", "tooth"}));
  EXPECT_EQ(dxf(file, Split::layers, {.layers = {"CUT"}}).names(), Names{"cut"});
}

// ---- both
// ----------------------------------------------------------------------------------------

// Three sides of a square in a block and the fourth outside of it are no square, although their
// ends meet and they are on one layer.
TEST(OutlineParts, EndsAreJoinedWithinAPartOnly) {
  const std::string file = dxf_file(
      insert("u", 0) + line(0, 1, 1, 1),
      "0\nSECTION\n2\nBLOCKS\n" +
          block("u", line(0, 1, 0, 0) + line(0, 0, 1, 0) + line(1, 0, 1, 1)) + "0\nENDSEC\n");
  const plane::Outline whole = io::read_outline(file, ".dxf", "d.dxf");
  ASSERT_EQ(whole.chain_count(), 1u);
  EXPECT_TRUE(whole.closed(0));
  EXPECT_EQ(dxf(file, Split::layers)["0"].chain_count(), 1u);
  const Drawn parts = dxf(file, Split::objects);
  ASSERT_EQ(parts.names(), (Names{"u", "0"}));
  EXPECT_EQ(parts["u"].chain_count(), 1u);
  EXPECT_EQ(parts["u"].edge_count(), 3u);
  EXPECT_FALSE(parts["u"].closed(0));
  EXPECT_EQ(parts.report.joined, 3u);
  EXPECT_EQ(parts.report.open.size(), 2u);
  EXPECT_EQ(parts.parts[1].report.joined, 0u);
  // Likewise a line that two parts draw is repeated in neither.
  const std::string twice =
      dxf_file(insert("u", 0) + insert("u", 0),
               "0\nSECTION\n2\nBLOCKS\n" + block("u", line(0, 1, 0, 0)) + "0\nENDSEC\n");
  EXPECT_EQ(io::read_outline(twice, ".dxf", "d.dxf").edge_count(), 1u);
  EXPECT_EQ(dxf(twice, Split::objects).names(), (Names{"u", "u#2"}));
}

TEST(OutlineParts, CurvesAreThoseOfTheWholeDrawing) {
  const std::string drawing =
      group("a", "<circle r='1'/>") + group("b", "<circle cx='90' r='30'/>");
  const plane::Outline whole = io::read_outline(svg_file(drawing), ".svg", "d.svg");
  const Drawn parts = svg(drawing, Split::layers);
  std::vector<plane::Vec2> vertices;
  for (const OutlinePart& part : parts.parts)
    vertices.insert(vertices.end(), part.outline.vertices().begin(), part.outline.vertices().end());
  ASSERT_EQ(vertices.size(), whole.vertex_count());
  for (Index v = 0; v < whole.vertex_count(); ++v) EXPECT_EQ(vertices[v], whole.vertex(v));
  EXPECT_EQ(parts.report.chord_error, whole.chord_error());
  EXPECT_LT(parts["a"].chord_error(), parts["b"].chord_error());
}

TEST(OutlineParts, PartsThatAreDroppedAreNamed) {
  const std::string drawing = group("plate", square(0)) + group("mark", "<path d='M0 0H5'/>") +
                              group("kerf", "<rect width='0.1' height='0.1'/>");
  const Drawn kept = svg(drawing, Split::layers, {.drop_open = true, .drop_loops_below = 0.5});
  EXPECT_EQ(kept.names(), Names{"plate"});
  EXPECT_EQ(kept.report.remarks,
            Names{"2 parts with dropped chains only (mark, kerf) are left out"});
  EXPECT_NE(refusal([&] {
              return svg(drawing, Split::layers, {.layers = {"mark"}, .drop_open = true})["mark"];
            }).find("holds no outlines"),
            std::string::npos);
}

TEST(OutlineParts, MemoryIsLimited) {
  const std::string name(100'000, 'x');
  // A `use` of a `use` of a group with a long name: each is a part that is called so.
  std::string uses =
      "<defs>" + group(name, square(0, "id='s'")) + "<use id='v' href='#" + name + "'/></defs>";
  for (int k = 0; k < 4000; ++k) uses += "<use href='#v'/>";
  EXPECT_NE(refusal([&] { return svg(uses, Split::objects)[name]; }).find("unfolds to more than"),
            std::string::npos);
}

using OutlinePartFiles = test::Io;

TEST_F(OutlinePartFiles, PartsAreNamedBehindTheFile) {
  const std::string nest = svg_file(layer("cut", group("gear", square(0)) + square(2)) +
                                    layer("gear", group("x", square(4))) +
                                    layer("marks", group("y", square(6)) + group("z", square(8))));
  const auto path = write("nest.SVG", nest);
  const auto part = [&](const std::string& name) {
    return load_outline(parse_part_name(path.string() + "#" + name));
  };
  EXPECT_EQ(parse_part_name("a/n.dxf#0").node, "0");
  EXPECT_EQ(part("gear").lo().x(), 0);  // the object; its layer's elements are x
  EXPECT_EQ(part("cut").lo().x(), 2);
  EXPECT_EQ(part("marks").chain_count(), 2u);  // a layer, since no object is called so
  EXPECT_EQ(load_outline(parse_part_name(path.string())).chain_count(), 5u);
  OutlineReport report;
  EXPECT_EQ(load_outline(PartName{path, "z"}, {.scale = 2}, &report).lo().x(), 16);
  EXPECT_TRUE(report.remarks.empty());
  EXPECT_NE(refusal([&] {
              return part("mark");
            }).find("there is no object or layer 'mark'; there are: gear, cut, x, y, z, marks"),
            std::string::npos)
      << refusal([&] { return part("mark"); });
  EXPECT_EQ(load_outlines(path, Split::objects).size(), 5u);
  EXPECT_THROW((void)load_outlines(path, Split::shells), InvalidInput);
  EXPECT_THROW((void)load_outlines(path, Split::layers, {.scale = -1}), InvalidInput);
  EXPECT_THROW((void)load_outlines("a.obj", Split::layers), LoadError);
  try {
    (void)load_assembly("a.obj", {.split = Split::layers});
    ADD_FAILURE() << "a mesh has no layers";
  } catch (const InvalidInput& e) {
    EXPECT_NE(std::string(e.what()).find("SVG and DXF"), std::string::npos) << e.what();
  }
  EXPECT_EQ(parse_split("layers"), Split::layers);
}

}  // namespace
}  // namespace touche::outline_parts_test
