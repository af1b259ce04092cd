// SPDX-License-Identifier: Apache-2.0
// One table that states which queries are answered for which pairs of shapes, and by which
// functions.
#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "query/exchanged.h"
#include "shape/pairs.h"
#include "shape/soup_queries.h"

namespace touche::shape {

namespace {

/// All shapes of a class are handled by the same functions.
enum class ShapeClass : std::uint8_t { body, half_space, soup };
constexpr std::size_t kClasses = 3;

constexpr ShapeClass class_of(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::sphere:
    case ShapeKind::capsule:
    case ShapeKind::box:
    case ShapeKind::cylinder:
    case ShapeKind::cone:
    case ShapeKind::ellipsoid:
    case ShapeKind::hull:
    case ShapeKind::zonotope:
    case ShapeKind::sum:
      return ShapeClass::body;
    case ShapeKind::half_space:
      return ShapeClass::half_space;
    case ShapeKind::soup:
      return ShapeClass::soup;
  }
  return ShapeClass::body;
}

/// A function that answers a query, or the reason why there is none. It converts implicitly, so
/// that the table below is readable.
template <class Function>
struct Entry {
  Function answer = nullptr;
  const char* why = nullptr;
  constexpr Entry(Function f) : answer(f) {}  // NOLINT(google-explicit-constructor)
  constexpr Entry(const char* w) : why(w) {}  // NOLINT(google-explicit-constructor)
};

struct Row {
  ShapeClass a, b;
  Entry<AnswerIntersects> intersects;
  Entry<AnswerDistance> distance;
  Entry<AnswerDepth> depth;
  Entry<AnswerContacts> contacts;
  const char* no_impact;  // null: shape_impact.cpp answers
};

constexpr const char* kEndless =
    "both go on without end, and meet unless their planes are parallel";
constexpr const char* kNoSoup = "a soup is a surface and has no inside; use contacts";
constexpr const char* kThickness = "use overlap_thickness or separation of their objects";

constexpr const char* kAnswered = nullptr;

constexpr auto kBody = ShapeClass::body;
constexpr auto kHalf = ShapeClass::half_space;
constexpr auto kSoup = ShapeClass::soup;

// clang-format off
constexpr std::array kTable = {
  //   a      b      intersects                    distance                    depth                    contacts                    no time of impact
  Row{kBody, kBody, &convex_pair::intersects,     &convex_pair::distance,     &convex_pair::depth,     &convex_pair::contacts,     kAnswered},
  Row{kBody, kHalf, &half_space_pair::intersects, &half_space_pair::distance, &half_space_pair::depth, &half_space_pair::contacts, kAnswered},
  Row{kBody, kSoup, &shape_soup_pair::intersects, &shape_soup_pair::distance, kNoSoup,                 &shape_soup_pair::contacts, kAnswered},
  Row{kHalf, kHalf, kEndless,                     kEndless,                   kEndless,                kEndless,                   kEndless},
  Row{kHalf, kSoup, &shape_soup_pair::intersects, &shape_soup_pair::distance, kNoSoup,                 &shape_soup_pair::contacts, kAnswered},
  Row{kSoup, kSoup, &soup_pair::intersects,       &soup_pair::distance,       kThickness,              &soup_pair::contacts,       kAnswered},
};
// clang-format on

/// Each pair of classes has exactly one row, with the classes in order.
constexpr bool complete() {
  std::array<int, kClasses* kClasses> rows = {};
  for (const Row& r : kTable) {
    if (r.a > r.b) return false;
    ++rows[static_cast<std::size_t>(r.a) * kClasses + static_cast<std::size_t>(r.b)];
  }
  for (std::size_t a = 0; a < kClasses; ++a)
    for (std::size_t b = 0; b < kClasses; ++b)
      if (rows[a * kClasses + b] != (a <= b ? 1 : 0)) return false;
  return true;
}
static_assert(complete(), "a pair of classes of shapes is missing in the table, or there twice");

/// The row of each pair of classes, in either order.
constexpr std::array<std::uint8_t, kClasses* kClasses> kRows = [] {
  std::array<std::uint8_t, kClasses* kClasses> rows = {};
  for (std::size_t i = 0; i < kTable.size(); ++i) {
    const auto a = static_cast<std::size_t>(kTable[i].a), b = static_cast<std::size_t>(kTable[i].b);
    rows[a * kClasses + b] = rows[b * kClasses + a] = static_cast<std::uint8_t>(i);
  }
  return rows;
}();

const Row& row_of(ShapeClass a, ShapeClass b) {
  return kTable[kRows[static_cast<std::size_t>(a) * kClasses + static_cast<std::size_t>(b)]];
}

[[noreturn]] void refuse(ShapeQuestion question, const Shape& a, const Shape& b, const char* why) {
  throw InvalidInput("shapes: no answer to " + std::string(name(question)) + " for a " +
                     std::string(name(a.kind())) + " and a " + std::string(name(b.kind())) + ": " +
                     why);
}
template <class Function>
Function answer_of(const Entry<Function>& entry, ShapeQuestion question, const Shape& a,
                   const Shape& b) {
  if (!entry.answer) refuse(question, a, b, entry.why);
  return entry.answer;
}

bool in_order(const Shape& a, const Shape& b) { return class_of(a.kind()) <= class_of(b.kind()); }

IntersectsResult turned_round(IntersectsResult r) {
  std::swap(r.face_a, r.face_b);
  return r;
}
DistanceResult turned_round(DistanceResult r) {
  if (r.closest) r.closest = query::exchanged(*r.closest);
  return r;
}
DepthResult turned_round(DepthResult r) {
  r.direction = -r.direction;
  std::swap(r.point_a, r.point_b);
  return r;
}

}  // namespace

