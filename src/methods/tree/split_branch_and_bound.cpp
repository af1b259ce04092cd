// SPDX-License-Identifier: Apache-2.0
// Branch and bound over all divisions into exactly d parts (thesis §3.7.1, Figs. 3.3 and 3.4).
// A problem has assigned some of the faces to parts. The volumes fitted to these can only become
// larger with the other faces: a lower bound. Adding the others one by one where they cost least
// gives a division: an upper bound. A problem whose lower bound is not below the best known
// division is dropped; this includes dominance, since the best is at least as good as any open
// problem's upper bound. Otherwise one more face is assigned. Parts are filled in order, so equal
// divisions that number the parts differently occur once.
// Growing volumes, which may be loose, only guide the search; all bounds come from fitted ones. So
// the search is exact where the fit is optimal, as for axis-aligned boxes, k-DOPs and spheres. A
// fit that is not optimal, as for oriented boxes, can shrink when faces are added; there the gap is
// an estimate. A problem costs n d ratings for each child and for choosing the face, n d² in all,
// and a fit to all faces for each child.
#include <algorithm>

#include "base/random.h"
#include "methods/tree/growing_parts.h"
#include "methods/tree/split_methods.h"
#include "methods/tree/split_parts.h"

namespace touche::tree {
namespace {

constexpr std::uint8_t kUndecided = 255;

using Parts = std::vector<std::uint8_t>;

struct Problem {
  GrowingParts parts;
  std::vector<double> fitted;  ///< quality of each part's fitted volume
  Index decision;              ///< the last one; kNone: none
  int used;                    ///< the parts that have faces are the first ones
  Index decided;               ///< faces
  Index variable;              ///< faces that a decision could matter for
  double lower = 0, upper = kInfinity;
};

/// One face after another was put into a part: a tree, of which every problem is a path.
struct Decision {
  Index before;
  Index number;
  std::uint8_t part;
};

class CutSearch {
 public:
  CutSearch(const Fitter& fitter, std::span<const Index> set, int degree,
            const TreeOptions& options, std::uint64_t seed)
      : set_(set), degree_(degree), options_(options), random_(seed), fitter_(fitter) {}

  /// A division found by other means.
  void suggest(const Split& split) {
    if (split.parts != degree_) return;
    accept(rating(split.part), split.part);
  }

  Split run() {
    Problem root{GrowingParts(fitter_, degree_, options_.combine),
                 std::vector<double>(degree_),
                 kNone,
                 0,
                 0,
                 size()};
    Parts none(set_.size(), kUndecided);
    root.upper = complete(root, none);
    push(std::move(root));
    for (std::uint64_t looked = 0; looked < options_.max_problems && !open_.empty(); ++looked)
      branch(pop());
    Split split = numbered(best_parts_);
    split.gap = gap();
    return split;
  }

 private:
  Index size() const { return static_cast<Index>(set_.size()); }

  void accept(double rated, const Parts& parts) {
    if (rated < best_ || best_parts_.empty()) best_ = rated, best_parts_ = parts;
  }

  /// The quality of the faces in a part, and of some more.
  double quality(const Parts& parts, int part, std::span<const Index> more = {}) const {
    std::vector<Index> faces;
    for (Index i = 0; i < size(); ++i)
      if (parts[i] == part) faces.push_back(set_[i]);
    for (const Index i : more) faces.push_back(set_[i]);
    return fitter_.quality(faces);
  }

  double rating(const Parts& parts) const {
    std::vector<double> of_parts;
    of_parts.reserve(degree_);
    for (int p = 0; p < degree_; ++p) of_parts.push_back(quality(parts, p));
    return combined(of_parts, options_.combine);
  }

  // ---- bounds ----------------------------------------------------------------------------------

  /// The parts a face may go to: all that have faces, and of the empty ones the first; that one
  /// only when every face left is needed for an empty part.
  std::pair<int, int> allowed(int used, Index undecided) const {
    const bool fill = undecided <= static_cast<Index>(degree_ - used);
    return {fill ? used : 0, std::min(used + 1, degree_)};
  }

  struct Rest {
    std::vector<Index> left;  ///< still to be decided
    Parts settled;            ///< the parts, and with them the faces that cost nothing there
  };
  /// A face that lies in a part's volume can go there at no cost, so others are decided first; only
  /// while there are empty parts it may be needed for them.
  Rest settle(const Problem& problem, const Parts& parts) const {
    Rest rest{{}, parts};
    std::vector<std::vector<Index>> enclosed(degree_);
    for (Index i = 0; i < size(); ++i) {
      if (parts[i] != kUndecided) continue;
      int p = problem.used == degree_ ? 0 : degree_;
      while (p < degree_ && !problem.parts.contains(set_[i], p)) ++p;
      (p < degree_ ? enclosed[p] : rest.left).push_back(i);
    }
    for (int p = 0; p < degree_; ++p) {
      if (enclosed[p].empty()) continue;
      // The fitted volume can be smaller than the one that grew.
      const bool holds = quality(parts, p, enclosed[p]) <= problem.fitted[p];
      for (const Index i : enclosed[p])
        holds ? void(rest.settled[i] = static_cast<std::uint8_t>(p)) : rest.left.push_back(i);
    }
    return rest;
  }

