// SPDX-License-Identifier: Apache-2.0
#include "separation.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "outlines.h"
#include "touche/separation.h"

namespace touche::cli {

void SeparationInput::add_to(Command& command) {
  command.flag("--separation", wanted_,
               "Closed bodies: thickness of the overlap and the shortest shift that ends it, or "
               "their distance");
  command
      .add("--tolerance", tolerance_,
           "Of --separation: lengths are found to two of it; default: 1e-5 of the smaller one's "
           "size")
      .type_name("LENGTH");
}

bool SeparationInput::wanted() const {
  if (!wanted_ && !tolerance_.empty())
    throw InvalidInput("--tolerance is for --separation: contacts are found exactly");
  return wanted_;
}

namespace {

/// Default tolerance of shifts: this share of the smaller object's size.
constexpr double kTolerance = 1e-5;

void print_collide(const Separation& found, double tolerance, const Figures& figures) {
  const std::string way = vector_text(found.direction, 6);
  switch (found.status) {
    case SeparationStatus::apart:
      fmt::print("free: {} apart (proved: at least {}), b from a along {}\n",
                 figures.text(found.distance.upper, 9), figures.text(found.distance.lower, 9), way);
      break;
    case SeparationStatus::overlapping:
      fmt::print(
          "contact: they touch or are in each other\n"
          "  depth {}: b moved by {} along {} is out of a\n",
          figures.text(std::abs(found.distance.upper), 9), figures.text(-found.distance.lower, 9),
          way);
      break;
    case SeparationStatus::undecided:
      fmt::print("not decided: they touch or not, within rounding\n");
      return;
  }
  if (!found.complete)
    fmt::print("  not complete: lengths are proved, but not found to two tolerances ({} each)\n",
               figures.text(tolerance, 3));
}

}  // namespace

int SeparationInput::run(const TwoObjects& o, std::size_t max_contacts) const {
  if (are_outlines(o)) throw InvalidInput("--separation is for bodies of space, not for drawings");
  if (max_contacts > 0) throw InvalidInput("--max-contacts: --separation lists no contacts");
  const Shape a = o.load_a(), b = o.load_b();
  const double size = std::min(size_of(a), size_of(b));
  SeparationOptions how;
  how.tolerance = o.positive_length(tolerance_, "--tolerance");
  if (tolerance_.empty())
    how.tolerance = size > 0 && std::isfinite(size) ? kTolerance * size : kTolerance;
  const Separation found =
      separation(a, parse_pose(o.pose_a, "--pose-a"), b, parse_pose(o.pose_b, "--pose-b"), how);
  const std::vector<std::string> remarks = remarks_of(o, a, b);
  const bool decided = found.status != SeparationStatus::undecided;
  if (o.json) {
    Json json = {{"status", name(found.status)}};
    if (decided) {
      json["distance"] = {{"lower", without_sign_of_zero(found.distance.lower)},
                          {"upper", without_sign_of_zero(found.distance.upper)}};
      json["direction"] = to_json(found.direction);
      json["shift"] = to_json(found.shift);
    }
    json["complete"] = found.complete;
    json["tolerance"] = how.tolerance;
    json["work"] = found.work;
    print(with_remarks(std::move(json), remarks));
  } else {
    print_remarks(remarks);
    print_collide(found, how.tolerance, o.figures({tolerance_}));
  }
  if (!decided) return kError;
  return found.status == SeparationStatus::overlapping ? kContact : kFree;
}

}  // namespace touche::cli
