// SPDX-License-Identifier: Apache-2.0
// Refits a tree of boxes to the space that each triangle sweeps. Pairs of triangles whose leaves
// overlap are split into pairs of vertices, edges and faces. Each vertex and edge is owned by one
// of its triangles, so every pair of primitives is tested once: if two primitives meet, the boxes
// of their owners overlap.
#include "touche/self_contact.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <vector>

#include "aabb_tree/aabb_tree.h"
#include "base/budget_meter.h"
#include "base/progress_report.h"
#include "base/threads.h"

namespace touche {
namespace {

constexpr Index kLeafTriangles = 2;

/// A pair of primitives.
struct Candidate {
  std::array<Index, 4> vertices;
  bool edges;
};

struct Edge {
  Index a, b;  // its vertices, the lower number first
  Index triangle, corner;
  friend auto operator<=>(const Edge&, const Edge&) = default;
};

bool shares_a_vertex(const std::array<Index, 3>& triangle, Index v) {
  return triangle[0] == v || triangle[1] == v || triangle[2] == v;
}

class Topology {
 public:
  explicit Topology(const PolygonSoup& soup) : soup_(soup) {
    owner_of_vertex_.assign(soup.vertex_count(), kNone);
    owns_edge_.resize(soup.triangle_count());
    std::vector<Edge> edges;
    edges.reserve(3 * owns_edge_.size());
    for (Index t = 0; t < soup.triangle_count(); ++t) {
      const auto& triangle = soup.triangle(t);
      for (Index k = 0; k < 3; ++k) {
        const Index a = triangle[k], b = triangle[(k + 1) % 3];
        if (owner_of_vertex_[a] == kNone) owner_of_vertex_[a] = t;
        edges.push_back({std::min(a, b), std::max(a, b), t, k});
      }
    }
    // The first triangle at an edge owns it.
    std::sort(edges.begin(), edges.end());
    for (std::size_t i = 0; i < edges.size(); ++i)
      if (i == 0 || edges[i].a != edges[i - 1].a || edges[i].b != edges[i - 1].b)
        owns_edge_[edges[i].triangle][edges[i].corner] = true;
  }

  void add(Index s, Index t, std::vector<Candidate>& out) const {
    add_vertices(s, t, out);
    add_vertices(t, s, out);
    const auto &a = soup_.triangle(s), &b = soup_.triangle(t);
    for (std::size_t i = 0; i < 3; ++i) {
      if (!owns_edge_[s][i]) continue;
      const Index a0 = a[i], a1 = a[(i + 1) % 3];
      for (std::size_t j = 0; j < 3; ++j) {
        if (!owns_edge_[t][j]) continue;
        const Index b0 = b[j], b1 = b[(j + 1) % 3];
        if (a0 != b0 && a0 != b1 && a1 != b0 && a1 != b1) out.push_back({{a0, a1, b0, b1}, true});
      }
    }
  }

 private:
  void add_vertices(Index of, Index face, std::vector<Candidate>& out) const {
    const auto& triangle = soup_.triangle(face);
    for (const Index v : soup_.triangle(of))
      if (owner_of_vertex_[v] == of && !shares_a_vertex(triangle, v))
        out.push_back({{v, triangle[0], triangle[1], triangle[2]}, false});
  }

  const PolygonSoup& soup_;
  std::vector<Index> owner_of_vertex_;
  std::vector<std::array<bool, 3>> owns_edge_;  // by triangle
};

}  // namespace

struct SelfContact::State {
  PolygonSoup soup;
  Topology topology;
  aabb_tree::AabbTree tree;
  std::vector<MovingVertex> vertices;
  std::vector<Candidate> candidates;

  explicit State(PolygonSoup rest) : soup(std::move(rest)), topology(soup) {
    if (soup.triangle_count() == 0) throw InvalidInput("self-contact: there are no faces");
    std::vector<Aabb> boxes(soup.triangle_count());
    for (Index t = 0; t < soup.triangle_count(); ++t)
      for (const Index v : soup.triangle(t)) boxes[t].include(soup.vertex(v));
    tree = aabb_tree::AabbTree(boxes, kLeafTriangles);
    vertices.resize(soup.vertex_count());
  }

  void move(std::span<const double> start, std::span<const double> end) {
    const std::size_t wanted = 3 * vertices.size();
    if (start.size() != wanted || end.size() != wanted)
      throw InvalidInput("self-contact: " + std::to_string(start.size()) + " and " +
                         std::to_string(end.size()) + " coordinates, expected " +
                         std::to_string(wanted));
    for (std::size_t v = 0; v < vertices.size(); ++v) {
      vertices[v] = {Vec3(start[3 * v], start[3 * v + 1], start[3 * v + 2]),
                     Vec3(end[3 * v], end[3 * v + 1], end[3 * v + 2])};
      if (!vertices[v].start.allFinite() || !vertices[v].end.allFinite())
        throw InvalidInput("self-contact: vertex " + std::to_string(v) + " is not finite");
    }
  }

