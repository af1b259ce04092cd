// SPDX-License-Identifier: Apache-2.0
// Contacts are found one after the other: a search forward finds the beginning of the contact,
// steps lead to a time at which the bodies are apart, and a search backwards from there finds the
// end of the contact.
#include "touche/path.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "path/clearance_profile.h"
#include "path/contact_depths.h"
#include "path/moving_pair.h"
#include "path/parts_inside.h"
#include "path/soup_bodies.h"
#include "query/flat_pair.h"

namespace touche {
namespace {

class PathSearch {
 public:
  PathSearch(paths::Bodies& bodies, const Motion& motion_a, const Motion& motion_b,
             const PathOptions& options, const paths::EarlyClearance* early)
      : options_(options),
        early_(early),
        pair_(bodies.apart(), motion_a, motion_b, options),
        tolerance_(pair_.tolerance()),
        depths_(bodies, motion_a, motion_b, options) {}

  PathResult run() {
    find_contacts();
    result_.tolerance = tolerance_;
    if (options_.profile && !clearance_is_followed())
      paths::follow_clearance(pair_, intervals(), options_, result_);
    measure_contacts();
    conclude();
    // Of the whole path, also where it is not decided: no bound of a distance is known then.
    result_.may_reach_in = depths_.may_reach_in(
        0, 1, result_.contacts.empty() && !undecided_ ? result_.min_clearance.lower : 0);
    return std::move(result_);
  }

 private:
  using Found = paths::MovingPair::Found;

  // ---- contacts ----------------------------------------------------------------------------

  // Whether the bodies are clearly apart at t, so that a search that starts here does not start in
  // contact. If they touch, records that the contact lasts at least until t.
  bool apart_at(double t, ContactInterval& contact) {
    const double clear = 3 * tolerance_;
    const double found =
        pair_.distance_at(t, {.max_distance = 2 * clear, .stop_below = tolerance_}, result_.stats)
            .distance.upper;
    if (found <= tolerance_) contact.end.lower = t;
    return found > clear;
  }

  void find_contacts() {
    result_.decided_until = 1;  // less if a search is given up
    // the bodies are apart here, unless this is the start of the path
    double t = options_.apart_until;
    std::optional<Found> soon;
    if (early_ != nullptr) {
      take(*early_);
    } else if (options_.profile && t == 0 &&
               options_.budget.max_work > paths::kWorkOfEarlyContact) {
      soon = pair_.first_contact(0, 1, 0, result_.stats, paths::kWorkOfEarlyContact);
      if (soon->status == ToiStatus::undecided) {
        t = soon->time.lower;
        soon.reset();
        if (!pair_.stopped()) {
          const paths::EarlyClearance early = paths::follow_clearance_to_contact(pair_, options_);
          t = std::max(t, early.apart_until());
          take(early);
        }
      }
    }
    while (t < 1 && !undecided_) {
      if (pair_.stopped()) return give_up(t);
      const Found first = soon ? *soon : pair_.first_contact(t, 1, 0, result_.stats);
      soon.reset();
      if (first.status == ToiStatus::free) return;
      if (first.status == ToiStatus::undecided) return give_up(first.time.lower);
      ContactInterval& contact = result_.contacts.emplace_back();
      contact.start = first.time;
      contact.end = {first.time.upper, 1};
      contact.deepest_at = first.time.upper;
      contact.first = first.contact;
      t = follow(contact);
    }
  }

  // Finds the end of a contact; returns a time after it at which the bodies are apart, or 1.
  double follow(ContactInterval& contact) {
    for (double t = contact.start.upper; t < 1;) {
      if (pair_.stopped()) return give_up(contact.start.lower), 1.0;
      const double before = t;
      t = std::min(1.0, t + options_.step);
      // At the end of the path there is no later time, so search backwards from it in any case.
      if (t < 1 && pair_.same_place(before, t)) {  // what was found before holds again
        if (contact.end.lower == before) contact.end.lower = t;
        continue;
      }
      if (t < 1 && !apart_at(t, contact)) continue;
      const Found last = pair_.first_contact(t, contact.start.upper, 0, result_.stats);
      if (last.status == ToiStatus::initially_touching) {  // the bodies are not apart after all
        contact.end.lower = t;
        contact.last = last.contact;
        continue;
      }
      if (last.status == ToiStatus::undecided) {
        give_up(contact.start.lower);
        return 1;
      }
      contact.end = {std::max(contact.start.upper, last.time.upper), last.time.lower};
      contact.last = last.contact;
      if (last.status == ToiStatus::free) contact.last = contact.first;
      return t;
    }
    return 1;
  }

