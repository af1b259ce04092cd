// SPDX-License-Identifier: Apache-2.0
// Ends are sorted into square cells that are so small that any two ends in one are near each other.
// The search for an end tests its own cell first, and stops at once if that holds two others.
// Otherwise at most two dozen cells around a crowded one search it. So the number of tests per end
// is small for any file. (Coordinates of more than 2^53 cells are rounded, and several cells become
// one. Then ends of one cell may be too far apart to meet. But they lie at few distinct points,
// each with one end or with more than two, and these find each other first because they are
// adjacent in sorted order.)
#include "io/join_paths.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace touche::io {
namespace {

constexpr std::size_t kNoEnd = static_cast<std::size_t>(-1);

/// A path that comes back to its start encloses something, unless it is but a line of no length.
bool returns(const Path& path) {
  return path.strokes.size() > 1 || path.strokes[0].kind != Stroke::Kind::line;
}

Path reversed(Path path) {
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

// ---- what is drawn twice

/// A line or curve in numbers, from the lesser of its ends.
using Key = std::array<double, 13>;

Key key_of(const Path& path) {
  const auto less = [](const Vec2& p, const Vec2& q) {
    return std::pair(p.x(), p.y()) < std::pair(q.x(), q.y());
  };
  const Path back = less(path.end(), path.start) ? reversed(path) : Path();
  const Path& way = back.strokes.empty() ? path : back;
  const Stroke& s = way.strokes[0];
  Key key = {static_cast<double>(s.kind), way.start.x(), way.start.y(), s.end.x(), s.end.y()};
  if (s.kind != Stroke::Kind::line)
    for (std::size_t i = 0; i < 8; ++i)
      key[5 + i] =
          std::array{s.a.x(), s.a.y(), s.b.x(), s.b.y(), s.c.x(), s.c.y(), s.from, s.to}[i];
  return key;
}

/// Leaves out what is the same as a path before it. Returns how many there were.
std::size_t drop_repeated(std::vector<Path>& paths) {
  struct Entry {
    Key key;
    std::size_t path;
  };
  std::vector<Entry> entries;
  for (std::size_t k = 0; k < paths.size(); ++k) {
    const Path& path = paths[k];
    if (path.closed || path.strokes.size() != 1) continue;
    const Key key = key_of(path);
    if (std::all_of(key.begin(), key.end(), [](double x) { return std::isfinite(x); }))
      entries.push_back({key, k});
  }
  std::sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
    return std::tie(a.key, paths[a.path].name, a.path) <
           std::tie(b.key, paths[b.path].name, b.path);
  });
  std::vector<bool> dropped(paths.size());
  std::size_t count = 0;
  for (std::size_t i = 1; i < entries.size(); ++i) {
    const Entry &one = entries[i - 1], &other = entries[i];
    if (one.key != other.key || paths[one.path].name != paths[other.path].name) continue;
    dropped[other.path] = true;
    ++count;
  }
  if (count == 0) return 0;
  std::size_t kept = 0;
  for (std::size_t k = 0; k < paths.size(); ++k) {
    if (dropped[k]) continue;
    if (kept != k) paths[kept] = std::move(paths[k]);
    ++kept;
  }
  paths.resize(kept);
  return count;
}

