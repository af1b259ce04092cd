// SPDX-License-Identifier: Apache-2.0
// Tests what SVG and DXF have in common.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "outline_text.h"

namespace touche::outline_file_test {
namespace {

using namespace test;

TEST(OutlineFile, DrawingsOfOnePartFitOntoEachOther) {
  const Outline
      a = svg("<path d='M0 0H40V-20H0Z'/>", "width='100mm' height='100mm' viewBox='0 0 100 100'"),
      b = dxf("0\nLWPOLYLINE\n70\n1\n10\n0\n20\n0\n10\n40\n20\n0\n10\n40\n20\n20\n10\n0\n20\n20\n",
              "0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n4\n0\nENDSEC\n");
  ASSERT_EQ(a.vertex_count(), b.vertex_count());
  for (Index v = 0; v < a.vertex_count(); ++v)
    EXPECT_NEAR((a.vertex(v) - b.vertex(v)).norm(), 0, 1e-12);
}

TEST(OutlineFile, ChecksItsArguments) {
  EXPECT_TRUE(is_outline("a/B.SVG"));
  EXPECT_TRUE(is_outline("b.dxf"));
  EXPECT_FALSE(is_outline("b.obj"));
  EXPECT_THROW((void)load_outline("a.svg", {.scale = 0}), InvalidInput);
  EXPECT_THROW((void)load_outline("a.svg", {.chord_error = -1}), InvalidInput);
  EXPECT_THROW((void)load_outline("there-is-no.svg"), LoadError);
  EXPECT_THROW((void)load_outline("a.obj"), LoadError);
}

}  // namespace
}  // namespace touche::outline_file_test