  void give_up(double until) {
    undecided_ = true;
    result_.decided_until = until;
  }

  // ---- clearance ---------------------------------------------------------------------------

  // Adopts what was found before contacts were searched for.
  void take(const paths::EarlyClearance& early) {
    result_.stats += early.stats;
    if (!early.whole) return;
    result_.samples = early.samples;
    result_.min_clearance = early.min_clearance;
    result_.min_clearance_at = early.min_clearance_at;
  }

  // Whether the clearance was followed before contacts were searched for, and there are no
  // contacts. Discards it if there are contacts.
  bool clearance_is_followed() {
    if (result_.samples.empty()) return false;
    if (result_.contacts.empty() && result_.decided_until == 1) return true;
    const PathResult none;
    result_.samples.clear();
    result_.min_clearance = none.min_clearance;
    result_.min_clearance_at = none.min_clearance_at;
    return false;
  }

  std::vector<paths::PathInterval> intervals() const {
    std::vector<paths::PathInterval> result;
    double begin = 0;
    const auto add = [&](double end, bool contact) {
      end = std::max(begin, end);
      result.push_back({begin, end, contact});
      begin = end;
    };
    for (const ContactInterval& c : result_.contacts) {
      add(c.start.lower, false);
      add(c.end.upper, true);
    }
    add(result_.decided_until, false);
    return result;
  }

  // ---- depths of contacts ------------------------------------------------------------------

  void measure_contacts() {
    auto& contacts = result_.contacts;
    Containment in_open = Containment::none;
    if (!contacts.empty()) {
      in_open = depths_.containment_in_open(0, result_.decided_until);
      note(in_open);
      held_ = paths::is_inside(in_open);
    }
    if (contacts.empty())
      result_.before = containment(0, result_.decided_until);
    else if (contacts[0].start.lower > 0)
      result_.before = containment(0, contacts[0].start.lower);
    else
      result_.before = in_open == Containment::open ? in_open : Containment::none;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      if (pair_.stopped()) return;
      if (options_.thickness_points > 0) depths_.measure(contacts[i], tolerance_);
      const bool last = i + 1 == contacts.size();
      const double end = last ? result_.decided_until : contacts[i + 1].start.lower;
      if (contacts[i].end.upper < end)
        contacts[i].after = containment(contacts[i].end.upper, end);
      else if (!last || result_.decided_until == 1)
        contacts[i].after = Containment::none;
    }
  }

  // Tests for containment while the bodies are apart.
  Containment containment(double begin, double end) {
    const Containment found = depths_.containment(begin, end);
    note(found);
    return found;
  }

  // An undecided test leaves the verdict undecided.
  void note(Containment found) {
    undecided_ = undecided_ || found == Containment::undecided;
    open_ = open_ || found == Containment::open;
  }

  // ---- verdict -----------------------------------------------------------------------------

  PathVerdict of_contacts() {
    const auto& contacts = result_.contacts;
    // If the path was stopped, only overlaps that were already found to be thick are known.
    if (pair_.stopped())
      return std::any_of(contacts.begin(), contacts.end(),
                         [&](const ContactInterval& c) {
                           return c.deepest.diameter.lower >
                                  std::max(c.max_touching_thickness, tolerance_);
                         })
                 ? PathVerdict::clash
                 : PathVerdict::undecided;
    const auto all_are = [&](const auto& which) {
      return std::all_of(contacts.begin(), contacts.end(), which);
    };
    if (options_.thickness_points == 0 ||
        !all_are([](const ContactInterval& c) { return c.only_touching; }))
      return PathVerdict::clash;
    const bool proved =
        all_are([](const ContactInterval& c) { return c.touching_until >= c.end.upper; });
    if (!proved || undecided_) return PathVerdict::undecided;
    return open_ ? PathVerdict::open : PathVerdict::touching;
  }