/// End 2 k is the start of path k, end 2 k + 1 its end.
class Joiner {
 public:
  Joiner(std::vector<Path>& paths, double gap) : paths_(paths), gap_(gap) {
    partner_.assign(2 * paths.size(), kNoEnd);
    for (std::size_t k = 0; k < paths.size(); ++k) {
      Path& path = paths[k];
      if (path.closed || path.strokes.empty()) continue;
      // Reported later, with its position in the file; here it would count as near to all ends.
      if (!path.start.allFinite() || !path.end().allFinite()) continue;
      if (path.start == path.end()) {
        if (returns(path)) path.closed = true, ++result_.joined;
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
    return result_;
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
    std::sort(entries_.begin(), entries_.end(), [this](const Entry& a, const Entry& b) {
      if (const auto order = a.cell <=> b.cell; order != 0) return order < 0;
      const Vec2 &p = at(a.end), &q = at(b.end);
      return std::tuple(p.x(), p.y(), a.end) < std::tuple(q.x(), q.y(), b.end);
    });
    std::vector<std::size_t> only(partner_.size(), kNoEnd);
    for (std::size_t i = 0; i < entries_.size(); ++i) only[entries_[i].end] = only_other(i, gap);
    for (const Entry& entry : entries_) {
      const std::size_t e = entry.end, other = only[e];
      if (other == kNoEnd || only[other] != e) continue;
      partner_[e] = other;
      result_.widest_gap = std::max(result_.widest_gap, (at(e) - at(other)).norm());
    }
  }

  /// Tests an end near entry i, `found` being the number of ends found so far. Returns whether at
  /// most one is found.
  bool look(std::size_t i, std::size_t other, double gap, std::size_t& found) {
    ++result_.looks;
    const std::size_t end = entries_[other].end;
    if (other == i || end == found || (at(end) - at(entries_[i].end)).norm() > gap) return true;
    if (found != kNoEnd) return false;
    found = end;
    return true;
  }

  /// The one other end within the gap; kNoEnd where there is none, or more.
  std::size_t only_other(std::size_t i, double gap) {
    const Cell& own = entries_[i].cell;
    std::size_t found = kNoEnd;
    // Ends beside it in its own cell.
    for (std::size_t k = i; k-- > 0 && entries_[k].cell == own;)
      if (!look(i, k, gap, found)) return kNoEnd;
    std::size_t next = i + 1;
    for (; next < entries_.size() && entries_[next].cell == own; ++next)
      if (!look(i, next, gap, found)) return kNoEnd;
    if (!(gap > 0)) return found;
    // Ends in the surrounding cells; the cells of a column are consecutive.
    constexpr int kReach = 2;
    for (int dx = -kReach; dx <= kReach; ++dx) {
      const Cell low{own.name, own.x + dx, own.y - kReach},
          high{own.name, own.x + dx, own.y + kReach};
      auto entry = std::lower_bound(entries_.begin(), entries_.end(), low,
                                    [](const Entry& a, const Cell& cell) { return a.cell < cell; });
      for (; entry != entries_.end() && entry->cell <= high; ++entry) {
        if (entry->cell == own) continue;
        const std::size_t at = static_cast<std::size_t>(entry - entries_.begin());
        if (!look(i, at, gap, found)) return kNoEnd;
      }
    }
    return found;
  }

  // ---- chains of paths

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
    std::size_t out = first ^ 1;
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

  std::vector<Path>& paths_;
  const double gap_;
  std::vector<std::size_t> ends_;     // that may be joined
  std::vector<std::size_t> partner_;  // of each end
  std::vector<std::size_t> name_;     // of each path: a number
  std::vector<Entry> entries_;
  Joining result_;
};

}  // namespace

Joining join_paths(std::vector<Path>& paths, double gap) {
  const std::size_t repeated = drop_repeated(paths);
  Joining joining = Joiner(paths, gap).run();
  joining.repeated = repeated;
  return joining;
}

Joining close_paths(std::vector<Path>& paths, double gap) {
  Joining joining;
  for (Path& path : paths) {
    if (path.closed || path.strokes.empty() || !returns(path)) continue;
    const double apart = (path.end() - path.start).norm();
    // A short line that bends is none that comes back.
    const bool goes_away =
        std::any_of(path.strokes.begin(), path.strokes.end(), [&](const Stroke& s) {
          return s.kind != Stroke::Kind::line || (s.end - path.start).norm() > 4 * gap;
        });
    if (!(apart == 0 || (apart <= gap && goes_away))) continue;
    path.closed = true;
    ++joining.joined;
    joining.widest_gap = std::max(joining.widest_gap, apart);
  }
  return joining;
}

}  // namespace touche::io
