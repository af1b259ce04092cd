// SPDX-License-Identifier: Apache-2.0
// Compares chains with nearly the same box, each with the earlier ones that are not copies. An edge
// is within a distance of another outline if both its ends are within that distance of one edge,
// because the distance from a segment is convex, or if its midpoint is nearer by half the edge's
// length; otherwise it is halved.
#include "io/drawn_twice.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>

namespace touche::io {
namespace {

using plane::Chain;
using plane::Vec2;

constexpr std::size_t kMostNotes = 5;

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

double segment_distance(const Vec2& x, const Vec2& p, const Vec2& q) {
  const Vec2 d = q - p;
  const double length2 = d.squaredNorm();
  const double t = length2 > 0 ? std::clamp((x - p).dot(d) / length2, 0.0, 1.0) : 0;
  return (p + t * d - x).norm();
}

/// A closed chain that is no copy of an earlier one.
struct Original {
  std::size_t chain;
  Vec2 lo, hi;
  double area = 0, length = 0;
  std::unique_ptr<plane::Object> object = nullptr;  // once it was needed
};

class Search {
 public:
  Search(std::vector<Chain>& chains, std::span<const ChainError> errors)
      : chains_(chains), errors_(errors) {
    for (std::size_t c = 0; c < chains.size(); ++c) {
      reach_ = std::max(reach_, 2 * (errors[c].chords + errors[c].ends));
      looks_left_ += kLooksPerPoint * chains[c].points.size();
    }
  }

  std::vector<std::string> run() {
    for (std::size_t c = 0; c < chains_.size() && looks_left_ > 0; ++c) {
      const bool finite = std::all_of(chains_[c].points.begin(), chains_[c].points.end(),
                                      [](const Vec2& p) { return p.allFinite(); });
      if (!chains_[c].closed || !finite) continue;
      unroll(c);
      find_twin(measured(c));
    }
    if (looks_left_ == 0)
      notes_.emplace_back("too many chains are alike: not all were compared for being drawn twice");
    if (count_ > kMostNotes)
      notes_.push_back(fmt::format("{} more chains are drawn again", count_ - kMostNotes));
    return std::move(notes_);
  }

 private:
  static constexpr std::size_t kLooksPerPoint = 64;

  std::string called(std::size_t c) const {
    return fmt::format("chain {}{}", c, chains_[c].name.empty() ? "" : " of " + chains_[c].name);
  }

  void note(const std::string& sentence) {
    if (++count_ <= kMostNotes) notes_.push_back(sentence);
  }

  /// Reduces a chain that runs around several times to one round (Knuth, Morris, Pratt 1977: the
  /// border of a word gives its period).
  void unroll(std::size_t c) {
    std::vector<Vec2>& points = chains_[c].points;
    const std::size_t n = points.size();
    std::vector<std::size_t> border(n, 0);
    for (std::size_t i = 1, k = 0; i < n; ++i) {
      while (k > 0 && points[i] != points[k]) k = border[k - 1];
      if (points[i] == points[k]) ++k;
      border[i] = k;
    }
    const std::size_t period = n - border[n - 1];
    // A chain that goes there and back, or stays where it is, encloses nothing anyway.
    if (period < 3 || period == n || n % period != 0) return;
    note(fmt::format("{} runs around {} times: one of them is left", called(c), n / period));
    points.resize(period);
  }

  Original measured(std::size_t c) const {
    Original chain{c, Vec2::Constant(kInfinity), Vec2::Constant(-kInfinity)};
    const std::vector<Vec2>& points = chains_[c].points;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vec2 &p = points[i], &q = points[i + 1 < points.size() ? i + 1 : 0];
      chain.lo = chain.lo.cwiseMin(p), chain.hi = chain.hi.cwiseMax(p);
      chain.length += (q - p).norm();
      chain.area += 0.5 * cross(p - points[0], q - points[0]);
    }
    return chain;
  }

  void find_twin(Original chain) {
    // No cell is so small that rounding would matter.
    const double size =
        std::max(chain.lo.lpNorm<Eigen::Infinity>(), chain.hi.lpNorm<Eigen::Infinity>());
    const double side = std::max(reach_, kRounding * size);
    if (!(side > 1e-200) || !std::isfinite(size / side)) return;
    const int level = std::ilogb(side);
    const double cell = std::ldexp(2.0, level);
    const double x = std::floor(chain.lo.x() / cell), y = std::floor(chain.lo.y() / cell);
    for (int dx = -1; dx <= 1; ++dx)
      for (int dy = -1; dy <= 1; ++dy) {
        const auto found = originals_.find({cell, x + dx, y + dy});
        if (found == originals_.end()) continue;
        for (Original& other : found->second) {
          if (looks_left_ == 0) return;
          --looks_left_;
          const Likeness likeness = compare(chain, other);
          if (likeness == Likeness::none) continue;
          if (likeness == Likeness::unclear) {
            note(
                fmt::format("{} runs along {}, nearer than the chord error can distinguish: both "
                            "count; a smaller chord error shows whether it is drawn twice",
                            called(chain.chain), called(other.chain)));
            continue;
          }
          chains_[chain.chain].again = true;
          const Vec2 middle = 0.5 * (chain.lo + chain.hi);
          note(fmt::format(
              "{} is drawn over {}, around ({:.6g}, {:.6g}), and encloses no further area",
              called(chain.chain), called(other.chain), middle.x(), middle.y()));
          return;
        }
      }
    originals_[{cell, x, y}].push_back(std::move(chain));
  }

