// SPDX-License-Identifier: Apache-2.0
// Builds BSP trees: chooses the plane that divides a cell, and cuts pieces by it.
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "touche/spatial.h"

namespace touche {
namespace {

// The plane of a triangle that is not thinner than the tolerance. It is computed from the longest
// edge and the component of another edge perpendicular to it, so that all corners lie in it up to a
// few roundings of the edges, however thin the triangle is.
std::optional<BspTree::Plane> plane_of(const std::array<Vec3, 3>& t, double tolerance) {
  const double d0 = (t[1] - t[0]).squaredNorm(), d1 = (t[2] - t[1]).squaredNorm(),
               d2 = (t[0] - t[2]).squaredNorm();
  const std::size_t k = d0 >= d1 ? (d0 >= d2 ? 0 : 2) : (d1 >= d2 ? 1 : 2);
  const Vec3 edge = t[(k + 1) % 3] - t[k], other = t[(k + 2) % 3] - t[k];
  const double length = edge.norm();
  if (!(length > tolerance)) return std::nullopt;
  const Vec3 along = edge / length, across = other - other.dot(along) * along;
  const double height = across.norm();
  if (!(height > tolerance)) return std::nullopt;
  return BspTree::Plane{along.cross(across / height).normalized(), t[k]};
}

// Number of pieces on either side of a plane, in it and across it.
struct Division {
  std::size_t front = 0, back = 0, in = 0, cut = 0;

  // Smaller is better: a cut adds a piece to all cells below.
  double rating() const {
    constexpr double kCut = 3;
    return static_cast<double>(std::max(front, back)) + kCut * static_cast<double>(cut);
  }
};

}  // namespace

class BspTree::Builder {
 public:
  Builder(BspTree& tree, const BspOptions& options) : tree_(tree), options_(options) {}

  void run(const PolygonSoup& soup) {
    Cell root{0, {}};
    count_ = soup.triangle_count();
    check_count();
    for (Index t = 0; t < soup.triangle_count(); ++t) {
      const std::array<Vec3, 3>& corners = tree_.triangles_[t];
      planes_.push_back(plane_of(corners, tree_.tolerance_));
      root.pieces.push_back({soup.face_of_triangle(t), t, static_cast<Index>(corners_.size()), 3});
      corners_.insert(corners_.end(), corners.begin(), corners.end());
    }
    tree_.nodes_.emplace_back();
    std::vector<Cell> waiting;
    waiting.push_back(std::move(root));
    while (!waiting.empty()) {
      const Cell cell = std::move(waiting.back());
      waiting.pop_back();
      settle(cell, waiting);
      check_count();
    }
    place_pieces();
  }

 private:
  struct Cell {
    Index node;
    std::vector<Piece> pieces;
  };
  struct Sides {
    std::vector<Piece> front, back, in;
  };

  std::span<const Vec3> corners(const Piece& piece) const {
    return std::span(corners_).subspan(piece.first_corner, piece.corner_count);
  }

  void check_count() const {
    if (count_ > options_.max_pieces)
      throw InvalidInput("BSP tree: the soup has more than " + std::to_string(options_.max_pieces) +
                         " pieces");
  }

  // Makes a node of a cell, and cells of both sides of its plane if it gets one.
  void settle(const Cell& cell, std::vector<Cell>& waiting) {
    Aabb box;
    for (const Piece& piece : cell.pieces)
      for (const Vec3& corner : corners(piece)) box.include(corner);
    // Rounding may move cut corners inside the triangle.
    box.lo.array() -= tree_.tolerance_;
    box.hi.array() += tree_.tolerance_;
    tree_.nodes_[cell.node].box = box;
    Sides sides;
    if (!divide(cell.pieces, tree_.nodes_[cell.node].plane, sides)) {
      held_.push_back({cell.node, cell.pieces});
      return;
    }
    const auto front = static_cast<Index>(tree_.nodes_.size());
    tree_.nodes_[cell.node].front = front;
    tree_.nodes_[cell.node].back = front + 1;
    tree_.nodes_.resize(front + 2);
    tree_.nodes_[front].parent = tree_.nodes_[front + 1].parent = cell.node;
    count_ += sides.front.size() + sides.back.size() + sides.in.size() - cell.pieces.size();
    held_.push_back({cell.node, std::move(sides.in)});
    waiting.push_back({front + 1, std::move(sides.back)});
    waiting.push_back({front, std::move(sides.front)});
  }

