// SPDX-License-Identifier: Apache-2.0
// Outlines read from the text of drawings.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "io/drawing.h"
#include "touche/outline_file.h"

namespace touche::test {

using plane::Outline;
using plane::Vec2;

inline Outline svg(const std::string& content, const std::string& attributes = "",
                   double chord_error = 0) {
  return io::read_outline(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" " + attributes + ">\n" + content + "\n</svg>\n",
      ".svg", "d.svg", {.chord_error = chord_error});
}

/// Groups as "code value", with '\n' between.
inline Outline dxf(const std::string& entities, const std::string& before = "",
                   double chord_error = 0) {
  const std::string text = before + "0\nSECTION\n2\nENTITIES\n" + entities + "0\nENDSEC\n0\nEOF\n";
  return io::read_outline(text, ".dxf", "d.dxf", {.chord_error = chord_error});
}

inline std::string refusal(const std::function<Outline()>& load) {
  try {
    (void)load();
  } catch (const LoadError& e) {
    return e.what();
  }
  return "it was read";
}

inline void expect_points(const Outline& outline, const std::vector<Vec2>& expected) {
  ASSERT_EQ(outline.vertex_count(), expected.size());
  for (Index v = 0; v < outline.vertex_count(); ++v)
    EXPECT_NEAR((outline.vertex(v) - expected[v]).norm(), 0, 1e-12)
        << v << ": " << outline.vertex(v).transpose();
}

}  // namespace touche::test