ShapeContactsResult turned(ShapeContactsResult r) {
  r.normal = -r.normal;
  for (ShapeContact& c : r.contacts) {
    std::swap(c.point_a, c.point_b);
    std::swap(c.face_a, c.face_b);
    c.normal = -c.normal;
  }
  return r;
}

}  // namespace touche::shape

namespace touche {

bool answers(ShapeQuestion question, ShapeKind a, ShapeKind b) {
  const shape::Row& row = shape::row_of(shape::class_of(a), shape::class_of(b));
  switch (question) {
    case ShapeQuestion::intersects:
      return row.intersects.answer != nullptr;
    case ShapeQuestion::distance:
      return row.distance.answer != nullptr;
    case ShapeQuestion::depth:
      return row.depth.answer != nullptr;
    case ShapeQuestion::contacts:
      return row.contacts.answer != nullptr;
    case ShapeQuestion::time_of_impact:
      return row.no_impact == nullptr;
  }
  return false;
}

}  // namespace touche

namespace touche::shape {

void check_time_of_impact(const Shape& a, const Shape& b) {
  const char* why = row_of(class_of(a.kind()), class_of(b.kind())).no_impact;
  if (why) refuse(ShapeQuestion::time_of_impact, a, b, why);
}

}  // namespace touche::shape

namespace touche {

IntersectsResult intersects(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                            const Budget& budget, Workspace* workspace) {
  if (!a.is_convex() && !b.is_convex())  // the table's row, without searching it
    return shape::soup_pair::intersects({a, pose_a}, {b, pose_b}, budget, workspace);
  const auto ask = shape::answer_of(
      shape::row_of(shape::class_of(a.kind()), shape::class_of(b.kind())).intersects,
      ShapeQuestion::intersects, a, b);
  return shape::in_order(a, b)
             ? ask({a, pose_a}, {b, pose_b}, budget, workspace)
             : shape::turned_round(ask({b, pose_b}, {a, pose_a}, budget, workspace));
}

DistanceResult distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                        const DistanceOptions& options) {
  if (!a.is_convex() && !b.is_convex())
    return shape::soup_pair::distance({a, pose_a}, {b, pose_b}, options);
  const auto ask =
      shape::answer_of(shape::row_of(shape::class_of(a.kind()), shape::class_of(b.kind())).distance,
                       ShapeQuestion::distance, a, b);
  return shape::in_order(a, b) ? ask({a, pose_a}, {b, pose_b}, options)
                               : shape::turned_round(ask({b, pose_b}, {a, pose_a}, options));
}

DepthResult depth(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                  const DepthOptions& options) {
  const auto ask =
      shape::answer_of(shape::row_of(shape::class_of(a.kind()), shape::class_of(b.kind())).depth,
                       ShapeQuestion::depth, a, b);
  shape::check(options);
  return shape::in_order(a, b) ? ask({a, pose_a}, {b, pose_b}, options)
                               : shape::turned_round(ask({b, pose_b}, {a, pose_a}, options));
}

ShapeContactsResult contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                             MaxDistance margin) {
  const auto ask =
      shape::answer_of(shape::row_of(shape::class_of(a.kind()), shape::class_of(b.kind())).contacts,
                       ShapeQuestion::contacts, a, b);
  if (!(margin.length >= 0)) throw InvalidInput("contacts: max_distance must not be negative");
  return shape::in_order(a, b) ? ask({a, pose_a}, {b, pose_b}, margin.length)
                               : shape::turned(ask({b, pose_b}, {a, pose_a}, margin.length));
}

}  // namespace touche