  /// Adds what is undecided where it costs least, in the set's order; returns the rating.
  double complete(const Problem& problem, Parts parts) {
    GrowingParts grown = problem.parts;
    int used = problem.used;
    Index undecided = size() - problem.decided;
    for (Index i = 0; i < size(); ++i) {
      if (parts[i] != kUndecided) continue;
      const auto [first, last] = allowed(used, undecided--);
      const int p = grown.best_place(set_[i], first, last).part;
      grown.add(set_[i], p);
      parts[i] = static_cast<std::uint8_t>(p);
      used = std::max(used, p + 1);
    }
    const double rated = rating(parts);
    accept(rated, parts);
    return rated;
  }

  /// How much worse the best division known may be than the best there is.
  double gap() const {
    double lower = best_;
    for (const Problem& problem : open_) lower = std::min(lower, problem.lower);
    return lower < best_ ? best_ / lower - 1 : 0;
  }

  // ---- branching -------------------------------------------------------------------------------

  Parts parts_of(const Problem& problem) const {
    Parts parts(set_.size(), kUndecided);
    for (Index d = problem.decision; d != kNone; d = decisions_[d].before)
      parts[decisions_[d].number] = decisions_[d].part;
    return parts;
  }

  /// With raise_least_bound, chooses the face whose best assignment is worst: then the least of the
  /// children's bounds rises most.
  Index choose(const Problem& problem, std::span<const Index> left) {
    if (options_.branching == Branching::random)
      return left[random_.below(static_cast<Index>(left.size()))];
    const auto [first, last] = allowed(problem.used, size() - problem.decided);
    Index worst = left[0];
    GrowingParts::Place most = problem.parts.best_place(set_[worst], first, last);
    for (const Index i : left.subspan(1)) {
      const auto place = problem.parts.best_place(set_[i], first, last);
      if (most.better_than(place)) most = place, worst = i;
    }
    return worst;
  }

  void branch(const Problem& problem) {
    if (problem.lower >= best_) return;
    Parts parts = parts_of(problem);
    const auto [left, settled] = settle(problem, parts);
    if (left.empty()) return accept(rating(settled), settled);
    const Index number = choose(problem, left);
    const auto [first, last] = allowed(problem.used, size() - problem.decided);
    for (int p = first; p < last; ++p) {
      parts[number] = static_cast<std::uint8_t>(p);
      Problem child{problem.parts,
                    problem.fitted,
                    kNone,
                    std::max(problem.used, p + 1),
                    problem.decided + 1,
                    0};
      child.parts.add(set_[number], p);
      child.fitted[p] = std::max(child.fitted[p], quality(parts, p));
      child.lower = combined(child.fitted, options_.combine);
      if (child.lower >= best_) continue;
      child.upper = complete(child, parts);
      if (child.lower >= best_) continue;
      child.variable = static_cast<Index>(settle(child, parts).left.size());
      child.decision = static_cast<Index>(decisions_.size());
      decisions_.push_back({problem.decision, number, static_cast<std::uint8_t>(p)});
      push(std::move(child));
    }
  }

  // ---- where to go on
  // ----------------------------------------------------------------------------

  /// Lower is sooner.
  double urgency(const Problem& problem) const {
    switch (options_.exploration) {
      case Exploration::lower_bound:
        return problem.lower;
      case Exploration::weighted:
        return problem.lower * problem.decided + problem.upper * problem.variable;
      case Exploration::potential:
        return -(problem.upper - problem.lower) * problem.variable;
    }
    return 0;
  }

  /// Prefers among equals the one with most decided, and among these the newest: depth first.
  auto later() const {
    return [this](const Problem& a, const Problem& b) {
      const double u = urgency(a), v = urgency(b);
      if (u != v) return u > v;
      return a.decided != b.decided ? a.decided < b.decided : a.decision < b.decision;
    };
  }

  void push(Problem problem) {
    open_.push_back(std::move(problem));
    std::push_heap(open_.begin(), open_.end(), later());
  }

  Problem pop() {
    std::pop_heap(open_.begin(), open_.end(), later());
    Problem problem = std::move(open_.back());
    open_.pop_back();
    return problem;
  }

  const std::span<const Index> set_;
  const int degree_;
  const TreeOptions& options_;
  base::Random random_;
  const Fitter& fitter_;
  double best_ = kInfinity;
  Parts best_parts_;
  std::vector<Problem> open_;
  std::vector<Decision> decisions_;
};

class BranchAndBound final : public Splitter {
 public:
  BranchAndBound(const Faces& faces, const Fitter& fitter, const TreeOptions& options)
      : fitter_(fitter), options_(options), far_corners_(make_hochbaum_shmoys(faces)) {
    TreeOptions quick = options;
    quick.order = InsertionOrder::random;
    quick.start = InsertionStart::regions;
    insertion_ = make_insertion(faces, fitter, quick);
  }

  Split split(std::span<const Index> set, int degree, std::uint64_t seed) const override {
    const int parts = degree_for(set, degree);
    CutSearch search(fitter_, set, parts, options_, seed);
    search.suggest(far_corners_->split(set, parts, seed));
    search.suggest(insertion_->split(set, parts, seed));
    return search.run();
  }

 private:
  const Fitter& fitter_;
  const TreeOptions options_;
  const std::unique_ptr<Splitter> far_corners_;
  std::unique_ptr<Splitter> insertion_;
};

}  // namespace

std::unique_ptr<Splitter> make_branch_and_bound(const Faces& faces, const Fitter& fitter,
                                                const TreeOptions& options) {
  return std::make_unique<BranchAndBound>(faces, fitter, options);
}

}  // namespace touche::tree
