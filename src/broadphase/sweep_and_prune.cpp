// SPDX-License-Identifier: Apache-2.0
// All boxes are set first, then the ends are sorted. Whenever a lower end and an upper end of two
// boxes are exchanged, the pair is compared on all axes, so the order of sorting does not matter:
// for a pair whose overlap began or ended, ends were exchanged on at least one axis. The thesis
// keeps all overlaps on each axis instead, whose number grows with the square of the number of
// boxes in a row.
#include "broadphase/sweep_and_prune.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "broadphase/ray_queue.h"

namespace touche::broadphase {

void SweepAndPrune::add(Index number, const RoundedBox& box) {
  if (number >= Index{1} << 31) throw InvalidInput("sweep and prune: 2^31 boxes at most");
  if (number >= bodies_.size()) bodies_.resize(number + 1);
  bodies_[number].box = box;
  bodies_[number].state = State::fresh;
  fresh_.push_back(number);
}

void SweepAndPrune::change(Index number, const RoundedBox& box) {
  Body& body = bodies_[number];
  body.box = box;
  if (body.state != State::sorted) return;
  body.state = State::moved;
  moved_.push_back(number);
}

void SweepAndPrune::drop(Index number) {
  Body& body = bodies_[number];
  if (body.state == State::fresh) {
    fresh_.erase(std::find(fresh_.begin(), fresh_.end(), number));
  } else {
    if (body.state == State::moved) moved_.erase(std::find(moved_.begin(), moved_.end(), number));
    body.leaves = true;
    removed_.push_back(number);
  }
  body.state = State::absent;
}

void SweepAndPrune::forget_removed() {
  const auto leaves = [&](Index number) { return bodies_[number].leaves; };
  pairs_.erase_if([&](const BoxPair& pair) { return leaves(pair.a) || leaves(pair.b); });
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::erase_if(ends_[axis], [&](const End& end) { return leaves(end.number()); });
    for (Index i = 0; i < ends_[axis].size(); ++i) put(axis, i, ends_[axis][i]);
  }
  for (const Index number : removed_) bodies_[number].leaves = false;
  removed_.clear();
}

// The ends are appended behind all others.
void SweepAndPrune::append(Index number) {
  bodies_[number].state = State::moved;
  moved_.push_back(number);
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const Index side : {0u, 1u}) {
      ends_[axis].push_back({std::numeric_limits<float>::infinity(), number << 1 | side});
      put(axis, static_cast<Index>(ends_[axis].size() - 1), ends_[axis].back());
    }
}

// Moves an end to its position; returns false if too many ends have been exchanged by now.
bool SweepAndPrune::pass_end(std::size_t axis, Index place) {
  std::vector<End>& ends = ends_[axis];
  const Index number = ends[place].number();
  const RoundedBox& box = bodies_[number].box;
  const End end = End::of(box, number, axis, ends[place].is_upper());
  const auto meet = [&](const End& other, bool begins) {
    if (other.is_upper() == end.is_upper() || other.number() == number) return;
    if (!begins)
      pairs_.erase(number, other.number());
    else if (bodies_[other.number()].box.overlaps(box))
      pairs_.insert(number, other.number());
  };
  const Index from = place;
  for (; place > 0 && end < ends[place - 1]; --place) {
    meet(ends[place - 1], !end.is_upper());
    put(axis, place, ends[place - 1]);
  }
  for (; place + 1 < ends.size() && ends[place + 1] < end; ++place) {
    meet(ends[place + 1], end.is_upper());
    put(axis, place, ends[place + 1]);
  }
  put(axis, place, end);
  const std::size_t passed = place > from ? place - from : from - place;
  const bool enough = passed > may_pass_;
  may_pass_ -= std::min(may_pass_, passed);
  return !enough;
}

bool SweepAndPrune::pass_ends(Index number) {
  Body& body = bodies_[number];
  body.state = State::sorted;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const std::size_t end : {0u, 1u})
      if (!pass_end(axis, body.places[axis][end])) return false;
  return true;
}

