// SPDX-License-Identifier: Apache-2.0
// Coloured strips below a plot: where the path is free, in contact or undecided.
#include <algorithm>
#include <cmath>
#include <vector>

#include "path/parts_inside.h"
#include "report/svg.h"
#include "report/words.h"
#include "study/allowed.h"
#include "study/plot.h"
#include "study/plot_frame.h"

namespace touche::study {

using namespace report;

const char* status_colour(StepStatus status) {
  switch (status) {
    case StepStatus::free:
      return colour::kFree;
    case StepStatus::contact:
    case StepStatus::initially_touching:
      return colour::kContact;
    case StepStatus::undecided:
      return colour::kUndecided;
    case StepStatus::not_examined:
      return colour::kNotExamined;
  }
  return colour::kInk;
}

void s_axis(std::string& out, double y) {
  for (const double s : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    add_line(out, x_of(s), y, x_of(s), y + 4, colour::kFaint);
    const char* anchor = s == 0 ? "start" : s == 1 ? "end" : "middle";
    add_text(out, x_of(s), y + 17, anchor, s == 0 ? "start" : s == 1 ? "end" : percent(s));
  }
}

namespace {

void strip(std::string& out, double s0, double s1, double y, StepStatus status,
           std::size_t first_step, std::size_t last_step) {
  if (!(s1 > s0)) return;
  // Keep contacts visible in very short steps.
  const double least = status == StepStatus::free || status == StepStatus::not_examined ? 0.6 : 2.5;
  add(out, R"(<rect x="{:.2f}" y="{:.1f}" width="{:.2f}" height="{:.1f}" fill="{}">)", x_of(s0), y,
      std::max(x_of(s1) - x_of(s0), least), kStrip, status_colour(status));
  add(out, "<title>step {} to {}: {}</title></rect>", first_step, last_step, name(status));
}

}  // namespace

void status_strip(std::string& out, const StudyResult& result, double y) {
  std::vector<double> free_until(result.steps.size(), 1);  // s
  for (const PairStep& pair : result.pairs)
    if (pair.status != StepStatus::free)
      free_until[pair.step] =
          std::min(free_until[pair.step], path_position(result.study, pair.step, pair.time.lower));
  for (std::size_t k = 0; k < result.steps.size();) {
    const StepStatus status = result.steps[k].status;
    const double s0 = result.steps[k].s_start;
    std::size_t end = k + 1;
    if (status == StepStatus::contact || status == StepStatus::undecided) {
      const double s1 = result.steps[k].s_end, between = std::clamp(free_until[k], s0, s1);
      strip(out, s0, between, y, StepStatus::free, k, k);
      strip(out, between, s1, y, status, k, k);
    } else {
      while (end < result.steps.size() && result.steps[end].status == status) ++end;
      strip(out, s0, result.steps[end - 1].s_end, y, status, k, end - 1);
    }
    k = end;
  }
}

void path_strip(std::string& out, const StudyResult& result, double y) {
  const auto bar = [&](double begin, double end, double least, StepStatus status,
                       const std::string& what) {
    if (!(end > begin) && !(least > 0)) return;
    add(out,
        R"(<rect x="{:.2f}" y="{:.1f}" width="{:.2f}" height="{:.1f}" fill="{}"><title>{}</title>)"
        "</rect>",
        x_of(begin), y, std::max(least, x_of(end) - x_of(begin)), kStrip, status_colour(status),
        escape(what));
  };
  const auto each = [&](const auto& draw) {
    for (const PairPath& pair : result.paths)
      if (!is_allowed(result.study, pair.part_a, pair.part_b))
        draw(pair.path, fmt::format("{} and {}", result.study.parts[pair.part_a].name,
                                    result.study.parts[pair.part_b].name));
  };
  bar(0, 1, 0, StepStatus::free, "proved free");
  // Draw more severe bars later, so that they cover the others.
  each([&](const PathResult& path, const std::string& pair) {
    const std::string what = pair + ": not decided";
    for (const ContactInterval& c : path.contacts) {
      bar(c.start.lower, c.start.upper, 0, StepStatus::undecided, what);
      bar(c.end.lower, c.end.upper, 0, StepStatus::undecided, what);
    }
    if (path.verdict == PathVerdict::open || path.before == Containment::open)
      bar(0, 1, 0, StepStatus::undecided, pair + ": a part is open and may contain the other one");
    if (path.verdict == PathVerdict::undecided)
      bar(path.decided_until < 1 ? path.decided_until : 0, 1, 0, StepStatus::undecided, what);
  });
  each([&](const PathResult& path, const std::string& pair) {
    const std::string what = pair + ": one inside the other";
    const auto next = [&](std::size_t i) {
      return i < path.contacts.size() ? path.contacts[i].start.lower : path.decided_until;
    };
    if (paths::is_inside(path.before)) bar(0, next(0), 0, StepStatus::contact, what);
    for (std::size_t i = 0; i < path.contacts.size(); ++i)
      if (paths::is_inside(path.contacts[i].after))
        bar(path.contacts[i].end.upper, next(i + 1), 0, StepStatus::contact, what);
    // Keep very short contacts visible.
    for (const ContactInterval& c : path.contacts)
      bar(c.start.upper, c.end.lower, 2.5, StepStatus::contact, pair + ": contact");
  });
}

}  // namespace touche::study
