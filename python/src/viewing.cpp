// SPDX-License-Identifier: Apache-2.0
#include "viewing.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <future>
#include <mutex>
#include <optional>
#include <thread>

#include "convert.h"
#include "module.h"
#include "run.h"
#include "touche/viewer.h"

namespace touche::python {

std::string viewer_of(const StudyResult& result) { return report_viewer(result); }
std::string viewer_of(const ClashResult& result) { return report_viewer(result); }
std::string viewer_of(const SimulationResult& result) { return report_viewer(result); }

namespace {

using Path = std::filesystem::path;

// A server in a thread of its own.
class RunningViewer {
 public:
  RunningViewer(const ViewerOptions& options, const std::vector<Path>& inputs) : viewer_(options) {
    viewer_.open(inputs);
    std::future<void> is_ready = ready_.get_future();
    thread_ = std::thread([this] {
      bool told = false;
      try {
        viewer_.run([&] {
          told = true;
          ready_.set_value();
        });
      } catch (...) {
        if (told)
          error_ = std::current_exception();
        else
          ready_.set_exception(std::current_exception());
      }
    });
    try {
      is_ready.get();
    } catch (...) {
      thread_.join();
      throw;
    }
  }
  // Also in the thread of a start that was left alone, which does not have the lock.
  ~RunningViewer() {
    if (PyGILState_Check() != 0) {
      const Unlocked unlocked;
      end();
    } else {
      end();
    }
  }
  RunningViewer(const RunningViewer&) = delete;
  RunningViewer& operator=(const RunningViewer&) = delete;

  std::string url() const { return viewer_.url(); }

  // Throws what the server did, such as a recording that could not be saved.
  void close() {
    const Unlocked unlocked;
    end();
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  void end() {
    const std::lock_guard lock(mutex_);
    if (!thread_.joinable()) return;
    viewer_.stop();
    thread_.join();
  }

  Viewer viewer_;
  std::mutex mutex_;  // of the end
  std::promise<void> ready_;
  std::thread thread_;
  std::exception_ptr error_;
};

}  // namespace

void add_viewer(py::module_& m) {
  py::class_<RunningViewer>(m, "_Viewer")
      .def(py::init([](const std::vector<Path>& inputs, const std::string& address,
                       std::uint16_t port, const std::string& unit, const py::object& up,
                       const std::optional<Path>& folder) {
        ViewerOptions options{.address = address, .port = port, .unit = unit};
        if (!up.is_none()) options.up = named<UpAxis>(text_of(up, "up"), "up");
        if (folder) options.folder = *folder;
        return alone(
            [options, inputs] { return std::make_unique<RunningViewer>(options, inputs); });
      }))
      .def("url", &RunningViewer::url)
      .def("close", &RunningViewer::close);
}

}  // namespace touche::python