  void conclude() {
    if (pair_.stopped()) undecided_ = true;
    const bool inside = held_ || paths::is_inside(result_.before) ||
                        std::any_of(result_.contacts.begin(), result_.contacts.end(),
                                    [](const auto& c) { return paths::is_inside(c.after); });
    if (inside) {
      result_.min_clearance = {0, 0};
      result_.min_clearance_at =
          paths::is_inside(result_.before) ? 0 : result_.contacts[0].start.upper;
      result_.verdict = PathVerdict::clash;
      return;
    }
    // The thickness of the overlaps distinguishes a touch from a clash.
    if (!result_.contacts.empty()) {
      result_.min_clearance = {0, 0};
      result_.min_clearance_at = result_.contacts[0].start.upper;
      result_.verdict = of_contacts();
      return;
    }
    // Without contacts, compare the least clearance with the required one.
    if (undecided_) {
      result_.verdict = PathVerdict::undecided;
      result_.min_clearance.lower = 0;
    } else if (result_.min_clearance.lower >= options_.clearance) {
      result_.verdict = PathVerdict::free;
    } else if (result_.min_clearance.upper < options_.clearance) {
      result_.verdict = PathVerdict::near;
    } else {
      const Found found = pair_.first_contact(0, 1, options_.clearance, result_.stats);
      result_.verdict = found.status == ToiStatus::free        ? PathVerdict::free
                        : found.status == ToiStatus::undecided ? PathVerdict::undecided
                                                               : PathVerdict::near;
      if (found.status == ToiStatus::free)
        result_.min_clearance.lower = std::max(result_.min_clearance.lower, options_.clearance);
    }
    if (open_ && result_.verdict != PathVerdict::undecided) result_.verdict = PathVerdict::open;
  }

  const PathOptions& options_;
  const paths::EarlyClearance* const early_;
  const paths::MovingPair pair_;
  const double tolerance_;
  PathResult result_;
  bool undecided_ = false;
  bool held_ = false;  // of bodies in contact, one holds a part of the other one
  bool open_ = false;  // it is unknown whether a body that is open holds the other one
  paths::ContactDepths depths_;
};

void check(const PathOptions& options) {
  const auto length = [](double x) { return x >= 0 && std::isfinite(x); };
  if (!(options.tolerance > 0) || !std::isfinite(options.tolerance))
    throw InvalidInput("path: the tolerance must be a length > 0");
  if (!length(options.clearance)) throw InvalidInput("path: the clearance must be a length >= 0");
  if (!length(options.max_touching_thickness))
    throw InvalidInput("path: `max_touching_thickness` must be a length >= 0");
  if (!(options.step > 0 && options.step <= 1))
    throw InvalidInput("path: the step must lie in (0, 1]");
  if (!(options.relative_error > 0 && options.relative_error < 1))
    throw InvalidInput("path: the relative error must lie in (0, 1)");
  if (!(options.apart_until >= 0 && options.apart_until <= 1))
    throw InvalidInput("path: `apart_until` must lie in [0, 1]");
}

}  // namespace

void paths::check_chord_errors(std::span<const double> errors, const Object& object) {
  if (!errors.empty() && errors.size() != object.soup().face_count())
    throw InvalidInput("path: chord errors must be given for each face, or not at all");
  if (!std::all_of(errors.begin(), errors.end(),
                   [](double x) { return x >= 0 && std::isfinite(x); }))
    throw InvalidInput("path: chord errors must be lengths >= 0");
}

PathResult paths::follow_path(Bodies& bodies, const Motion& motion_a, const Motion& motion_b,
                              const PathOptions& options, const EarlyClearance* early) {
  check(options);
  return PathSearch(bodies, motion_a, motion_b, options, early).run();
}

PathResult path(paths::LazyInterior& a, const Motion& motion_a, paths::LazyInterior& b,
                const Motion& motion_b, const PathOptions& options,
                const paths::EarlyClearance* early) {
  paths::check_chord_errors(options.chord_errors_a, a.object());
  paths::check_chord_errors(options.chord_errors_b, b.object());
  query::check_flat_pair("path", a.object(), motion_a, b.object(), motion_b);
  paths::SoupBodies bodies(a, b);
  return follow_path(bodies, motion_a, motion_b, options, early);
}

PathResult path(const Object& a, const Motion& motion_a, const Object& b, const Motion& motion_b,
                const PathOptions& options) {
  paths::LazyInterior inside_a(a), inside_b(b);
  return path(inside_a, motion_a, inside_b, motion_b, options);
}

}  // namespace touche
