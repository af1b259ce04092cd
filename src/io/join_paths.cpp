// SPDX-License-Identifier: Apache-2.0
// Ends are sorted into square cells in which any two are near each other. So an end in a cell with
// two others is done at once, and all others look at few.
#include "io/join_paths.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace touche::io {
namespace {

constexpr std::size_t kNoEnd = static_cast<std::size_t>(-1);
constexpr std::size_t kMostNotes = 20;

/// End 2 k is the start of path k, end 2 k + 1 its end.
class Joiner {
 public:
  Joiner(std::vector<Path>& paths, double gap) : paths_(paths), gap_(gap) {
    partner_.assign(2 * paths.size(), kNoEnd);
    for (std::size_t k = 0; k < paths.size(); ++k) {
      Path& path = paths[k];
      if (path.closed || path.strokes.empty()) continue;
      // Refused later, with its place; here it would be near everything.
      if (!path.start.allFinite() || !path.end().allFinite()) continue;
      // What comes back to its start is closed, unless it is but a line of no length.
      if (path.start == path.end()) {
        if (path.strokes.size() > 1 || path.strokes[0].kind != Stroke::Kind::line)
          path.closed = true, ++result_.joined;
        continue;
      }
      ends_.push_back(2 * k);
      ends_.push_back(2 * k + 1);
    }
    number_names();
  }

  Joining run() {
    meet(0);
    std::erase_if(ends_, [&](std::size_t e) { return partner_[e] != kNoEnd; });
    constexpr double kLeast = 1e-200;  // cells can be counted above it
    if (gap_ > kLeast) meet(gap_);
    chain();
    return std::move(result_);
  }

 private:
  const Vec2& at(std::size_t end) const {
    const Path& path = paths_[end / 2];
    return end % 2 == 0 ? path.start : path.end();
  }

  void number_names() {
    std::vector<std::size_t> order(paths_.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::sort(order.begin(), order.end(), [&](std::size_t k, std::size_t l) {
      return std::tie(paths_[k].name, k) < std::tie(paths_[l].name, l);
    });
    name_.assign(paths_.size(), 0);
    for (std::size_t i = 1; i < order.size(); ++i)
      name_[order[i]] =
          name_[order[i - 1]] + (paths_[order[i]].name != paths_[order[i - 1]].name ? 1 : 0);
  }

  // ---- which ends meet

  struct Cell {
    std::size_t name;
    double x, y;
    auto operator<=>(const Cell&) const = default;
  };
  struct Entry {
    Cell cell;
    std::size_t end;
  };

  /// Pairs the ends that are left and no farther apart than `gap`, where that is clear.
  void meet(double gap) {
    // The diagonal of a cell is somewhat shorter than the gap.
    const double side = 0.7 * gap;
    entries_.clear();
    for (const std::size_t e : ends_) {
      const Vec2& p = at(e);
      const Vec2 cell = gap > 0 ? Vec2(std::floor(p.x() / side), std::floor(p.y() / side)) : p;
      entries_.push_back({{name_[e / 2], cell.x() + 0.0, cell.y() + 0.0}, e});
    }
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
      if (const auto order = a.cell <=> b.cell; order != 0) return order < 0;
      return a.end < b.end;
    });
    std::vector<std::size_t> only(partner_.size(), kNoEnd);
    for (const Entry& entry : entries_) only[entry.end] = only_other(entry, gap);
    for (const Entry& entry : entries_) {
      const std::size_t e = entry.end, other = only[e];
      if (other == kNoEnd || only[other] != e) continue;
      partner_[e] = other;
      result_.widest_gap = std::max(result_.widest_gap, (at(e) - at(other)).norm());
    }
  }

  /// The one other end within the gap; kNoEnd where there is none, or more.
  std::size_t only_other(const Entry& entry, double gap) const {
    const int reach = gap > 0 ? 2 : 0;
    std::size_t found = kNoEnd;
    for (int dx = -reach; dx <= reach; ++dx) {
      // The cells of a column follow each other.
      const Cell low{entry.cell.name, entry.cell.x + dx, entry.cell.y - reach},
          high{entry.cell.name, entry.cell.x + dx, entry.cell.y + reach};
      auto next = std::lower_bound(entries_.begin(), entries_.end(), low,
                                   [](const Entry& a, const Cell& cell) { return a.cell < cell; });
      for (; next != entries_.end() && next->cell <= high; ++next) {
        if (next->end == entry.end || (at(next->end) - at(entry.end)).norm() > gap) continue;
        if (found != kNoEnd && found != next->end) return kNoEnd;
        found = next->end;
      }
    }
    return found;
  }

