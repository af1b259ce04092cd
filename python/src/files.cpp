// SPDX-License-Identifier: Apache-2.0
// Studies, clash checks and simulations of files. Results come as the JSON of the programs' files
// of results; the files of python/touche make classes of it.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>

#include "bodies.h"
#include "convert.h"
#include "module.h"
#include "poses.h"
#include "run.h"
#include "touche/clash.h"
#include "touche/io.h"
#include "touche/simulation.h"
#include "touche/study.h"
#include "viewing.h"

namespace touche::python {
namespace {

using Path = std::filesystem::path;
using Texts = std::vector<std::string>;

std::optional<UpAxis> up_of(const py::object& up) {
  if (up.is_none()) return {};
  return named<UpAxis>(text_of(up, "up"), "up");
}

// Text that takes long to make.
template <class Make>
std::string written(const Make& make) {
  const Unlocked unlocked;
  return make();
}

PageNotes notes_of(std::string date, std::string viewer) {
  return {.date = std::move(date), .remark = {}, .viewer = std::move(viewer)};
}

// ---- studies ----------------------------------------------------------------------------------

struct LoadedStudy {
  Study study;
  std::vector<Object> parts;
};

StudyResult run(const LoadedStudy& self, bool stop_at_first, bool paths,
                std::uint64_t thickness_points, bool explain, int threads,
                const py::object& max_work, const py::object& timeout, const py::object& progress) {
  return in_thread(budget_of(max_work, timeout, progress), [&](const Budget& budget) {
    return run_study(self.study, self.parts,
                     {.stop_at_first = stop_at_first,
                      .paths = paths,
                      .thickness_points = thickness_points,
                      .explain = explain,
                      .threads = checked_threads(threads),
                      .budget = budget});
  });
}

void add_study(py::module_& m) {
  py::class_<LoadedStudy>(m, "_Study")
      .def(py::init([](const Path& file, const std::optional<std::string>& json) {
        return alone([file, json] {
          LoadedStudy loaded{json ? parse_study(*json, file) : load_study(file), {}};
          loaded.parts = load_parts(loaded.study);
          return loaded;
        });
      }))
      .def("info",
           [](const LoadedStudy& self) {
             Texts parts, groups;
             for (const StudyPart& part : self.study.parts) parts.push_back(part.name);
             for (const StudyGroup& group : self.study.groups) groups.push_back(group.name);
             return py::make_tuple(self.study.title, self.study.unit, self.study.tolerance,
                                   self.study.clearance, parts, groups, self.study.times,
                                   self.study.remarks);
           })
      .def("part",
           [](const LoadedStudy& self, std::size_t i) {
             return py::make_tuple(object_of(self.parts.at(i)), self.study.parts.at(i).pose);
           })
      .def("motion", [](const LoadedStudy& self,
                        std::size_t i) { return object_of(self.study.groups.at(i).motion); })
      .def("run", &run);

  py::class_<StudyResult>(m, "_StudyResult")
      .def("sentences",
           [](const StudyResult& r) {
             return py::make_tuple(std::string(name(r.verdict)), verdict_sentence(r),
                                   verdict_details(r), explanation(r), study_remarks(r));
           })
      .def("json", [](const StudyResult& r) { return written([&] { return result_json(r); }); })
      .def("csv", [](const StudyResult& r) { return written([&] { return result_csv(r); }); })
      .def("html", [](const StudyResult& r, const std::string& date, bool viewer) {
        return written([&] { return result_html(r, notes_of(date, viewer ? viewer_of(r) : "")); });
      });
}

// ---- clash checks -----------------------------------------------------------------------------

ClashParts load(const std::vector<Path>& files, const std::string& unit, const py::object& up,
                const std::optional<std::string>& split, const std::optional<double>& weld,
                const std::optional<std::pair<std::string, double>>& animation, int threads) {
  ClashLoadOptions options{
      .unit = unit, .threads = checked_threads(threads), .up = up_of(up), .weld = weld};
  if (split) options.split = parse_split(*split);
  if (animation) options.animation = AnimationTime{animation->first, animation->second};
  return alone([files, options] { return load_clash_parts(files, options); });
}

// Of bodies that are in memory: (name, Object, Pose) each.
ClashParts parts_of(const std::vector<std::tuple<std::string, py::object, py::object>>& bodies,
                    const std::string& unit, const std::string& source) {
  ClashParts parts;
  parts.source = source;
  parts.unit = unit;
  for (const auto& [name, body, pose] : bodies) {
    const Body& of = body_of(body, "parts");
    if (!of.is_mesh()) throw InvalidInput("parts: \"" + name + "\" is a Shape; take its mesh()");
    parts.objects.push_back(of.object());
    parts.parts.push_back({.name = name,
                           .group = {},
                           .object = parts.objects.size() - 1,
                           .pose = pose_of(pose, "parts")});
  }
  return parts;
}

struct ClashArguments {
  ClashOptions options;
  std::optional<EarlierClashes> earlier;
  std::vector<ClashNote> notes;
};

ClashSet set_of(const Texts& patterns) { return {.patterns = patterns}; }

ClashResult check(const py::object& self, double clearance, const std::optional<double>& touching,
                  double ignore_thinner, const std::optional<double>& tolerance,
                  const std::optional<Path>& rules, const std::optional<Texts>& against,
                  const std::optional<Texts>& of, const std::optional<Path>& compare,
                  double compare_tolerance, const std::optional<Path>& notes, double relative_error,
                  std::uint64_t thickness_points, int threads, const py::object& max_work,
                  const py::object& timeout, const py::object& progress) {
  if (!(compare_tolerance >= 0)) throw InvalidInput("compare_tolerance: expected 0 or more");
  const ClashParts& parts = self.cast<const ClashParts&>();
  return alone(budget_of(max_work, timeout, progress),
               [=, kept = Kept(self), &parts](const Budget& budget) {
                 ClashOptions options{.clearance = clearance,
                                      .max_touching_thickness = touching,
                                      .ignore_thinner = ignore_thinner,
                                      .tolerance = tolerance,
                                      .relative_error = relative_error,
                                      .thickness_points = thickness_points,
                                      .threads = checked_threads(threads),
                                      .budget = budget};
                 std::vector<ClashNote> written;
                 if (notes) written = load_clash_notes(*notes);
                 std::optional<EarlierClashes> earlier;
                 if (compare) earlier = load_earlier_clashes(*compare);
                 if (rules) options.rules = load_clash_rules(*rules);
                 add_accepted(options.rules, written);
                 if (against) options.between = {set_of(*against), of ? set_of(*of) : ClashSet{}};
                 ClashResult result = find_clashes(parts, options);
                 if (earlier) {
                   measure_for_comparison(result, *earlier, compare_tolerance, budget);
                   result.comparison = compare_clashes(result, *earlier, compare_tolerance);
                 }
                 attach_notes(result, written);
                 return result;
               });
}

void add_clash(py::module_& m) {
  py::class_<ClashParts>(m, "_ClashParts")
      .def(py::init(&load))
      .def_static("of", &parts_of)
      .def_static("of_study",
                  [](const LoadedStudy& study, double s) {
                    const Unlocked unlocked;
                    return clash_parts(study.study, s);
                  })
      .def("info",
           [](const ClashParts& self) {
             Texts names;
             names.reserve(self.parts.size());
             for (const ClashPart& part : self.parts) names.push_back(part.name);
             py::list left_out;
             for (const LeftOutPart& part : self.left_out)
               left_out.append(py::make_tuple(part.name, part.reason));
             return py::make_tuple(self.source, self.unit, names, self.remarks, left_out);
           })
      .def("part",
           [](const ClashParts& self, std::size_t i) {
             const ClashPart& part = self.parts.at(i);
             return py::make_tuple(object_of(self.objects.at(part.object)), part.pose, part.group,
                                   part.file);
           })
      .def("check", &check);

  py::class_<ClashResult>(m, "_ClashResult")
      .def("sentences",
           [](const ClashResult& r) {
             return py::make_tuple(std::string(name(r.verdict)), clash_sentence(r),
                                   comparison_sentence(r), r.remarks);
           })
      .def("worst_first", &worst_first)
      .def("fails_on",
           [](const ClashResult& r, const std::vector<std::string>& what) {
             const std::vector<std::string_view> words(what.begin(), what.end());
             return fails_on(r, words);
           })
      .def("json", [](const ClashResult& r) { return written([&] { return clash_json(r); }); })
      .def("csv", [](const ClashResult& r) { return written([&] { return clash_csv(r); }); })
      .def("bcf",
           [](const ClashResult& r, const std::string& date, const std::string& author) {
             return py::bytes(
                 written([&] { return clash_bcf(r, {.date = date, .author = author}); }));
           })
      .def("html", [](const ClashResult& r, const std::string& date, bool viewer) {
        return written([&] { return clash_html(r, notes_of(date, viewer ? viewer_of(r) : "")); });
      });
}

// ---- simulations ------------------------------------------------------------------------------

struct LoadedSimulation {
  Simulation simulation;
  SimulationParts parts;
};

void add_simulation(py::module_& m) {
  py::class_<LoadedSimulation>(m, "_Simulation")
      .def(py::init([](const Path& file, const std::optional<std::string>& json) {
        return alone([file, json] {
          LoadedSimulation loaded{json ? parse_simulation(*json, file) : load_simulation(file), {}};
          loaded.parts = load_parts(loaded.simulation);
          return loaded;
        });
      }))
      .def("info",
           [](const LoadedSimulation& self) {
             Texts bodies;
             for (const SimulationBody& body : self.simulation.bodies) bodies.push_back(body.name);
             return py::make_tuple(self.simulation.title, self.simulation.unit,
                                   self.simulation.duration, self.simulation.time_step, bodies,
                                   self.simulation.remarks);
           })
      .def("body",
           [](const LoadedSimulation& self, std::size_t i) {
             return py::make_tuple(object_of(body_shape(self.simulation, self.parts, i)),
                                   self.simulation.bodies.at(i).pose);
           })
      .def("run", [](const LoadedSimulation& self, bool resolve, bool surfaces, int threads,
                     const py::object& timeout, const py::object& progress) {
        return in_thread(budget_of(py::none(), timeout, progress), [&](const Budget& budget) {
          return simulate(self.simulation, self.parts,
                          {.budget = budget,
                           .threads = checked_threads(threads),
                           .resolve = resolve,
                           .surfaces = surfaces});
        });
      });

  py::class_<SimulationResult>(m, "_SimulationResult")
      .def("sentences",
           [](const SimulationResult& r) {
             return py::make_tuple(std::string(name(r.verdict)), verdict_sentence(r),
                                   simulation_remarks(r), is_about_surfaces(r));
           })
      .def("times",
           [](const SimulationResult& r) {
             py::array_t<double> times(static_cast<py::ssize_t>(r.steps.size()));
             for (std::size_t i = 0; i < r.steps.size(); ++i)
               times.mutable_data()[i] = r.steps[i].time;
             return times;
           })
      .def("poses", [](const SimulationResult& r,
                       std::size_t body) { return matrices_of(r.poses.at(body)); })
      .def("json",
           [](const SimulationResult& r) { return written([&] { return result_json(r); }); })
      .def("csv", [](const SimulationResult& r) { return written([&] { return result_csv(r); }); })
      .def("impacts_csv",
           [](const SimulationResult& r) { return written([&] { return impacts_csv(r); }); })
      .def("save_animation",
           [](const SimulationResult& r, const Path& file) {
             const Unlocked unlocked;
             save_animation(animation(r), file);
           })
      .def("html", [](const SimulationResult& r, const std::string& date, bool viewer) {
        return written([&] { return result_html(r, notes_of(date, viewer ? viewer_of(r) : "")); });
      });
}

}  // namespace

void add_files(py::module_& m) {
  add_study(m);
  add_clash(m);
  add_simulation(m);
}

}  // namespace touche::python
