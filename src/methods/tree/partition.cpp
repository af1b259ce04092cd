// SPDX-License-Identifier: Apache-2.0
#include "methods/tree/partition.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "base/progress_report.h"
#include "base/random.h"
#include "base/threads.h"
#include "methods/tree/split_methods.h"

namespace touche::tree {
namespace {

/// The faces of a set, part after part, and where each part ends.
struct Arranged {
  std::vector<Index> order;
  std::vector<Index> ends;
  std::vector<double> quality;  ///< of each part; only where degrees are compared
  double gap = 0;
};

using ArrangedPtr = std::unique_ptr<Arranged>;  // none: the set is not divided

ArrangedPtr arrange(std::span<const Index> set, const Split& split) {
  if (split.parts < 2) return nullptr;
  Arranged to{std::vector<Index>(set.size()), std::vector<Index>(split.parts), {}, split.gap};
  for (const std::uint8_t p : split.part) ++to.ends[p];
  std::exclusive_scan(to.ends.begin(), to.ends.end(), to.ends.begin(), Index{0});
  for (std::size_t i = 0; i < set.size(); ++i) to.order[to.ends[split.part[i]]++] = set[i];
  return std::make_unique<Arranged>(std::move(to));
}

class Division {
 public:
  Division(const Faces& faces, const Fitter& fitter, const TreeOptions& options)
      : options_(options),
        progress_(options.progress, faces.size()),
        fitter_(fitter),
        splitter_(make_splitter(faces, fitter, options)),
        halver_(make_median(faces)) {
    out_.order.resize(faces.size());
    std::iota(out_.order.begin(), out_.order.end(), Index{0});
    out_.nodes.push_back({0, faces.size(), 0, 0});
    if (compares()) qualities_.push_back(fitter.quality(out_.order));
  }

  Partition run() {
    std::size_t begin = 0;
    for (int depth = 0; begin < out_.nodes.size(); ++depth) {
      const std::size_t end = out_.nodes.size();
      std::vector<ArrangedPtr> divided(end - begin);
      tbb::parallel_for(begin, end, [&](std::size_t n) {
        if (depth < options_.max_depth) divided[n - begin] = divide_node(n);
        if (!divided[n - begin]) progress_.add_done(out_.nodes[n].end - out_.nodes[n].begin);
      });
      for (std::size_t n = begin; n < end; ++n)
        if (divided[n - begin]) append_children(n, *divided[n - begin]);
      begin = end;
    }
    progress_.finish();
    return std::move(out_);
  }

 private:
  bool compares() const { return options_.improvement > 0; }

  ArrangedPtr divide_node(std::size_t n) {
    const Node& node = out_.nodes[n];
    const std::span<Index> set = std::span(out_.order).subspan(node.begin, node.end - node.begin);
    if (set.size() < 2 || set.size() <= options_.leaf_faces) return nullptr;
    // Only from where the set lies, so that it does not matter which thread comes first.
    base::Random mixed(options_.seed ^
                       base::Random((std::uint64_t{node.begin} << 32) | node.end).next());
    ArrangedPtr divided = compares() ? least_degree(set, qualities_[n], mixed.next())
                                     : fixed_degree(set, options_.degree, mixed.next());
    if (!divided && too_large_for_a_leaf(set.size())) {
      divided = arrange(set, halver_->split(set, 2, 0));
      if (divided && compares()) rate(*divided);
    }
    if (divided) {
      std::ranges::copy(divided->order, set.begin());
      divided->order = {};  // many wait for the end of the level
    }
    return divided;
  }

  bool too_large_for_a_leaf(std::size_t faces) const {
    return options_.max_faces > 0 && faces > options_.max_faces &&
           !(compares() && faces < options_.min_split_faces);
  }

  ArrangedPtr fixed_degree(std::span<const Index> set, int degree, std::uint64_t seed) const {
    return arrange(set, splitter_->split(set, degree, seed));
  }

  /// Fig. 3.2. A degree that yields fewer parts is rated by the parts it yields. Degrees beyond the
  /// number of faces count as well: more regions than faces may separate faces that fewer regions
  /// do not.
  ArrangedPtr least_degree(std::span<const Index> set, double quality, std::uint64_t seed) const {
    ArrangedPtr best;
    double least = kInfinity;
    for (int degree = 2; degree <= options_.degree; ++degree) {
      auto divided = fixed_degree(set, degree, seed);
      if (!divided) continue;
      const double rated = rate(*divided);
      if (rated <= options_.improvement * quality) return divided;
      if (rated < least || !best) least = rated, best = std::move(divided);
    }
    if (set.size() < options_.min_split_faces) return nullptr;
    return best;
  }

  double rate(Arranged& divided) const {
    Index begin = 0;
    for (const Index end : divided.ends) {
      divided.quality.push_back(
          fitter_.quality(std::span(divided.order).subspan(begin, end - begin)));
      begin = end;
    }
    return combined(divided.quality, options_.combine);
  }

  void append_children(std::size_t n, const Arranged& divided) {
    Node& node = out_.nodes[n];
    node.first_child = static_cast<Index>(out_.nodes.size());
    node.degree = static_cast<std::uint32_t>(divided.ends.size());
    const Index first = node.begin;
    Index begin = first;
    for (const Index end : divided.ends) {
      out_.nodes.push_back({begin, first + end, 0, 0});
      begin = first + end;
    }
    qualities_.insert(qualities_.end(), divided.quality.begin(), divided.quality.end());
    out_.gap = std::max(out_.gap, divided.gap);
  }

  const TreeOptions& options_;
  base::ProgressReport progress_;
  const Fitter& fitter_;
  const std::unique_ptr<Splitter> splitter_, halver_;
  Partition out_;
  std::vector<double> qualities_;  // of each node; only where degrees are compared
};

}  // namespace

Partition divide(const Faces& faces, const Fitter& fitter, const TreeOptions& options) {
  require_valid(options);
  if (faces.size() == 0) throw InvalidInput("tree: the soup has no faces");
  const auto work = [&] { return Division(faces, fitter, options).run(); };
  return base::with_threads(options.threads, work);
}

}  // namespace touche::tree
