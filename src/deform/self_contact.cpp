// SPDX-License-Identifier: Apache-2.0
// The boxes of a hierarchy are refitted to the way of its triangles; pairs of triangles whose boxes
// meet are taken apart into vertices, edges and faces. Each vertex and edge belongs to one triangle
// that has it, so that every pair of primitives is compared once: where these meet, so do the boxes
// of the triangles they belong to.
#include "touche/self_contact.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <mutex>
#include <vector>

#include "base/threads.h"
#include "methods/tree/typed_tree.h"

namespace touche {
namespace {

using bounds::AabbMinMax;
using tree::Node;

/// A pair of primitives.
struct Candidate {
  std::array<Index, 4> vertices;
  bool edges;
};

struct Edge {
  Index a, b;  // vertices, in the order of its triangle
  friend auto operator<=>(const Edge&, const Edge&) = default;
};

bool shares_a_vertex(const std::array<Index, 3>& triangle, Index v) {
  return triangle[0] == v || triangle[1] == v || triangle[2] == v;
}

class Topology {
 public:
  explicit Topology(const PolygonSoup& soup) : soup_(soup) {
    owner_of_vertex_.assign(soup.vertex_count(), kNone);
    std::map<Edge, Index> owner_of_edge;
    for (Index t = 0; t < soup.triangle_count(); ++t) {
      const auto& triangle = soup.triangle(t);
      std::array<bool, 3> owns{};
      for (std::size_t k = 0; k < 3; ++k) {
        const Index a = triangle[k], b = triangle[(k + 1) % 3];
        if (owner_of_vertex_[a] == kNone) owner_of_vertex_[a] = t;
        owns[k] = owner_of_edge.try_emplace({std::min(a, b), std::max(a, b)}, t).second;
      }
      owns_edge_.push_back(owns);
    }
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
  VolumeTree tree;
  Topology topology;
  std::vector<Node> nodes;
  std::vector<Index> order;
  std::vector<AabbMinMax> boxes;  // of nodes, around their way
  std::vector<MovingVertex> vertices;
  std::vector<Candidate> candidates;

  explicit State(PolygonSoup soup)
      : tree(std::move(soup),
             {.volume = "aabb", .method = SplitMethod::surface_area, .leaf_faces = 2}),
        topology(tree.soup()) {
    const auto& typed = static_cast<const tree::TypedTree<AabbMinMax>&>(*tree.data().tree);
    for (const auto& node : typed.nodes()) nodes.push_back(node.node);
    order.assign(typed.order().begin(), typed.order().end());
    boxes.resize(nodes.size());
    vertices.resize(tree.soup().vertex_count());
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

  /// `by`: half of how near primitives may be that are asked about.
  void refit(double by) {
    const PolygonSoup& soup = tree.soup();
    for (std::size_t i = nodes.size(); i-- > 0;) {
      const Node& node = nodes[i];
      Aabb box;
      if (node.degree == 0) {
        for (Index k = node.begin; k < node.end; ++k)
          for (const Index v : soup.triangle(order[k])) {
            box.include(vertices[v].start);
            box.include(vertices[v].end);
          }
        // Rounded outwards, as the sum may be rounded down.
        for (int axis = 0; axis < 3; ++axis) {
          box.lo[axis] = std::nextafter(box.lo[axis] - by, -kInfinity);
          box.hi[axis] = std::nextafter(box.hi[axis] + by, kInfinity);
        }
      } else {
        for (Index k = 0; k < node.degree; ++k) {
          box.include(boxes[node.first_child + k].lo);
          box.include(boxes[node.first_child + k].hi);
        }
      }
      boxes[i] = {box.lo, box.hi};
    }
  }

  void collect() {
    candidates.clear();
    std::vector<std::pair<Index, Index>> waiting = {{0, 0}};
    while (!waiting.empty()) {
      const auto [i, j] = waiting.back();
      waiting.pop_back();
      if (i != j && !overlap(boxes[i], boxes[j])) continue;
      const Node &a = nodes[i], &b = nodes[j];
      if (a.degree == 0 && b.degree == 0) {
        for (Index k = a.begin; k < a.end; ++k)
          for (Index l = i == j ? k + 1 : b.begin; l < b.end; ++l)
            topology.add(order[k], order[l], candidates);
      } else if (i == j) {
        for (Index k = 0; k < a.degree; ++k)
          for (Index l = k; l < a.degree; ++l)
            waiting.emplace_back(a.first_child + k, a.first_child + l);
      } else if (b.degree == 0 || (a.degree != 0 && a.end - a.begin >= b.end - b.begin)) {
        for (Index k = 0; k < a.degree; ++k) waiting.emplace_back(a.first_child + k, j);
      } else {
        for (Index k = 0; k < b.degree; ++k) waiting.emplace_back(i, b.first_child + k);
      }
    }
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

const PolygonSoup& SelfContact::soup() const { return state_->tree.soup(); }

SelfImpact SelfContact::first_contact(std::span<const double> start, std::span<const double> end,
                                      const LinearOptions& options, int threads) {
  State& s = *state_;
  s.move(start, end);
  // What is reported may be as far apart as this; rounding is far below the tolerance it is given.
  double size = 0;
  for (const MovingVertex& v : s.vertices)
    size = std::max({size, v.start.lpNorm<1>(), v.end.lpNorm<1>()});
  s.refit(0.5 * (options.separation + std::max(options.tolerance, 0x1p-42 * size)));
  s.collect();

  SelfImpact result{.t = options.until, .pairs = s.candidates.size()};
  constexpr std::size_t kNoCandidate = ~std::size_t{0};
  std::size_t first = kNoCandidate;
  std::mutex mutex;
  std::atomic<double> earliest = options.until;
  tbb::task_arena arena(arena_size(threads));
  arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, s.candidates.size(), 64), [&](const auto& range) {
          for (std::size_t i = range.begin(); i < range.end(); ++i) {
            // One as early as the earliest is still found: which of them counts is its number.
            LinearOptions how = options;
            how.until = earliest;
            const LinearImpact r = s.impact(s.candidates[i], how);
            if (!r.contact) continue;
            const std::lock_guard lock(mutex);
            if (first != kNoCandidate && (r.t > result.t || (r.t == result.t && i > first)))
              continue;
            first = i;
            result.contact = true;
            result.t = r.t;
            result.decided = r.decided;
            earliest = r.t;
          }
        });
  });
  if (result.contact) {
    result.edges = s.candidates[first].edges;
    result.vertices = s.candidates[first].vertices;
  }
  return result;
}

}  // namespace touche
