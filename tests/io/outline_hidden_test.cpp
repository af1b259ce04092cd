// SPDX-License-Identifier: Apache-2.0
// What a drawing hides is not part of its outline, and a remark says what was left out. A frame
// that is read by mistake turns material inside out.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "outline_text.h"
#include "touche/plane.h"

namespace touche::outline_hidden_test {
namespace {

using namespace test;

std::string square(double half, const std::string& groups = "8\nCUT\n") {
  return fmt::format(
      "0\nLWPOLYLINE\n{}90\n4\n70\n1\n10\n{:g}\n20\n{:g}\n10\n{:g}\n20\n{:g}\n10\n{:g}\n20\n{:g}\n"
      "10\n{:g}\n20\n{:g}\n",
      groups, -half, -half, half, -half, half, half, -half, half);
}

std::string layer(const std::string& name, int flags, int colour, const std::string& more = "") {
  return fmt::format("0\nLAYER\n2\n{}\n70\n{}\n62\n{}\n{}", name, flags, colour, more);
}

Outline drawing(const std::string& layers, const std::string& blocks, const std::string& entities,
                const OutlineOptions& options = {}) {
  return io::read_outline("0\nSECTION\n2\nTABLES\n0\nTABLE\n2\nLAYER\n" + layers +
                              "0\nENDTAB\n0\nENDSEC\n0\nSECTION\n2\nBLOCKS\n" + blocks +
                              "0\nENDSEC\n0\nSECTION\n2\nENTITIES\n" + entities +
                              "0\nENDSEC\n0\nEOF\n",
                          ".dxf", "d.dxf", options);
}

std::string block(const std::string& name, const std::string& content) {
  return "0\nBLOCK\n2\n" + name + "\n" + content + "0\nENDBLK\n";
}

std::string insert(const std::string& name, const std::string& groups) {
  return "0\nINSERT\n2\n" + name + "\n" + groups + "10\n0\n20\n0\n";
}

/// Half the width of each square that was read, in order.
std::vector<double> halves(const Outline& outline) {
  std::vector<double> all;
  for (Index c = 0; c < outline.chain_count(); ++c)
    all.push_back(outline.vertex(outline.first_vertex(c) + 2).x());
  return all;
}

using Halves = std::vector<double>;

void expect_remark(const Outline& outline, const std::string& remark) {
  ASSERT_EQ(outline.remarks().size(), 1u);
  EXPECT_EQ(outline.remarks()[0], remark);
}

TEST(OutlineHidden, LayersPaperSpaceAndInvisibleEntitiesOfDxf) {
  const std::string layers = layer("CUT", 0, 7) + layer("FRAME", 1, 7) + layer("Notes", 4, -3);
  const Outline plate = drawing(layers, "",
                                square(5) + square(20, "8\nFRAME\n") + square(21, "8\nNOTES\n") +
                                    square(22, "67\n1\n") + square(23, "8\nframe\n") +
                                    square(24, "60\n1\n") + square(3, "60\n0\n67\n0\n"));
  EXPECT_EQ(halves(plate), (Halves{5, 3}));
  expect_remark(plate,
                "3 entities on frozen or off layers (FRAME, NOTES, frame), 1 in paper space and 1 "
                "marked as invisible are left out");
  // A point of the material is inside, though a frame is around it.
  EXPECT_LT(plane::Region(plane::Object(plate)).signed_distance({4, 4}), 0);
  expect_remark(drawing(layers, "", square(5) + square(9, "8\nFRAME\n")),
                "1 entity on frozen or off layers (FRAME) is left out");
  // Entities that are no outlines need no remark, and ones that are not read are no error.
  EXPECT_TRUE(drawing(layers, "", square(5) + "0\nTEXT\n8\nFRAME\n").remarks().empty());
  EXPECT_EQ(halves(drawing(layers, "", square(5) + "0\n3DSOLID\n67\n1\n")), Halves{5});
  // Layers that are not in the table are drawn.
  EXPECT_EQ(halves(drawing("", "", square(5, "8\nFRAME\n"))), Halves{5});
  EXPECT_EQ(refusal([&] { return drawing(layers, "", square(5, "8\nFRAME\n")); }),
            "d.dxf: the file holds no outlines; 1 entity on frozen or off layers (FRAME) is left "
            "out");
  // If there is nothing else, what is no outline is named.
  EXPECT_EQ(refusal([&] { return drawing("", "", "0\nMTEXT\n0\nHATCH\n0\nMTEXT\n"); }),
            "d.dxf: the file holds no outlines; 3 entities of annotation (MTEXT, HATCH) are "
            "not read");
}

TEST(OutlineHidden, BlocksOfDxf) {
  const std::string layers = layer("FROZEN", 1, 7) + layer("OFF", 0, -7) + layer("ON", 0, 7);
  const std::string blocks =
      block("b", square(1, "8\n0\n") + square(2, "8\nON\n") + square(3, "8\nFROZEN\n") +
                     square(4, "8\nOFF\n") + square(5, "8\nON\n60\n1\n") + square(6, "")) +
      block("outer", insert("b", "8\n0\n"));
  const auto read = [&](const std::string& groups, const char* name) {
    return halves(drawing(layers, blocks, square(9) + insert(name, groups)));
  };
  for (const char* name : {"b", "outer"}) {
    EXPECT_EQ(read("8\nON\n", name), (Halves{9, 1, 2, 6})) << name;
    EXPECT_EQ(read("", name), (Halves{9, 1, 2, 6})) << name;
    // As in AutoCAD: frozen hides all of it, off only what has no layer of its own.
    EXPECT_EQ(read("8\nFROZEN\n", name), Halves{9}) << name;
    EXPECT_EQ(read("8\nOFF\n", name), (Halves{9, 2})) << name;
    EXPECT_EQ(read("8\nON\n60\n1\n", name), Halves{9}) << name;
    EXPECT_EQ(read("8\nON\n67\n1\n", name), Halves{9}) << name;
  }
  const Outline placed = drawing(layers, blocks, insert("outer", "8\nON\n"));
  EXPECT_EQ(placed.name(0), "ON");
  expect_remark(placed,
                "2 entities on frozen or off layers (FROZEN, OFF) and 1 marked as invisible are "
                "left out");
}

TEST(OutlineHidden, LayersOfDxfAreSelected) {
  const std::string layers =
      layer("CUT", 0, 7) + layer("FRAME", 1, 7) + layer("0", 0, 7) + layer("Empty", 0, 7);
  const std::string entities =
      square(5) + square(8, "8\nFRAME\n") + square(6, "8\nmark\n") + insert("b", "8\nmark\n");
  const std::string blocks = block("b", square(1, "8\n0\n") + square(2, "8\nCUT\n"));
  const auto read = [&](const OutlineOptions& options) {
    return drawing(layers, blocks, entities, options);
  };
  EXPECT_EQ(halves(read({})), (Halves{5, 6, 1, 2}));
  EXPECT_EQ(halves(read({.all_layers = true})), (Halves{5, 8, 6, 1, 2}));
  EXPECT_TRUE(read({.all_layers = true}).remarks().empty());
  const Outline cut = read({.layers = {"cut"}});
  EXPECT_EQ(halves(cut), (Halves{5, 2}));
  expect_remark(cut, "3 entities on layers that are not selected (FRAME, mark) are left out");
  EXPECT_EQ(halves(read({.layers = {"CUT", "MARK"}})), (Halves{5, 6, 1, 2}));
  EXPECT_EQ(halves(read({.layers = {"FRAME"}, .all_layers = true})), Halves{8});
  EXPECT_EQ(refusal([&] { return read({.layers = {"FRAME"}}); }).substr(0, 32),
            "d.dxf: the file holds no outline");
  EXPECT_EQ(refusal([&] {
              return read({.layers = {"CUT", "cuts"}});
            }),
            "d.dxf: there is no layer 'cuts'; there are: 0, CUT, FRAME, Empty, mark");
}

TEST(OutlineHidden, LayersThatAreNotPlottedAreReadWithARemark) {
  const std::string layers = layer("CUT", 0, 7, "290\n1\n") + layer("HELP", 0, 7, "290\n0\n");
  expect_remark(drawing(layers, "", square(5) + square(6, "8\nHELP\n")),
                "1 entity on layers that are not plotted (HELP) is read");
  EXPECT_TRUE(drawing(layers, "", square(5)).remarks().empty());
}

// ---- SVG

std::string box(double half, const std::string& attributes = "") {
  return fmt::format("<rect x='{0}' y='{0}' width='{1}' height='{1}' {2}/>", -half, 2 * half,
                     attributes);
}

Outline with(const std::string& content, const OutlineOptions& options = {}) {
  return io::read_outline("<svg>" + content + "</svg>", ".svg", "d.svg", options);
}

TEST(OutlineHidden, ElementsOfSvg) {
  for (const std::string& hidden :
       {box(9, "display='none'"),
        box(9, "style='display : NONE'"),
        box(9, "style='fill:red;display:none!important;display:inline'"),
        box(9, "visibility='hidden'"),
        box(9, "visibility='collapse'"),
        box(9, "style='visibility:hidden'"),
        box(9, "visibility='visible' style='visibility:hidden'"),
        "<g visibility='hidden'>" + box(9) + "</g>",
        "<g display='none'>" + box(9) + "</g>",
        "<g display='none'>" + box(9, "display='inline'") + "</g>",
        "<g visibility='hidden'><g>" + box(9, "visibility='inherit'") + "</g></g>",
        "<style>.h{display:none}</style>" + box(9, "class='a h b'"),
        "<style>#f , #g{visibility:hidden}</style>" + box(9, "id='f'"),
        "<style>g{display:none}</style><g>" + box(9) + "</g>",
        "<style>rect.h#f{display:none} rect{display:inline}</style>" + box(9, "id='f' class='h'"),
        "<style>.h{display:none} /* .h{display:inline} */</style>" + box(9, "class='h'"),
        "<style>.h{visibility:hidden !important}</style>" +
            box(9, "class='h' style='visibility:visible'"),
        "<style>.h{display:none}</style>" + box(9, "class='h' display='inline'"),
        "<style>.h{display:none} .h{display:bogus}</style>" + box(9, "class='h'"),
        "<style media='screen'>.h{display:none}</style>" + box(9, "class='h'"),
        "<style>@media screen{.h{display:none}}</style>" + box(9, "class='h'"),
        "<defs>" + box(9, "id='b'") + "</defs><use href='#b' display='none'/>",
        "<defs>" + box(9, "id='b'") + "</defs><use href='#b' visibility='hidden'/>",
        "<defs>" + box(9, "id='b' display='none'") + "</defs><use href='#b'/>",
        "<symbol id='b' visibility='hidden'>" + box(9) + "</symbol><use href='#b'/>"}) {
    const Outline plate = with(box(5) + hidden);
    EXPECT_EQ(plate.chain_count(), 1) << hidden;
    ASSERT_EQ(plate.remarks().size(), 1u) << hidden;
    EXPECT_TRUE(plate.remarks()[0].starts_with("1 shape ")) << plate.remarks()[0];
  }
  for (const std::string& shown :
       {box(9, "display='inline'"),
        "<g visibility='hidden'>" + box(9, "visibility='visible'") + "</g>",
        "<style>.h{display:none}</style>" + box(9, "class='high' id='h'"),
        "<style>.h{display:none} .h{display:inline}</style>" + box(9, "class='h'"),
        "<style>#h{display:inline} .h{display:none}</style>" + box(9, "class='h' id='h'"),
        "<style>.h{display:none}</style>" + box(9, "class='h' style='display:inline'"),
        "<style>.h{display:inline} g{display:none}</style><g class='h'>" + box(9) + "</g>",
        "<style>@media print{.h > g{display:none}}</style>" + box(9, "class='h'"),
        "<style>.h:hover{fill:red}</style>" + box(9, "class='h'"),
        box(9, "style='fill:url(#a);font:\"display:none\"'"),
        "<symbol id='b' display='none'>" + box(9) + "</symbol><use href='#b'/>",
        "<defs visibility='hidden'>" + box(9, "id='b'") + "</defs><use href='#b'/>"}) {
    const Outline plate = with(box(5) + shown);
    EXPECT_EQ(plate.chain_count(), 2) << shown;
    EXPECT_TRUE(plate.remarks().empty()) << shown;
  }
  expect_remark(with(box(5) + "<g id='help' display='none'>" + box(6) + "<g>" + box(7) +
                     "</g></g>" + box(8, "id='f' visibility='hidden'") + "<text display='none'/>"),
                "2 shapes not displayed (help) and 1 with hidden visibility (f) are left out");
  EXPECT_NE(refusal([] {
              return io::read_outline("<svg style='display:none'>" + box(5) + "</svg>", ".svg",
                                      "d.svg");
            }).find("1 shape not displayed is left out"),
            std::string::npos);
}

// What is cut would be another outline, however the file says so.
TEST(OutlineHidden, CutElementsOfSvgAreRefused) {
  for (const std::string& cut :
       {box(9, "clip-path='url(#c)'"), box(9, "mask='url(#m)'"),
        box(9, "style='clip-path:url(#c)'"), box(9, "style='-webkit-mask: url(#m)'"),
        box(9, "style='mask-image:url(#m)'"), "<g style='clip-path:inset(5px)'>" + box(9) + "</g>",
        "<style>.c{clip-path:url(#c)}</style>" + box(9, "class='c'"),
        "<style>rect{mask:url(#m)}</style>" + box(9),
        "<style>.c > rect{clip-path:url(#c)}</style>" + box(9),
        "<symbol id='s' clip-path='url(#c)'>" + box(9) + "</symbol><use href='#s'/>",
        box(9, "display='var(--a,none)'"), box(9, "style='visibility:var(--a)'")})
    EXPECT_NE(refusal([&] { return with(box(5) + cut); }).find("is not read"), std::string::npos)
        << cut;
  for (const std::string& whole :
       {box(9, "clip-path='none'"), box(9, "style='mask:none'"),
        "<style>.c{clip-path:url(#c)}</style>" + box(9, "class='c' style='clip-path:none'"),
        "<clipPath id='c'>" + box(9) + "</clipPath>" + box(9),
        "<g clip-path='url(#c)'><desc/></g>" + box(9), "<style>g:hover{mask:none}</style>" + box(9),
        "<switch><title/>" + box(9) + "</switch>"})
    EXPECT_TRUE(with(box(5) + whole).remarks().empty()) << whole;
}

// What a viewer may show otherwise is read, and named.
TEST(OutlineHidden, WhatMayLookOtherwiseIsNamed) {
  for (const auto& [content, remark] : std::vector<std::pair<std::string, std::string>>{
           {box(9, "fill='none'"), "1 shape without fill and line, or with opacity 0 is read as"},
           {"<g fill='none' id='g'>" + box(9, "style='stroke:none'") + "</g>",
            "1 shape without fill and line, or with opacity 0 (g) is read as"},
           {"<g opacity='0'>" + box(9) + "</g>", "1 shape without fill and line, or with opacity"},
           {box(9, "transform='scale(0)'"), "1 shape scaled by 0 is left out"},
           {"<style>@import 'a.css'; .a{fill:red}</style>", "1 use of style sheets in other files"},
           {"<script>hide()</script>", "1 use of scripts is not read"},
           {box(9).substr(0, box(9).size() - 2) + "><animate/></rect>", "1 use of animations"},
           {"<svg width='4' height='4'>" + box(9) + "</svg>",
            "1 shape beyond the borders of a drawing is read whole"},
           {"<symbol id='s'>" + box(9) + "</symbol><use href='#s' width='4' height='4'/>",
            "1 shape beyond the borders of a drawing (s) is read whole"},
           {"<switch><g requiredExtensions='x'>" + box(8) + "</g>" + box(9) + box(7) + "</switch>",
            "1 shape not displayed is left out"},
           {"<g systemLanguage='de'>" + box(9) + "</g>", "1 shape not displayed is left out"}}) {
    const Outline outline = with(box(5) + content);
    ASSERT_EQ(outline.remarks().size(), 1u) << content;
    EXPECT_TRUE(outline.remarks()[0].starts_with(remark)) << outline.remarks()[0];
  }
  for (const std::string& plain :
       {box(9, "fill='none' stroke='red'"), box(9, "style='fill:none;stroke:#000'"),
        "<g fill='none' stroke='red'>" + box(9) + "</g>",
        "<style>.a > b{fill:none}</style>" + box(9), box(9, "opacity='0.5'"),
        "<svg width='40' height='40' overflow='visible'>" + box(9) + "</svg>",
        "<svg x='-20' y='-20' width='40' height='40' viewBox='-20 -20 40 40'>" + box(9) + "</svg>",
        "<g systemLanguage='de, en-GB'>" + box(9) + "</g>"})
    EXPECT_TRUE(with(box(5) + plain).remarks().empty()) << plain;
  // Elements may have the prefix of the format.
  const Outline prefixed = io::read_outline(
      "<s:svg xmlns:s='http://www.w3.org/2000/svg'><s:rect width='2' height='1'/></s:svg>", ".svg",
      "d.svg");
  EXPECT_EQ(prefixed.hi(), plane::Vec2(2, 0));
}

TEST(OutlineHidden, SelectorsOfSvgThatAreNotRead) {
  for (const char* rule :
       {"g rect{display:none}", "g > .h{visibility:hidden}", "rect:hover{display:none}",
        "[id=a]{display:none}", "@media (max-width:9px){.h{display:none}}",
        ".a{fill:red} .h, g .h{display:none}"}) {
    const std::string reason =
        refusal([&] { return with(fmt::format("<style>{}</style>{}", rule, box(5))); });
    EXPECT_TRUE(reason.starts_with("d.svg:1: <style> rule: ")) << reason;
    EXPECT_NE(reason.find("is not read"), std::string::npos) << reason;
  }
}

TEST(OutlineHidden, LayersOfSvgAreSelected) {
  const std::string marked =
      "<g inkscape:groupmode='layer' inkscape:label='Cut' id='layer1'>" + box(5) +
      "<g inkscape:groupmode='layer' inkscape:label='Holes'>" + box(1) + "</g></g>" +
      "<g inkscape:groupmode='layer' inkscape:label='Help' style='display:none'>" + box(9) +
      box(8, "display='none'") + "</g><g id='rest'>" + box(7) + "</g>";
  const auto halves = [](const Outline& outline) {
    std::vector<double> all;
    for (Index c = 0; c < outline.chain_count(); ++c)
      all.push_back(outline.vertex(outline.first_vertex(c) + 1).x());
    return all;
  };
  EXPECT_EQ(halves(with(marked)), (Halves{5, 1, 7}));
  EXPECT_EQ(halves(with(marked, {.all_layers = true})), (Halves{5, 1, 9, 7}));
  EXPECT_EQ(halves(with(marked, {.layers = {"Cut"}})), (Halves{5, 1}));
  EXPECT_EQ(halves(with(marked, {.layers = {"Holes"}})), Halves{1});
  EXPECT_EQ(halves(with(marked, {.layers = {"Help", "Holes"}, .all_layers = true})),
            (Halves{1, 9}));
  EXPECT_EQ(refusal([&] { return with(marked, {.layers = {"rest"}}); }),
            "d.svg: there is no layer 'rest'; there are: Cut, Holes, Help");
  const std::string plain = "<g id='cut'><g id='in'>" + box(5) + "</g></g><g>" + box(6) + "</g>";
  EXPECT_EQ(halves(with(plain, {.layers = {"cut"}})), Halves{5});
  expect_remark(with(plain, {.layers = {"cut"}}),
                "1 shape on layers that are not selected is left out");
  EXPECT_EQ(refusal([&] { return with(box(5), {.layers = {"cut"}}); }),
            "d.svg: there is no layer 'cut'; the file has no layers");
}

// ---- what the user leaves out

TEST(OutlineHidden, OpenChainsAndSmallLoopsAreDropped) {
  const std::string text =
      box(5) + box(0.02) + box(0.03) + "<path d='M0 0 3 0 3 4'/><line x2='1'/><path d='M1 1Z'/>";
  EXPECT_EQ(with(text).chain_count(), 6);
  const Outline closed = with(text, {.drop_open = true});
  EXPECT_EQ(closed.chain_count(), 4);
  expect_remark(closed, "2 open chains are left out, 8 long in total");
  const Outline large = with(text, {.drop_open = true, .drop_loops_below = 0.1});
  EXPECT_EQ(large.chain_count(), 1);
  ASSERT_EQ(large.remarks().size(), 2u);
  EXPECT_EQ(large.remarks()[1], "3 closed chains are left out, 0.0849 across at most");
  EXPECT_EQ(with(text, {.drop_loops_below = 0.07}).chain_count(), 4);
  EXPECT_EQ(with(text, {.scale = 10, .drop_loops_below = 0.1}).chain_count(), 5);
  EXPECT_EQ(refusal([&] { return with("<line x2='3'/>", {.drop_open = true}); }),
            "d.svg: the file holds no outlines; 1 open chain is left out, 3 long");
  EXPECT_EQ(refusal([&] { return with("<text>A</text>", {}); }),
            "d.svg: the file holds no outlines; 1 element of other kinds (text) is not read");
  EXPECT_THROW((void)load_outline("a.dxf", {.drop_loops_below = -1}), InvalidInput);
  // What is dropped does not count for the error of the chords.
  EXPECT_EQ(with(box(5) + "<path d='M0 0A9 9 0 0 1 5 5'/>", {.drop_open = true}).chord_error(), 0);
}

}  // namespace
}  // namespace touche::outline_hidden_test
