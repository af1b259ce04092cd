// SPDX-License-Identifier: Apache-2.0
// For the tests of refitting: vertices elsewhere, and hierarchies bit by bit.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <vector>

#include "bvh/bvh.h"
#include "bvh/object_data.h"
#include "random.h"
#include "touche/object.h"

namespace touche::test {

using Coordinates = std::vector<double>;

inline Coordinates coordinates_of(const PolygonSoup& soup) {
  Coordinates all;
  for (const Vec3& v : soup.vertices()) all.insert(all.end(), v.begin(), v.end());
  return all;
}

inline Coordinates moved(const PolygonSoup& soup, const std::function<Vec3(const Vec3&)>& move) {
  Coordinates all;
  for (const Vec3& v : soup.vertices()) {
    const Vec3 p = move(v);
    all.insert(all.end(), p.begin(), p.end());
  }
  return all;
}

/// A smooth wave through the whole shape, and each vertex a little elsewhere.
inline Coordinates randomly_moved(const PolygonSoup& soup, scenes::Random& random, double jitter) {
  const Vec3 wave = 3 * random.direction(), by = 0.5 * random.direction();
  const double phase = random.uniform(-3, 3);
  return moved(soup, [&](const Vec3& v) {
    return Vec3(v + std::sin(wave.dot(v) + phase) * by + random.in_box(jitter));
  });
}

inline Object rebuilt(const Object& object) { return Object(object.soup(), object.name()); }

/// Bit by bit: frames, boxes, corners, and the tree structure.
inline void expect_same_bits(const Object& x, const Object& y) {
  const bvh::Bvh &a = bvh::bvh_of(x), &b = bvh::bvh_of(y);
  ASSERT_EQ(a.node_count(), b.node_count());
  ASSERT_EQ(a.leaf_count(), b.leaf_count());
  EXPECT_EQ(a.centre(), b.centre());
  EXPECT_EQ(a.scale(), b.scale());
  for (bvh::NodeRef n = 0; n < static_cast<bvh::NodeRef>(a.node_count()); ++n) {
    bvh::Boxes8 room_a, room_b;
    const bvh::NodeView p = a.node(n, room_a), q = b.node(n, room_b);
    EXPECT_EQ(std::memcmp(&p.bounds, &q.bounds, sizeof(bvh::Bounds)), 0);
    EXPECT_EQ(std::memcmp(&p.children, &q.children, sizeof(bvh::Boxes8)), 0);
    EXPECT_TRUE(std::equal(p.child, p.child + p.count(), q.child, q.child + q.count()));
  }
  for (bvh::NodeRef n = 0; n < static_cast<bvh::NodeRef>(a.leaf_count()); ++n) {
    const bvh::BvhLeaf &p = a.leaf(~n), &q = b.leaf(~n);
    EXPECT_EQ(std::memcmp(&p.bounds, &q.bounds, sizeof(bvh::Bounds)), 0);
    EXPECT_EQ(std::memcmp(&p.corner, &q.corner, sizeof p.corner), 0);
    EXPECT_TRUE(std::equal(p.triangle, p.triangle + p.count(), q.triangle, q.triangle + q.count()));
  }
}

}  // namespace touche::test
