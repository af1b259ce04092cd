// SPDX-License-Identifier: Apache-2.0
// The same algorithm as in gjk.cpp, in integers: the nearest point of a simplex of at most four
// vertices is a fraction of polynomials in their coordinates, so nothing is ever rounded. Each step
// makes the distance strictly smaller, and there are finitely many simplices, so it terminates.
#include "convex/exact_meet.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "convex/big_integer.h"
#include "math/coordinates.h"

namespace touche::convex {
namespace {

constexpr double kLargest = 1e92;  // upper bound of coordinates: the integers need as many bits

struct BigVector {
  BigInteger x, y, z;
};
BigVector operator+(const BigVector& a, const BigVector& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
BigVector operator-(const BigVector& a, const BigVector& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
BigVector operator*(const BigInteger& s, const BigVector& a) { return {s * a.x, s * a.y, s * a.z}; }
BigInteger dot(const BigVector& a, const BigVector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
BigVector cross(const BigVector& a, const BigVector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// A point of the difference, and the weights of its vertices: times a common factor of either
/// sign.
struct Fraction {
  BigVector numerator;
  BigInteger denominator;  // positive
  std::vector<BigInteger> share;
};

class ExactSearch {
 public:
  ExactSearch(const Body& a, const Body& b, const RigidTransform& b_in_a) {
    for (std::size_t i = 0; i < a.corners; ++i) add(at_a_, a.corner(i));
    for (std::size_t i = 0; i < b.corners; ++i) add(at_b_, b_in_a * b.corner(i));
    int least = 2000, most = -2000;  // range of the exponents of all coordinates
    const auto look = [&](const Vec3& p) {
      for (const double c : {p.x(), p.y(), p.z()})
        if (c != 0) {
          least = std::min(least, std::ilogb(c) - 52);
          most = std::max(most, std::ilogb(c));
        }
    };
    for (const Vec3& p : at_a_) look(p);
    for (const Vec3& p : at_b_) look(p);
    if (most < least) least = most = 0;  // all coordinates are zero
    shift_ = -least;
    scale_ = std::ldexp(1.0, -most - 1);
  }

  bool meet(const Simplex& first) {
    return is_zero(search(first, [](const BigInteger& gap, const Fraction&) {
                     return gap.sign() > 0;
                   }).numerator);
  }

  ExactNearest nearest(const Simplex& first) {
    const Fraction f = search(first, [](const BigInteger& gap, const Fraction& at) {
      return (gap * at.denominator - dot(at.numerator, at.numerator)).sign() >= 0;
    });
    ExactNearest found{Vec3::Zero(), Vec3::Zero(), 0, Vec3::Zero()};
    int most = 0;
    for (const BigInteger& share : f.share) most = std::max(most, share.bits());
    double all = 0;
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      const double share = std::abs(f.share[i].scaled(most));
      shares_.push_back(share);
      found.point_a += share * at_a_[kept_[i][0]], found.point_b += share * at_b_[kept_[i][1]];
      all += share;
    }
    found.point_a /= all, found.point_b /= all;
    const BigVector& n = f.numerator;
    if (is_zero(n)) return found;
    const int bits = std::max({n.x.bits(), n.y.bits(), n.z.bits()}), under = f.denominator.bits();
    const Vec3 v(n.x.scaled(bits), n.y.scaled(bits), n.z.scaled(bits));
    const double length = v.norm();
    found.towards = v / length;
    found.distance = std::ldexp(length / f.denominator.scaled(under), bits - under - shift_);
    return found;
  }

  /// Sets the simplex of the points found by `nearest`.
  void tell(double scale, Simplex& simplex) const {
    simplex.size = 0;
    for (const auto& [a, b] : kept_) {
      Vertex v;
      v.corner_a = a, v.corner_b = b;
      v.a = scale * at_a_[a], v.b = scale * at_b_[b], v.w = v.b - v.a;
      simplex.share[static_cast<std::size_t>(simplex.size)] =
          shares_[static_cast<std::size_t>(simplex.size)];
      simplex.add(v);
    }
  }

 private:
  /// Moves to nearer points until ends(gap, nearest point) or the origin is reached. The gap is a
  /// lower bound of the difference along the nearest point, times that point's length and
  /// denominator.
  template <class Ends>
  Fraction search(const Simplex& first, const Ends& ends) {
    for (int i = 0; i < first.size; ++i) keep(first.vertex(i).corner_a, first.vertex(i).corner_b);
    if (kept_.empty()) keep(0, 0);
    for (;;) {
      Fraction nearest = nearest_of_kept();
      const BigVector& n = nearest.numerator;
      if (is_zero(n)) return nearest;
      const auto [i, low] = farthest(at_b_, n, -1);
      const auto [j, high] = farthest(at_a_, n, 1);
      if (ends(low - high, nearest)) return nearest;
      keep(j, i);
    }
  }

  static bool is_zero(const BigVector& n) {
    return n.x.sign() == 0 && n.y.sign() == 0 && n.z.sign() == 0;
  }
  static void add(std::vector<Vec3>& list, const Vec3& p) {
    if (!math::all_within(p, kLargest))
      throw InvalidInput("shapes: a pose is not finite, or puts a corner beyond 1e92");
    list.push_back(p.unaryExpr([](double c) { return std::abs(c) < 1e-90 ? 0.0 : c; }));
  }
  void keep(Index a, Index b) {
    const std::array<Index, 2> pair = {a, b};
    if (!std::ranges::count(kept_, pair)) kept_.push_back(pair);
  }

  BigVector exact(const Vec3& p) const {
    return {{p.x(), shift_}, {p.y(), shift_}, {p.z(), shift_}};
  }

  struct Farthest {
    Index corner;
    BigInteger along;
  };
  /// The exact farthest point along sign · n; corners that are nearer by more than rounding are
  /// skipped.
  Farthest farthest(const std::vector<Vec3>& list, const BigVector& n, int sign) const {
    const int bits = std::max({n.x.bits(), n.y.bits(), n.z.bits()});
    const Vec3 near = sign * Vec3(n.x.scaled(bits), n.y.scaled(bits), n.z.scaled(bits));
    std::vector<double> along;
    double most = -kInfinity;
    for (const Vec3& p : list) {
      along.push_back(near.dot(scale_ * p));
      most = std::max(most, along.back());
    }
    // Three numbers of magnitude at most 1 each: an error below 16 u, so a difference has one below
    // 32 u.
    std::optional<Farthest> best;
    for (Index i = 0; i < list.size(); ++i) {
      if (along[i] < most - 64 * math::kUnitRoundoff) continue;
      BigInteger exactly = dot(exact(list[i]), n);
      if (!best || sign * (exactly - best->along).sign() > 0) best = {i, std::move(exactly)};
    }
    return *best;
  }

  /// The point of the hull of the kept vertices that is nearest to the origin; only the vertices
  /// that it depends on are kept then.
  Fraction nearest_of_kept() {
    std::vector<BigVector> w;
    w.reserve(kept_.size());
    for (const auto& [a, b] : kept_) w.push_back(exact(at_b_[b]) - exact(at_a_[a]));
    for (unsigned chosen = 1; chosen < 1u << w.size(); ++chosen) {
      std::vector<BigVector> face;
      for (std::size_t i = 0; i < w.size(); ++i)
        if (chosen >> i & 1u) face.push_back(w[i]);
      const std::optional<Fraction> point = inside_of(face);
      if (!point || !is_nearest(*point, w)) continue;
      std::vector<std::array<Index, 2>> left;
      for (std::size_t i = 0; i < w.size(); ++i)
        if (chosen >> i & 1u) left.push_back(kept_[i]);
      kept_ = std::move(left);
      return *point;
    }
    return {};  // not reached: some face contains the point (Carathéodory)
  }

  /// No vertex lies on the origin's side of the plane through the point perpendicular to it.
  static bool is_nearest(const Fraction& p, const std::vector<BigVector>& w) {
    const BigInteger length2 = dot(p.numerator, p.numerator);
    return std::ranges::all_of(w, [&](const BigVector& v) {
      return (dot(v, p.numerator) * p.denominator - length2).sign() >= 0;
    });
  }

  /// The foot of the origin on the plane, line or point of the vertices, if it lies in their hull
  /// and they are in general position.
  static std::optional<Fraction> inside_of(const std::vector<BigVector>& w) {
    const BigInteger one(1, 0);
    switch (w.size()) {
      case 1:
        return Fraction{w[0], one, {one}};
      case 2: {
        const BigVector e = w[1] - w[0];
        const BigInteger at_0 = dot(w[1], e), at_1 = BigInteger() - dot(w[0], e);
        if (at_0.sign() < 0 || at_1.sign() < 0 || dot(e, e).sign() == 0) return {};
        return Fraction{at_0 * w[0] + at_1 * w[1], dot(e, e), {at_0, at_1}};
      }
      case 3: {
        const BigVector n = cross(w[1] - w[0], w[2] - w[0]);
        const BigInteger n2 = dot(n, n);
        if (n2.sign() == 0) return {};
        std::vector<BigInteger> share;
        for (std::size_t k = 0; k < 3; ++k) {
          share.push_back(dot(n, cross(w[(k + 1) % 3], w[(k + 2) % 3])));
          if (share[k].sign() < 0) return {};
        }
        return Fraction{dot(n, w[0]) * n, n2, share};
      }
      case 4: {
        const int all = dot(w[1] - w[0], cross(w[2] - w[0], w[3] - w[0])).sign();
        if (all == 0) return {};
        const BigVector n01 = cross(w[0], w[1]), n23 = cross(w[2], w[3]);
        const std::vector<BigInteger> share = {dot(w[1], n23), dot(w[0], n23), dot(w[3], n01),
                                               dot(w[2], n01)};
        for (std::size_t k = 0; k < 4; ++k)
          if (share[k].sign() * (k % 2 == 0 ? all : -all) < 0) return {};
        return Fraction{{}, one, share};
      }
      default:
        return {};
    }
  }

  std::vector<Vec3> at_a_, at_b_;
  std::vector<std::array<Index, 2>> kept_;  // corners of a and b
  std::vector<double> shares_;              // weight of each of these
  int shift_ = 0;
  double scale_ = 1;
};

}  // namespace

bool exactly_meet(const Body& a, const Body& b, const RigidTransform& b_in_a,
                  const Simplex& simplex) {
  return ExactSearch(a, b, b_in_a).meet(simplex);
}

ExactNearest exactly_nearest(const Pair& pair, double scale, Simplex& simplex) {
  ExactSearch search(pair.a, pair.b, pair.b_in_a);
  ExactNearest found = search.nearest(simplex);
  search.tell(scale, simplex);
  return found;
}

}  // namespace touche::convex