// Sorts all ends, and sweeps along the axis on which the fewest intervals overlap.
void SweepAndPrune::rebuild() {
  pairs_.clear();
  std::size_t least = 0, sweep_axis = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::vector<End>& ends = ends_[axis];
    ends.clear();
    for (Index number = 0; number < bodies_.size(); ++number) {
      if (bodies_[number].state == State::absent) continue;
      bodies_[number].state = State::sorted;
      for (const bool is_upper : {false, true})
        ends.push_back(End::of(bodies_[number].box, number, axis, is_upper));
    }
    std::sort(ends.begin(), ends.end(),
              [](const End& x, const End& y) { return x < y || (!(y < x) && x.code < y.code); });
    std::size_t open = 0, overlaps = 0;
    for (Index i = 0; i < ends.size(); ++i) {
      put(axis, i, ends[i]);
      if (ends[i].is_upper())
        --open;
      else
        overlaps += open++;
    }
    if (axis == 0 || overlaps < least) least = overlaps, sweep_axis = axis;
  }
  open_.clear();
  for (const End& end : ends_[sweep_axis]) {
    const Index number = end.number();
    if (end.is_upper()) {
      *std::find(open_.begin(), open_.end(), number) = open_.back();
      open_.pop_back();
      continue;
    }
    for (const Index other : open_)
      if (bodies_[number].box.overlaps(bodies_[other].box)) pairs_.insert(number, other);
    open_.push_back(number);
  }
}

std::span<const BoxPair> SweepAndPrune::list_pairs() {
  if (!removed_.empty()) forget_removed();
  // Exchanging more ends than this takes longer than sorting and sweeping again.
  const std::size_t n = size();
  may_pass_ = 64 + 4 * n * static_cast<std::size_t>(std::sqrt(static_cast<double>(n)));
  bool sorted = 6 * n * fresh_.size() <= may_pass_;
  if (sorted)
    for (const Index number : fresh_) append(number);
  for (std::size_t i = 0; sorted && i < moved_.size(); ++i) sorted = pass_ends(moved_[i]);
  if (!sorted) rebuild();
  fresh_.clear();
  moved_.clear();
  return pairs_.pairs();
}

// Searches along the axis and from the side on which the fewest boxes begin before the box ends.
void SweepAndPrune::search(const RoundedBox& box, const Visit& visit) const {
  std::size_t best = ends_[0].size(), first = 0, axis = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto value_below = [](const End& end, float value) { return end.value < value; };
    const auto value_above = [](float value, const End& end) { return value < end.value; };
    const auto begin = ends_[k].begin(), end = ends_[k].end();
    const auto from =
        static_cast<std::size_t>(std::lower_bound(begin, end, box.lo[k], value_below) - begin);
    const auto to =
        static_cast<std::size_t>(std::upper_bound(begin, end, box.hi[k], value_above) - begin);
    if (to < best) best = to, first = 0, axis = k;
    if (ends_[k].size() - from < best) best = ends_[k].size() - from, first = from, axis = k;
  }
  // From below, each box is found at its lower end; from above, at its upper end.
  const bool upper = first > 0;
  for (std::size_t i = first; i < first + best; ++i) {
    const End& end = ends_[axis][i];
    const Body& body = bodies_[end.number()];
    if (end.is_upper() != upper || body.state != State::sorted || body.leaves) continue;
    if (body.box.overlaps(box) && !visit(end.number())) return;
  }
  for (const std::vector<Index>* waiting : {&moved_, &fresh_})
    for (const Index number : *waiting)
      if (bodies_[number].box.overlaps(box) && !visit(number)) return;
}

// The position at which a ray begins among the ends of an axis, and the number of ends to test.
struct SweepAndPrune::RayStart {
  std::size_t axis;
  RayToBoxes::Heading heading;
  double size;  // magnitude of the largest coordinate
  // lower ends before this one belong to boxes behind the ray or around its origin
  std::size_t below = 0;
  std::size_t above = 0;  // so do upper ends from this one on
  std::size_t cost = 0;
};

SweepAndPrune::RayStart SweepAndPrune::start_on(std::size_t axis, const RayToBoxes& ray) const {
  using enum RayToBoxes::Heading;
  const std::vector<End>& ends = ends_[axis];
  RayStart start{
      axis, ray.heading(axis),
      std::max(std::abs(double{ends.front().value}), std::abs(double{ends.back().value}))};
  const auto before = [&](double x) {
    return static_cast<std::size_t>(
        std::lower_bound(ends.begin(), ends.end(), x,
                         [](const End& end, double value) { return end.value < value; }) -
        ends.begin());
  };
  const auto not_after = [&](double x) {
    return static_cast<std::size_t>(
        std::upper_bound(ends.begin(), ends.end(), x,
                         [](double value, const End& end) { return value < end.value; }) -
        ends.begin());
  };
  const auto [lo, hi] = ray.origin(axis, start.size);
  start.below = start.heading == up ? before(lo) : not_after(hi);
  start.above = start.heading == down ? start.below : before(lo);
  const double last = ray.at(ray.length())[static_cast<int>(axis)];
  std::size_t ahead = 0;
  if (start.heading == up) ahead = std::max(start.below, not_after(last)) - start.below;
  if (start.heading == down) ahead = start.above - std::min(start.above, before(last));
  start.cost = std::min(start.below, ends.size() - start.above) + ahead;
  return start;
}