  // Chooses a plane and divides the pieces by it. Returns false if no piece has a plane.
  bool divide(const std::vector<Piece>& pieces, Plane& plane, Sides& sides) {
    const std::vector<Piece> sample = evenly(pieces, kSample);
    const std::optional<Index> own = best_own(pieces, sample);
    if (!own) return false;
    const Plane& own_plane = *planes_[*own];
    if (pieces.size() > kFewPieces) {
      const Plane free = best_across_axis(sample);
      if (rate(free, sample, kNone).rating() < rate(own_plane, sample, *own).rating()) {
        const std::size_t corners_before = corners_.size();
        cut_all(pieces, free, kNone, sides);
        // Only the plane of a piece certainly reduces the number of pieces; without this test the
        // recursion might not terminate.
        if (8 * std::max(sides.front.size(), sides.back.size()) <= 7 * pieces.size()) {
          plane = free;
          return true;
        }
        sides = {};
        corners_.resize(corners_before);
      }
    }
    plane = own_plane;
    cut_all(pieces, plane, *own, sides);
    return true;
  }

  static std::vector<Piece> evenly(const std::vector<Piece>& pieces, std::size_t most) {
    if (pieces.size() <= most) return pieces;
    std::vector<Piece> some;
    for (std::size_t i = 0; i < most; ++i) some.push_back(pieces[i * pieces.size() / most]);
    return some;
  }

  // The triangle whose plane divides the sample best.
  std::optional<Index> best_own(const std::vector<Piece>& pieces,
                                const std::vector<Piece>& sample) const {
    std::vector<Piece> flat;
    for (const Piece& piece : pieces)
      if (planes_[piece.triangle]) flat.push_back(piece);
    std::optional<Index> best;
    double least = kInfinity;
    for (const Piece& piece : evenly(flat, options_.max_candidates)) {
      const double rating = rate(*planes_[piece.triangle], sample, piece.triangle).rating();
      if (rating >= least) continue;
      least = rating;
      best = piece.triangle;
    }
    return best;
  }

  Plane best_across_axis(const std::vector<Piece>& sample) {
    Plane best;
    double least = kInfinity;
    for (int k = 0; k < 3; ++k) {
      middles_.clear();
      for (const Piece& piece : sample) {
        Vec3 middle = Vec3::Zero();
        for (const Vec3& corner : corners(piece)) middle += corner / piece.corner_count;
        middles_.push_back(middle);
      }
      const auto median = middles_.begin() + static_cast<std::ptrdiff_t>(middles_.size() / 2);
      std::nth_element(middles_.begin(), median, middles_.end(),
                       [&](const Vec3& a, const Vec3& b) { return a[k] < b[k]; });
      const Plane plane{Vec3::Unit(k), *median};
      const double rating = rate(plane, sample, kNone).rating();
      if (rating >= least) continue;
      least = rating;
      best = plane;
    }
    return best;
  }

  // Heights of the corners over the plane, set to 0 within the tolerance; and whether there are
  // corners above and below.
  struct Heights {
    bool above = false, below = false;
  };
  Heights measure(const Plane& plane, const Piece& piece, std::vector<double>& heights) const {
    Heights result;
    heights.clear();
    for (const Vec3& corner : corners(piece)) {
      const double height = plane.height(corner);
      heights.push_back(std::abs(height) <= tree_.tolerance_ ? 0 : height);
      result.above |= heights.back() > 0;
      result.below |= heights.back() < 0;
    }
    return result;
  }

  Division rate(const Plane& plane, const std::vector<Piece>& sample, Index own) const {
    Division division;
    std::vector<double> heights;
    for (const Piece& piece : sample) {
      const Heights sides = measure(plane, piece, heights);
      const bool in = piece.triangle == own || !(sides.above || sides.below);
      ++(in                           ? division.in
         : sides.above && sides.below ? division.cut
         : sides.above                ? division.front
                                      : division.back);
    }
    return division;
  }