  /// `margin`: half of the largest distance at which primitives are to be found.
  void refit(double margin) {
    tree.refit([&](Index t) {
      Aabb box;
      for (const Index v : soup.triangle(t)) {
        box.include(vertices[v].start);
        box.include(vertices[v].end);
      }
      // Rounded outwards, because the sum may be rounded down.
      for (int axis = 0; axis < 3; ++axis) {
        box.lo[axis] = std::nextafter(box.lo[axis] - margin, -kInfinity);
        box.hi[axis] = std::nextafter(box.hi[axis] + margin, kInfinity);
      }
      return box;
    });
  }

  /// Returns false if the budget left out some pairs.
  bool collect(const Budget& budget) {
    candidates.clear();
    const Budget any_work = base::with_any_work(budget);
    base::BudgetMeter meter(any_work);
    tree.self_pairs([&](Index s, Index t) {
      if (candidates.size() <= budget.max_work && meter.spend()) topology.add(s, t, candidates);
    });
    if (candidates.size() <= budget.max_work) return !meter.exhausted();
    candidates.resize(budget.max_work);
    return false;
  }

  LinearImpact impact(const Candidate& c, const LinearOptions& options) const {
    const std::array<MovingVertex, 4> query = {vertices[c.vertices[0]], vertices[c.vertices[1]],
                                               vertices[c.vertices[2]], vertices[c.vertices[3]]};
    return c.edges ? edge_edge_impact(query, options) : vertex_face_impact(query, options);
  }
};

SelfContact::SelfContact(PolygonSoup rest) : state_(std::make_unique<State>(std::move(rest))) {}
SelfContact::~SelfContact() = default;
SelfContact::SelfContact(SelfContact&&) noexcept = default;
SelfContact& SelfContact::operator=(SelfContact&&) noexcept = default;

const PolygonSoup& SelfContact::soup() const { return state_->soup; }

SelfImpact SelfContact::first_contact(std::span<const double> start, std::span<const double> end,
                                      const LinearOptions& options, int threads) {
  State& s = *state_;
  s.move(start, end);
  // Reported primitives may be as far apart as both margins together; rounding is far below the
  // tolerance.
  double size = 0;
  for (const MovingVertex& v : s.vertices)
    size = std::max({size, v.start.lpNorm<1>(), v.end.lpNorm<1>()});
  s.refit(0.5 * (options.clearance + std::max(options.tolerance, 0x1p-42 * size)));
  bool complete = s.collect(options.budget);

  SelfImpact result{.t = options.t_end, .complete = true};
  base::ProgressReport progress(options.budget.progress, s.candidates.size());
  constexpr std::size_t kNoCandidate = ~std::size_t{0};
  std::size_t first = kNoCandidate;
  std::mutex mutex;
  std::atomic<double> earliest = options.t_end;
  std::atomic<std::size_t> compared = 0;
  const LinearOptions of_pair{.tolerance = options.tolerance,
                              .clearance = options.clearance,
                              .max_steps = options.max_steps,
                              .budget = base::with_any_work(options.budget)};
  tbb::task_arena arena(base::arena_size(threads));
  arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, s.candidates.size(), 64), [&](const auto& range) {
          if (options.budget.expired()) return;
          LinearOptions how = of_pair;
          for (std::size_t i = range.begin(); i < range.end(); ++i) {
            // Contacts at the earliest time are still found; of equally early ones the lower index
            // is kept.
            how.t_end = earliest;
            const LinearImpact r = s.impact(s.candidates[i], how);
            if (!r.contact) continue;
            const std::lock_guard lock(mutex);
            if (first != kNoCandidate && (r.t > result.t || (r.t == result.t && i > first)))
              continue;
            first = i;
            result.contact = true;
            result.t = r.t;
            result.complete = r.complete;
            earliest = r.t;
          }
          compared += range.size();
          progress.add_done(range.size());
        });
  });
  progress.finish();
  result.pairs = compared;
  complete = complete && result.pairs == s.candidates.size();
  if (result.contact) {
    result.edges = s.candidates[first].edges;
    result.vertices = s.candidates[first].vertices;
  }
  if (!complete) result.contact = true, result.t = 0, result.complete = false;
  return result;
}

}  // namespace touche
