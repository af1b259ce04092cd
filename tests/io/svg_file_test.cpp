// SPDX-License-Identifier: Apache-2.0
// SVG: what becomes of each element, how near chords are to curves, and what is refused, with the
// line it stands on.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <numbers>

#include "outline_text.h"
#include "sanitized.h"

namespace touche::svg_file_test {
namespace {

using namespace test;

TEST(Svg, ReadsEveryCommandOfPathData) {
  expect_points(svg("<path d='M1 2 L3 4 H5 V6 Z'/>"), {{1, -2}, {3, -4}, {5, -4}, {5, -6}});
  expect_points(svg("<path d='m1,2l2,2h2v2z'/>"), {{1, -2}, {3, -4}, {5, -4}, {5, -6}});
  expect_points(svg("<path d='M1-2-3.5.5 6e0 7'/>"), {{1, 2}, {-3.5, -0.5}, {6, -7}});
  // Further subpaths, also behind a closed one without M.
  const Outline two = svg("<path d='M0 0 1 0 1 1z l5 0 M9 9 m1 0 l1 1'/>");
  ASSERT_EQ(two.chain_count(), 3);
  EXPECT_TRUE(two.closed(0));
  EXPECT_FALSE(two.closed(1));
  EXPECT_EQ(two.vertex(two.first_vertex(1)), Vec2(0, 0));
  EXPECT_EQ(two.vertex(two.first_vertex(2)), Vec2(10, -9));
  // A path that only moves draws nothing; one that only closes is a point.
  EXPECT_EQ(svg("<path d='M5 5 M1 1 L2 2'/>").chain_count(), 1);
  EXPECT_EQ(svg("<path d='M5 5 Z'/>").vertex(0), Vec2(5, -5));
  EXPECT_EQ(svg("<path d=''/><line x2='1'/>").chain_count(), 1);
}

// Programs write these, and they move nothing.
TEST(Svg, ReadsStylesThatMoveNothing) {
  expect_points(svg("<style>.a{fill:none;text-transform:none}</style>"
                    "<line class='a' style='text-transform:none;stroke-width:2' x2='1'/>"),
                {{0, 0}, {1, 0}});
  for (const char* style :
       {"fill:none/*;x:3*/", "width:3px;height:2px", "--x:3", "font:'a;x:3'", "stroke:RED:x:y",
        "fill:url(#a;x:3)", "-inkscape-stroke:none", "stroke-width:2;line-height:1"})
    expect_points(svg(fmt::format("<line style=\"{}\" x2='1'/>", style)), {{0, 0}, {1, 0}});
  expect_points(svg("<style>/*<![CDATA[*/ a:hover{fill:red} /* x:3 */ /*]]>*/</style>"
                    "<line x2='1'/>"),
                {{0, 0}, {1, 0}});
  // The size of the whole drawing on a page.
  expect_points(svg("<line x2='1'/>", "style='width:100%;height:24px'"), {{0, 0}, {1, 0}});
}

// In time that grows as the text does: were each colon to look back at all before it, some minutes.
TEST(Svg, ReadsLongStylesAtOnce) {
  std::string colons = "a";
  for (int k = 0; k < 200'000; ++k) colons += ":a";
  const std::clock_t before = std::clock();
  expect_points(svg("<line style='" + colons + "' x2='1'/>"), {{0, 0}, {1, 0}});
  expect_points(svg("<style>" + colons + "</style><line x2='1'/>"), {{0, 0}, {1, 0}});
  EXPECT_LT(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC, test::seconds_allowed(5));
}

TEST(Svg, FlattensCurvesWithinTheChordError) {
  // Everything here is on a circle of radius 10 about (10, −10), or a curve that is known.
  for (const double error : {1.0, 1e-2, 1e-4}) {
    for (const char* text : {"<circle cx='10' cy='10' r='10'/>",
                             "<path d='M0 10 A10 10 0 0 1 20 10 A10 10 0 0 1 0 10Z'/>",
                             "<path d='M0 10a10 10 0 1 1 0 1e-9'/>",
                             "<ellipse cx='5' cy='10' rx='5' ry='10' transform='scale(2 1)'/>",
                             "<path d='M10 0A10,10 30 0120 10'/>"}) {
      const Outline round = svg(text, "", error);
      for (Index e = 0; e < round.edge_count(); ++e) {
        const Vec2 p = round.vertex(round.edge(e)[0]) - Vec2(10, -10),
                   q = round.vertex(round.edge(e)[1]) - Vec2(10, -10);
        EXPECT_NEAR(p.norm(), 10, 1e-8) << text;
        EXPECT_GE((0.5 * (p + q)).norm(), 10 - error * (1 + 1e-9)) << text;
      }
    }
    const Outline curve = svg("<path d='M0 0 Q1 0 1 1 T2 2 C3 4 5 6 7 9 S1 1 0 5'/>", "", error);
    // The first piece is x = 2 s − s², y = s².
    const auto on_first = [](const Vec2& p) {
      const double s = std::sqrt(std::abs(p.y()));
      return Vec2(2 * s - s * s, -s * s);
    };
    for (Index e = 0; curve.vertex(curve.edge(e)[0]) != Vec2(1, -1); ++e) {
      const Vec2 p = curve.vertex(curve.edge(e)[0]), q = curve.vertex(curve.edge(e)[1]);
      EXPECT_NEAR((p - on_first(p)).norm(), 0, 1e-12);
      double nearest = kInfinity;
      for (double s = 0; s <= 1; s += 1e-4)
        nearest = std::min(nearest, (0.5 * (p + q) - Vec2(2 * s - s * s, -s * s)).norm());
      EXPECT_LE(nearest, error + 1e-4);
    }
  }
  const Index coarse = svg("<circle r='1'/>", "", 0.1).edge_count(),
              fine = svg("<circle r='1'/>", "", 0.001).edge_count();
  EXPECT_EQ(coarse, 8);
  EXPECT_NEAR(fine, 10 * std::numbers::pi / std::sqrt(0.2), 2);
}

TEST(Svg, DrawsShapes) {
  expect_points(svg("<rect x='1' y='2' width='3' height='4'/>"),
                {{1, -2}, {4, -2}, {4, -6}, {1, -6}});
  expect_points(svg("<polyline points='0,0 1,0, 1 1'/>"), {{0, 0}, {1, 0}, {1, -1}});
  EXPECT_FALSE(svg("<polyline points='0,0 1,0, 1 1'/>").closed(0));
  EXPECT_TRUE(svg("<polygon points='0,0 1,0, 1 1'/>").closed(0));
  expect_points(svg("<line x1='1' x2='2mm'/>"), {{1, 0}, {2 * 96 / 25.4, 0}});
  const Outline rounded = svg("<rect width='10' height='6' rx='2'/>", "", 1e-4);
  EXPECT_NEAR(rounded.signed_area(0), -(60 - (4 - std::numbers::pi) * 4), 1e-2);
  EXPECT_EQ(rounded.lo(), Vec2(0, -6));
  EXPECT_EQ(rounded.hi(), Vec2(10, 0));
  // Too large radii: a stadium becomes a circle.
  EXPECT_NEAR(svg("<rect width='6' height='6' rx='99'/>", "", 1e-5).signed_area(0),
              -9 * std::numbers::pi, 1e-3);
  // Shapes of no size are not drawn.
  EXPECT_EQ(svg("<rect width='0' height='6'/><circle r='0'/><line x2='1'/>").chain_count(), 1);
}

TEST(Svg, PlacesGroupsUsesAndNestedDrawings) {
  expect_points(svg("<g transform='translate(10)'><line x2='1' transform='rotate(90)'/></g>"),
                {{10, 0}, {10, -1}});
  expect_points(svg("<line x2='1' transform='matrix(1 2 3 4 5 6)'/>"), {{5, -6}, {6, -8}});
  expect_points(svg("<line x1='1' x2='2' transform='rotate(180, 1, 0) scale(2)'/>"),
                {{0, 0}, {-2, 0}});
  expect_points(svg("<line y2='1' transform='skewX(45)'/>"), {{0, 0}, {1, -1}});
  expect_points(svg("<defs><line id='l' x2='1'/></defs><use href='#l' x='2' y='3'/>"
                    "<use xlink:href='#l'/>"),
                {{2, -3}, {3, -3}, {0, 0}, {1, 0}});
  expect_points(svg("<symbol id='s' viewBox='0 0 10 10'><line x2='10'/></symbol>"
                    "<use href='#s' width='20' height='20'/>"),
                {{0, 0}, {20, 0}});
  expect_points(
      svg("<svg x='5' y='5' width='10' height='10' viewBox='0 0 1 1'><line x2='1'/></svg>"),
      {{5, -5}, {15, -5}});
  // Elements that are hidden or only referred to are not there.
  EXPECT_EQ(svg("<line x2='1'/><g display='none'><line x2='9'/></g><line style='display : none'/>"
                "<clipPath><line x2='9'/></clipPath><defs><line x2='9'/></defs><text>no</text>")
                .chain_count(),
            1);
  const Outline named = svg("<g id='layer'><line x2='1'/><line id='own' x2='1'/></g>");
  EXPECT_EQ(named.name(0), "layer");
  EXPECT_EQ(named.name(1), "own");
}

TEST(Svg, IsInMillimetresWhereItSaysSo) {
  const std::string line = "<line x1='0' x2='10'/>";
  EXPECT_EQ(svg(line).length(), 10);
  EXPECT_EQ(svg(line, "width='100' height='100' viewBox='0 0 10 10'").length(), 10);
  EXPECT_NEAR(svg(line, "width='100mm' height='50mm' viewBox='0 0 100 50'").length(), 10, 1e-12);
  EXPECT_NEAR(svg(line, "width='2in' height='2in' viewBox='0 0 10 10'").length(), 50.8, 1e-12);
  EXPECT_NEAR(svg(line, "width='96mm'").length(), 25.4 / 9.6, 1e-12);
  // The shape is kept unless it says otherwise.
  const std::string tall = "width='10mm' height='40mm' viewBox='0 0 10 10' ";
  EXPECT_NEAR(svg("<line y2='10'/>", tall).length(), 10, 1e-12);
  EXPECT_NEAR(svg("<line y2='10'/>", tall + "preserveAspectRatio='none'").length(), 40, 1e-12);
  EXPECT_NEAR(svg("<line y2='10'/>", tall).hi().y(), -15, 1e-12);  // centred
  EXPECT_NEAR(svg("<line y2='10'/>", tall + "preserveAspectRatio='xMidYMin'").hi().y(), 0, 1e-12);
}

TEST(Svg, RefusesWhatItCannotRead) {
  const auto why = [](const std::string& content) { return refusal([&] { return svg(content); }); };
  const auto expect = [&](const std::string& content, const std::string& part) {
    const std::string reason = why(content);
    EXPECT_NE(reason.find(part), std::string::npos) << reason;
    EXPECT_TRUE(reason.starts_with("d.svg:")) << reason;
  };
  expect("\n<path d='M0 0 L1'/>", "d.svg:3: <path> d: expected a number at the end of");
  expect("<path d='L1 1'/>", "must begin with M");
  expect("<path d='M0 0 B1 1'/>", "is no command");
  expect("<path d='M0 0 A1 1 0 2 0 1 1'/>", "expected 0 or 1");
  expect("<path d='M0 0 L1e999 0'/>", "too large");
  expect("<path d='M0 0 L-inf 0'/>", "too large");
  expect("<path d='M0 0 L1e300 0'/>", "is beyond ±1e+90");
  expect("<line x2='5em'/>", "relative or not known");
  expect("<line x2='50%'/>", "relative");
  expect("<line x2='1' transform='spin(4)'/>", "no transform");
  expect("<line x2='1' transform='scale(1'/>", "expected ')'");
  expect("<line x2='1' style='transform:scale(2)'/>", "transform in a style is not read");
  expect("<line x2='1' style='fill:none; cx : 3'/>", "cx in a style is not read");
  expect("<style>rect{fill:red}\n.a { stroke:red; transform: scale(2) }</style><line x2='1'/>",
         "transform in a style sheet is not read");
  expect("<style><![CDATA[/* wide */x:3px]]></style><line x2='1'/>", "x in a style sheet");
  expect("<line x2='1' transform='rotate(90)' transform-origin='5 5'/>", "transform-origin");
  expect("<line x2='1' transform='rotate(90)' transform-box='fill-box'/>", "transform-box");
  for (const auto& [style, property] : {std::pair("transform-origin: 5px 5px", "transform-origin"),
                                        {"transform-box:fill-box", "transform-box"},
                                        {"offset-path:circle(3px)", "offset"},
                                        {"offset : none", "offset"},
                                        {"TRANSFORM: scale(2)", "transform"},
                                        {"-webkit-Transform:scale(2)", "transform"},
                                        {"transform/**/:scale(2)", "transform"},
                                        {"/*;*/ x /* : */ : 3", "x"},
                                        {"fill:url( a/*b );x:3;fill:url(*/)", "x"},
                                        {"font:'/*';x:3;font:'*/'", "x"},
                                        {"font:'\\'/*';x:3;font:'*/'", "x"},
                                        {"fill:a:b;x:3", "x"}}) {
    const std::string is_not_read = fmt::format("{} in a style is not read", property);
    expect(fmt::format("<line x2='1' style=\"{}\"/>", style), is_not_read);
    expect(fmt::format("<style>line{{fill:red}} a:hover{{{}}}</style><line x2='1'/>", style),
           fmt::format("{} in a style sheet is not read", property));
  }
  // A width that its style gives is another than its attribute says.
  for (const char* sized :
       {"<rect width='2' height='1' style='width:5px'/>",
        "<g id='s'><line x2='1'/></g><use href='#s' style='fill:none;WIDTH:5px'/>",
        "<symbol id='s' style='width:1px'><line x2='1'/></symbol><use href='#s'/>",
        "<svg width='2' height='1' style='width:5px'><line x2='1'/></svg>"})
    expect(sized, "width in a style is not read");
  expect("<style>rect{height:5px}</style><rect width='2' height='1'/>",
         "height in a style sheet is not read");
  expect("<g clip-path='url(#c)'><line x2='1'/></g>", "cut by a clip-path");
  expect("<use href='other.svg#a'/>", "not in this file");
  expect("<use href='#gone'/>", "no element has this id");
  expect("<g id='g'><use href='#g'/></g>", "too deep");
  expect("<circle r='-1'/>", "negative");
  expect("", "no outlines");
  expect("<line", "");
  EXPECT_NE(refusal([] { return io::read_outline("<html/>", ".svg", "d.svg"); }).find("not an SVG"),
            std::string::npos);
  // Twice as many with every level: not before memory ends, but at once.
  std::string doubled = "<g id='l0'><line x2='1'/></g>";
  for (int k = 1; k < 64; ++k) {
    const std::string below = "<use href='#l" + std::to_string(k - 1) + "'/>";
    doubled += "<g id='l" + std::to_string(k) + "'>" + below + below + "</g>";
  }
  expect("<defs>" + doubled + "</defs><use href='#l63'/>", "unfolds to more than");
  // Huge beside tiny is read.
  EXPECT_EQ(why("<circle r='1e80'/><circle r='1e-3' transform='scale(1e80)'/>"), "it was read");
}

}  // namespace
}  // namespace touche::svg_file_test