  void cut_all(const std::vector<Piece>& pieces, const Plane& plane, Index own, Sides& sides) {
    for (const Piece& piece : pieces) {
      const Heights found = measure(plane, piece, heights_);
      if (piece.triangle == own || !(found.above || found.below)) {
        sides.in.push_back(piece);
      } else if (!found.below) {
        sides.front.push_back(piece);
      } else if (!found.above) {
        sides.back.push_back(piece);
      } else {
        polygon_.assign(corners(piece).begin(), corners(piece).end());
        sides.front.push_back(part(piece, 1));
        sides.back.push_back(part(piece, -1));
      }
    }
  }

  // Returns the part of a piece's polygon above a plane, or below it, by the heights of its
  // corners.
  Piece part(const Piece& piece, double sign) {
    Piece result = piece;
    result.first_corner = static_cast<Index>(corners_.size());
    for (std::size_t i = 0; i < polygon_.size(); ++i) {
      const std::size_t j = (i + 1) % polygon_.size();
      if (sign * heights_[i] >= 0) corners_.push_back(polygon_[i]);
      if (heights_[i] * heights_[j] >= 0) continue;  // no product underflows: see tolerance()
      // Interpolate from above to below, whatever the direction of the edge, so that faces that
      // share it are cut at the same point.
      const auto [a, b] = heights_[i] > 0 ? std::pair(i, j) : std::pair(j, i);
      const double t = heights_[a] / (heights_[a] - heights_[b]);
      corners_.push_back(polygon_[a] + t * (polygon_[b] - polygon_[a]));
    }
    result.corner_count = static_cast<Index>(corners_.size()) - result.first_corner;
    return result;
  }

  // Stores the pieces in the order of nodes, without the corners of pieces that were cut later.
  void place_pieces() {
    std::sort(held_.begin(), held_.end(),
              [](const Cell& a, const Cell& b) { return a.node < b.node; });
    for (const Cell& cell : held_) {
      tree_.nodes_[cell.node].first_piece = static_cast<Index>(tree_.pieces_.size());
      tree_.nodes_[cell.node].piece_count = static_cast<Index>(cell.pieces.size());
      for (Piece piece : cell.pieces) {
        const std::span<const Vec3> own = corners(piece);
        piece.first_corner = static_cast<Index>(tree_.corners_.size());
        tree_.corners_.insert(tree_.corners_.end(), own.begin(), own.end());
        tree_.pieces_.push_back(piece);
      }
    }
  }

  static constexpr std::size_t kSample = 128;  // number of pieces by which planes are rated
  // in smaller cells only the pieces' own planes are tried
  static constexpr std::size_t kFewPieces = 32;

  BspTree& tree_;
  const BspOptions& options_;
  std::size_t count_ = 0;                     // number of pieces
  std::vector<std::optional<Plane>> planes_;  // of all triangles
  std::vector<Vec3> corners_;                 // of pieces, including pieces that were cut
  std::vector<Cell> held_;                    // cells whose pieces a node keeps

  // Memory that is reused.
  std::vector<double> heights_;
  std::vector<Vec3> polygon_, middles_;
};

BspTree::BspTree(const PolygonSoup& soup, const BspOptions& options) {
  if (options.max_candidates < 1) throw InvalidInput("BSP tree: max_candidates must be at least 1");
  if (soup.triangle_count() == 0) return;
  Aabb box;
  for (const std::array<Index, 3>& t : soup.triangles()) {
    triangles_.push_back({soup.vertex(t[0]), soup.vertex(t[1]), soup.vertex(t[2])});
    for (const Vec3& corner : triangles_.back()) box.include(corner);
  }
  tolerance_ =
      0x1p-40 * box.diagonal() + 0x1p-48 * box.lo.cwiseAbs().cwiseMax(box.hi.cwiseAbs()).maxCoeff();
  Builder(*this, options).run(soup);
}

}  // namespace touche