  enum class Likeness { none, unclear, same };

  Likeness compare(Original& a, Original& b) {
    const ChainError &of_a = errors_[a.chain], &of_b = errors_[b.chain];
    const double size = std::max(a.lo.lpNorm<Eigen::Infinity>(), a.hi.lpNorm<Eigen::Infinity>());
    const double rounding = kRounding * size, ends = std::max(of_a.ends, of_b.ends) + rounding;
    if (same(a, b, rounding, 0)) return Likeness::same;
    // Chords of one curve, drawn twice, are on the same side of it, so they differ by no more than
    // the larger error, and a little where the curve bends the other way. Nor do areas differ by
    // more than a strip as wide, of which an arc and its chord have two thirds.
    const double chords = std::max(of_a.chords, of_b.chords), within = 1.1 * chords + ends;
    if (!same(a, b, within, 0.7 * chords * std::max(a.length, b.length))) return Likeness::none;
    // Two that lie side by side look like that as well, if they are as thin as chords are wrong.
    const double half_width =
        std::min(std::abs(a.area), std::abs(b.area)) / std::max(a.length, b.length);
    return half_width > 2 * within ? Likeness::same : Likeness::unclear;
  }

  // Returns whether each of two chains is within a distance of the other, and their enclosed areas
  // differ by at most `area`, plus rounding and bridged ends.
  bool same(Original& a, Original& b, double within, double area) {
    const double ends = std::max(errors_[a.chain].ends, errors_[b.chain].ends) +
                        kRounding * a.hi.cwiseAbs().cwiseMax(a.lo.cwiseAbs()).maxCoeff();
    if ((a.lo - b.lo).cwiseAbs().maxCoeff() > within ||
        (a.hi - b.hi).cwiseAbs().maxCoeff() > within ||
        !(std::abs(std::abs(a.area) - std::abs(b.area)) <= area + ends * (a.length + b.length)))
      return false;
    for (Original* chain : {&a, &b})
      if (chain->object == nullptr)
        chain->object =
            std::make_unique<plane::Object>(plane::Outline(std::array{chains_[chain->chain]}));
    return follows(a, *b.object, within) && follows(b, *a.object, within);
  }

  bool follows(const Original& a, const plane::Object& b, double within) {
    const std::vector<Vec2>& points = chains_[a.chain].points;
    Index last = kNone;
    for (std::size_t i = 0; i < points.size(); ++i)
      if (!edge_follows(points[i], points[i + 1 < points.size() ? i + 1 : 0], b, within, last))
        return false;
    return true;
  }

  // Whether a piece is within a length of an edge.
  static bool piece_follows(const Vec2& p, const Vec2& q, const plane::Outline& b, Index edge,
                            double within) {
    const Vec2 &from = b.vertex(b.edge(edge)[0]), &to = b.vertex(b.edge(edge)[1]);
    return segment_distance(p, from, to) <= within && segment_distance(q, from, to) <= within;
  }

  // Copies run alongside each other, so test the edges next to the last one before searching. A
  // search may have to test all edges where many boxes overlap.
  bool edge_follows(const Vec2& start, const Vec2& end, const plane::Object& b, double within,
                    Index& last) {
    const Index edges = b.outline().edge_count();
    const std::size_t price = 1 + edges / 64;
    struct Piece {
      Vec2 p, q;
    };
    std::vector<Piece> waiting = {{start, end}};
    while (!waiting.empty()) {
      const auto [p, q] = waiting.back();
      waiting.pop_back();
      if (looks_left_ == 0) return false;
      --looks_left_;
      if (last != kNone) {
        const std::array beside = {last, last + 1 < edges ? last + 1 : 0,
                                   last > 0 ? last - 1 : edges - 1};
        const auto* const found =
            std::find_if(beside.begin(), beside.end(), [&, p = p, q = q](Index edge) {
              return piece_follows(p, q, b.outline(), edge, within);
            });
        if (found != beside.end()) {
          last = *found;
          continue;
        }
      }
      looks_left_ -= std::min(looks_left_, price);
      const Vec2 middle = 0.5 * (p + q);
      const plane::ClosestPoint closest = closest_point(b, {}, middle, within);
      if (closest.edge == kNone) return false;
      const double half = 0.5 * (q - p).norm();
      if (closest.distance + half <= within ||
          piece_follows(p, q, b.outline(), closest.edge, within)) {
        last = closest.edge;
        continue;
      }
      if (half < 1e-3 * within || middle == p || middle == q) return false;
      waiting.push_back({middle, q});
      waiting.push_back({p, middle});
    }
    return true;
  }

  static constexpr double kRounding = 1e-9;  // of coordinates, as files print them

  struct Cell {
    double side, x, y;
    auto operator<=>(const Cell&) const = default;
  };

  std::vector<Chain>& chains_;
  std::span<const ChainError> errors_;
  double reach_ = 0;  // the farthest that two chains may be apart to be the same
  std::size_t looks_left_ = 10'000;
  std::map<Cell, std::vector<Original>> originals_;
  std::vector<std::string> notes_;
  std::size_t count_ = 0;
};

}  // namespace

std::vector<std::string> mark_drawn_again(std::vector<Chain>& chains,
                                          std::span<const ChainError> errors) {
  return Search(chains, errors).run();
}

}  // namespace touche::io
