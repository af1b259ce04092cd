// SPDX-License-Identifier: Apache-2.0
// Drawings beyond the largest coordinate are refused with file and line, and no infinity passes:
// squares of such numbers are infinite, and the chord of a curve would stand for it.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "outline_text.h"

namespace touche::outline_size_test {
namespace {

using namespace test;

void expect_refused(const std::string& text, const std::string& ending) {
  OutlineReport report;
  try {
    const Outline outline = io::read_outline(text, ending, "d", {}, &report);
    ADD_FAILURE() << text << ": chord error " << outline.chord_error();
  } catch (const LoadError& e) {
    EXPECT_TRUE(std::string(e.what()).starts_with("d:")) << e.what();
    EXPECT_GT(std::stoi(std::string(e.what()).substr(2)), 0) << e.what();
  }
}

TEST(OutlineSize, CurvesOfSvgBeyondTheLargestCoordinate) {
  for (const char* huge : {"1e91", "1e150", "1e155", "-1e160", "1e200", "1.5e308"})
    for (const char* path :
         {"M0 0C{} 0 1 0 1 0", "M0 0C1 0 1 {} 1 0", "M0 0Q{} 0 1 1", "M0 0Q0 {} 1 1",
          "M0 0C0 0 {} 0 1 0S 1 1 2 2", "M0 0 S{} 0 1 1", "M0 0Q{} 0 1 1T 2 2",
          "M0 0A{0} {0} 0 1 1 1 0", "M0 0A{0} {0} 0 0 1 1 0", "M0 0A{} 1 0 0 1 1 1",
          "M0 0A1 1 0 0 1 {} 1", "M{} 0C0 0 0 0 1 1"})
      expect_refused(
          fmt::format("<svg>\n<path d='{}'/></svg>", fmt::format(fmt::runtime(path), huge)),
          ".svg");
  expect_refused("<svg><g transform='scale(1e155)'><path d='M0 0C1 0 1 1 0 0'/></g></svg>", ".svg");
  expect_refused("<svg><circle r='1e155'/></svg>", ".svg");
  EXPECT_THROW((void)io::read_outline("<svg><circle r='1'/></svg>", ".svg", "d", {.scale = 1e155}),
               LoadError);
}

TEST(OutlineSize, CurvesOfDxfBeyondTheLargestCoordinate) {
  const std::string knots = "40\n0\n40\n0\n40\n0\n40\n0\n40\n1\n40\n1\n40\n1\n40\n1\n";
  for (const char* huge : {"1e91", "1e150", "1e155", "-1e160", "1e200", "1.5e308"})
    for (const std::string& entity :
         {"SPLINE\n71\n3\n" + knots + "10\n0\n20\n0\n10\n{}\n20\n1\n10\n1\n20\n1\n10\n1\n20\n0\n",
          "SPLINE\n71\n3\n" + knots +
              "41\n1\n41\n2\n41\n1\n41\n1\n10\n0\n20\n0\n10\n{}\n20\n1\n"
              "10\n1\n20\n1\n10\n1\n20\n0\n",
          std::string("SPLINE\n71\n3\n11\n0\n21\n0\n11\n{}\n21\n1\n11\n1\n21\n1\n"),
          std::string("CIRCLE\n10\n{}\n20\n0\n40\n1\n"),
          std::string("ARC\n10\n0\n20\n{}\n40\n1\n50\n0\n51\n90\n"),
          std::string("ELLIPSE\n10\n0\n20\n0\n11\n{}\n21\n0\n40\n0.5\n41\n0\n42\n1\n"),
          std::string("LWPOLYLINE\n70\n0\n10\n0\n20\n0\n42\n{}\n10\n1\n20\n0\n"),
          std::string("LWPOLYLINE\n70\n0\n10\n0\n20\n0\n42\n1\n10\n{}\n20\n0\n")})
      expect_refused("0\nSECTION\n2\nENTITIES\n0\n" + fmt::format(fmt::runtime(entity), huge) +
                         "0\nENDSEC\n0\nEOF\n",
                     ".dxf");
}

}  // namespace
}  // namespace touche::outline_size_test