  // ---- chains of paths

  static Path reversed(Path path) {
    Path back;
    back.name = std::move(path.name);
    back.start = path.end();
    for (std::size_t k = path.strokes.size(); k-- > 0;) {
      Stroke s = path.strokes[k];
      s.end = k > 0 ? path.strokes[k - 1].end : path.start;
      if (s.kind == Stroke::Kind::arc) std::swap(s.from, s.to);
      if (s.kind == Stroke::Kind::cubic || s.kind == Stroke::Kind::rational) std::swap(s.a, s.b);
      if (s.kind == Stroke::Kind::rational) std::swap(s.c.x(), s.to), std::swap(s.c.y(), s.from);
      back.strokes.push_back(s);
    }
    return back;
  }

  void chain() {
    std::vector<bool> used(paths_.size());
    std::vector<Path> result;
    for (std::size_t k = 0; k < paths_.size(); ++k) {
      if (used[k]) continue;
      result.push_back(follow(first_of(k), used));
    }
    paths_ = std::move(result);
  }

  /// The end at which a chain begins that path k is part of; the start of path k where it goes
  /// round.
  std::size_t first_of(std::size_t k) const {
    std::size_t e = 2 * k;
    while (partner_[e] != kNoEnd) {
      e = partner_[e] ^ 1;
      if (e / 2 == k) return 2 * k;
    }
    return e;
  }

  Path follow(std::size_t first, std::vector<bool>& used) {
    const auto piece = [&](std::size_t end) {
      used[end / 2] = true;
      Path& path = paths_[end / 2];
      return end % 2 == 0 ? std::move(path) : reversed(std::move(path));
    };
    // Leave first what is about this path: its points go away with it.
    std::size_t out = first ^ 1;
    const std::size_t loose[] = {first, last_of(first)};
    const bool open = !paths_[first / 2].closed && !paths_[first / 2].strokes.empty() &&
                      partner_[first] == kNoEnd &&
                      paths_[first / 2].start != paths_[first / 2].end();
    if (open) note(loose[0], loose[1]);
    Path whole = piece(first);
    std::size_t parts = 1;
    for (;;) {
      const std::size_t next = partner_[out];
      if (next == kNoEnd) break;
      if (next == first) {
        whole.closed = true;
        break;
      }
      Path more = piece(next);
      if (more.start != whole.end()) whole.line_to(more.start);
      whole.strokes.insert(whole.strokes.end(), more.strokes.begin(), more.strokes.end());
      out = next ^ 1;
      ++parts;
    }
    if (parts > 1 || partner_[first] != kNoEnd) result_.joined += parts;
    return whole;
  }

  std::size_t last_of(std::size_t first) const {
    std::size_t e = first ^ 1;
    while (partner_[e] != kNoEnd && partner_[e] != first) e = partner_[e] ^ 1;
    return e;
  }

  void note(std::size_t first, std::size_t last) {
    ++open_;
    if (open_ > kMostNotes + 1) return;
    if (open_ == kMostNotes + 1) {
      result_.notes.emplace_back("more chains are left open");
      return;
    }
    const Vec2 &p = at(first), &q = at(last);
    const std::string& name = paths_[first / 2].name;
    result_.notes.push_back(fmt::format("left open{}: from ({:.9g}, {:.9g}) to ({:.9g}, {:.9g})",
                                        name.empty() ? "" : ", on " + name, p.x(), p.y(), q.x(),
                                        q.y()));
  }

  std::vector<Path>& paths_;
  const double gap_;
  std::vector<std::size_t> ends_;     // that may be joined
  std::vector<std::size_t> partner_;  // of each end
  std::vector<std::size_t> name_;     // of each path: a number
  std::vector<Entry> entries_;
  std::size_t open_ = 0;
  Joining result_;
};

}  // namespace

Joining join_paths(std::vector<Path>& paths, double gap) { return Joiner(paths, gap).run(); }

}  // namespace touche::io
