// SPDX-License-Identifier: Apache-2.0
// The heuristic with intermediate optimisation (thesis §3.7.4, Fig. 3.8): each part starts with one
// face; the others are added where that makes the parts least worse.
//
// In random order a face is rated once for each part: n d ratings. Best first takes, at each step,
// the face that costs least. Volumes only grow, so an old rating bounds the present one from below:
// each part keeps its faces in a heap, and only a face that comes to its top is rated anew. There
// are n d ratings to begin with, then in practice a few for each face
// (tests/tree_insertion_test.cpp counts them), at worst n² / 2.
// Where a volume's quality can fall, as with fits that are not the best ones or with the Hausdorff
// distance, the order is best first only nearly.
#include <algorithm>

#include "methods/tree/growing_parts.h"
#include "methods/tree/insertion_start.h"
#include "methods/tree/split_methods.h"
#include "methods/tree/split_parts.h"

namespace touche::tree {
namespace {

/// A set while it is being divided.
struct Progress {
  std::span<const Index> set;
  GrowingParts parts;
  std::vector<std::uint8_t> part;
  std::vector<bool> placed;

  void place(Index i, int p) {
    parts.add(set[i], p);
    part[i] = static_cast<std::uint8_t>(p);
    placed[i] = true;
  }
  std::vector<Index> rest() const {
    std::vector<Index> left;
    for (Index i = 0; i < set.size(); ++i)
      if (!placed[i]) left.push_back(i);
    return left;
  }
};

/// The faces that could join a part, the one that lets it grow least on top.
class Candidates {
 public:
  Candidates(const Progress& progress, int part, std::span<const Index> rest) : part_(part) {
    for (const Index i : rest)
      heap_.push_back({progress.parts.quality_with(progress.set[i], part), i, 0});
    std::ranges::make_heap(heap_, behind);
  }

  void part_has_grown() { ++version_; }

  struct Entry {
    double quality_with = 0;
    Index number = 0;
    Index version = 0;
  };
  /// Null when all faces are placed.
  const Entry* top(const Progress& progress) {
    while (!heap_.empty()) {
      const Entry& first = heap_.front();
      if (!progress.placed[first.number] && first.version == version_) return &first;
      std::ranges::pop_heap(heap_, behind);
      if (progress.placed[heap_.back().number]) {
        heap_.pop_back();
        continue;
      }
      Entry& stale = heap_.back();
      stale.quality_with = progress.parts.quality_with(progress.set[stale.number], part_);
      stale.version = version_;
      std::ranges::push_heap(heap_, behind);
    }
    return nullptr;
  }

 private:
  static bool behind(const Entry& a, const Entry& b) {
    return a.quality_with != b.quality_with ? a.quality_with > b.quality_with : a.number > b.number;
  }

  int part_;
  Index version_ = 0;
  std::vector<Entry> heap_;
};

void insert_best_first(Progress& progress) {
  const std::vector<Index> rest = progress.rest();
  std::vector<Candidates> candidates;
  candidates.reserve(progress.parts.count());
  for (int p = 0; p < progress.parts.count(); ++p) candidates.emplace_back(progress, p, rest);
  for (;;) {
    GrowingParts::Place best;
    Index number = kNone;
    for (int p = 0; p < progress.parts.count(); ++p) {
      const auto* top = candidates[p].top(progress);
      if (top == nullptr) return;
      const auto place = progress.parts.place(p, top->quality_with);
      if (number == kNone || place.better_than(best)) best = place, number = top->number;
    }
    progress.place(number, best.part);
    candidates[best.part].part_has_grown();
  }
}

class Insertion final : public Splitter {
 public:
  Insertion(const Faces& faces, const Fitter& fitter, const TreeOptions& options)
      : faces_(faces),
        fitter_(fitter),
        combine_(options.combine),
        start_(options.start),
        order_(options.order) {}

  Split split(std::span<const Index> set, int degree, std::uint64_t seed) const override {
    base::Random random(seed);
    const int parts = degree_for(set, degree);
    Progress progress{set, GrowingParts(fitter_, parts, combine_),
                      std::vector<std::uint8_t>(set.size()), std::vector<bool>(set.size())};
    int next = 0;
    for (const Index i : start_faces(faces_, set, parts, start_, random)) progress.place(i, next++);
    if (order_ == InsertionOrder::best_first) {
      insert_best_first(progress);
    } else {
      std::vector<Index> rest = progress.rest();
      random.shuffle(rest);
      for (const Index i : rest)
        progress.place(i, progress.parts.best_place(set[i], 0, parts).part);
    }
    return numbered(std::move(progress.part));
  }

 private:
  const Faces& faces_;
  const Fitter& fitter_;
  const Combine combine_;
  const InsertionStart start_;
  const InsertionOrder order_;
};

}  // namespace

std::unique_ptr<Splitter> make_insertion(const Faces& faces, const Fitter& fitter,
                                         const TreeOptions& options) {
  return std::make_unique<Insertion>(faces, fitter, options);
}

}  // namespace touche::tree
