// SPDX-License-Identifier: Apache-2.0
// Equality of two answers about a world, up to rounding of numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "touche/world.h"

namespace touche::test {

inline bool near(double x, double y) { return x == y || std::abs(x - y) < 1e-9; }

template <class T>
bool same(const T& x, const T& y) {
  return x == y;
}

inline bool same(const Pose& x, const Pose& y) {
  return (x.translation() - y.translation()).norm() < 1e-9 &&
         (x.matrix() - y.matrix()).norm() < 1e-9;
}

inline bool same(const TouchingPairs& x, const TouchingPairs& y) {
  return x.undecided == y.undecided &&
         std::equal(x.pairs.begin(), x.pairs.end(), y.pairs.begin(), y.pairs.end(),
                    [](const auto& p, const auto& q) { return p.a == q.a && p.b == q.b; });
}

inline bool same(const NearPairs& x, const NearPairs& y) {
  return x.complete == y.complete &&
         std::equal(x.pairs.begin(), x.pairs.end(), y.pairs.begin(), y.pairs.end(),
                    [](const NearPair& p, const NearPair& q) {
                      return p.a == q.a && p.b == q.b && near(p.distance.upper, q.distance.upper);
                    });
}

inline bool same(const ClosestPoint& x, const ClosestPoint& y) {
  return (x.face == kNone) == (y.face == kNone) && near(x.distance, y.distance);
}

inline bool same(const BodyHit& x, const BodyHit& y) {
  return x.body == y.body && x.hit.face == y.hit.face && x.hit.t == y.hit.t;
}

inline bool same(const std::optional<BodyHit>& x, const std::optional<BodyHit>& y) {
  return x && y ? same(*x, *y) : !x && !y;
}

inline bool same(const NearestBody& x, const NearestBody& y) {
  return x.body == y.body && same(x.closest, y.closest);
}

template <class T>
bool same(const std::vector<T>& x, const std::vector<T>& y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                    [](const T& p, const T& q) { return same(p, q); });
}

}  // namespace touche::test