// Searches along the axis with the fewest ends to test. Boxes around the origin come first; each
// box ahead is added at the end that the ray reaches first.
void SweepAndPrune::search(const RayPiece& piece, const VisitAlong& visit) const {
  using enum RayToBoxes::Heading;
  constexpr std::size_t kTogether = 32;
  RayQueue queue(piece);
  const RayToBoxes& ray = queue.ray();
  for (const std::vector<Index>* waiting : {&moved_, &fresh_})
    for (const Index number : *waiting) queue.add_box(number, bodies_[number].box);
  if (ends_[0].empty()) return queue.run(visit);
  RayStart start = start_on(0, ray);
  for (const std::size_t axis : {1u, 2u})
    if (const RayStart other = start_on(axis, ray); other.cost < start.cost) start = other;

  const std::vector<End>& ends = ends_[start.axis];
  const auto look_at = [&](std::size_t from, std::size_t to, bool upper, auto&& is_meant) {
    for (std::size_t i = from; i < to; ++i) {
      if (ends[i].is_upper() != upper) continue;
      const Body& body = bodies_[ends[i].number()];
      if (body.state == State::sorted && !body.leaves && is_meant(body.places[start.axis]))
        queue.add_box(ends[i].number(), body.box);
    }
  };
  if (start.below <= ends.size() - start.above)
    look_at(0, start.below, false, [&](const auto& places) { return places[1] >= start.above; });
  else
    look_at(start.above, ends.size(), true,
            [&](const auto& places) { return places[0] < start.below; });
  // A node is a position among the ends up to which the ray has come.
  const auto wait_for = [&](std::size_t place) {
    if (start.heading == up ? place >= ends.size() : place == 0) return;
    const End& next = ends[start.heading == up ? place : place - 1];
    queue.add_node_at(static_cast<Index>(place),
                      ray.reaches(start.axis, double{next.value}, start.size));
  };
  if (start.heading != none) wait_for(start.below);
  queue.run(visit, [&](std::size_t place) {
    const auto any = [](const auto&) { return true; };
    if (start.heading == up) {
      const std::size_t next = std::min(ends.size(), place + kTogether);
      look_at(place, next, false, any);
      wait_for(next);
    } else {
      const std::size_t next = place - std::min(place, kTogether);
      look_at(next, place, true, any);
      wait_for(next);
    }
  });
}

BroadPhase::Memory SweepAndPrune::memory_of_method() const {
  std::size_t bytes = bodies_.capacity() * sizeof(Body) + pairs_.bytes();
  for (const std::vector<End>& ends : ends_) bytes += ends.capacity() * sizeof(End);
  for (const std::vector<Index>* list : {&fresh_, &moved_, &removed_, &open_})
    bytes += list->capacity() * sizeof(Index);
  return {bytes, pairs_.bytes()};
}

void SweepAndPrune::validate() const {
  const auto require = [](bool holds, const char* what, Index number) {
    if (!holds) throw Error("sweep and prune: box " + std::to_string(number) + ' ' + what);
  };
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (Index i = 0; i < ends_[axis].size(); ++i) {
      const End& end = ends_[axis][i];
      const Body& body = bodies_[end.number()];
      require(body.places[axis][end.code & 1] == i, "does not know its ends", end.number());
      require(i == 0 || !(end < ends_[axis][i - 1]), "has an end at the wrong position",
              end.number());
      if (body.state == State::sorted && !body.leaves)
        require(end.value == End::of(body.box, 0, axis, end.is_upper()).value,
                "has another end than it should", end.number());
    }
  for (const BoxPair& pair : pairs_.pairs()) {
    const Body &a = bodies_[pair.a], &b = bodies_[pair.b];
    require(pairs_.contains(pair.a, pair.b), "has lost a pair", pair.a);
    if (a.state == State::sorted && b.state == State::sorted && !a.leaves && !b.leaves)
      require(a.box.overlaps(b.box), "is in a pair that does not overlap", pair.a);
  }
}

}  // namespace touche::broadphase
