// SPDX-License-Identifier: Apache-2.0
// A viewer in the browser: one or several users view parts, grab them and move them as far as
// contacts allow. Link target touche::viewer, which exists only if Node was available to build its
// page.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "touche/clash.h"
#include "touche/handle.h"
#include "touche/simulation.h"
#include "touche/study.h"

namespace touche {

struct ViewerOptions {
  /// A numeric address of this machine. With any address except loopback, every computer on the
  /// network that has the page's URL can connect; nothing is encrypted.
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  ///< 0: any free port
  /// The secret part of the page's URL: at least 32 letters, digits, '-' and '_'. Empty: a random
  /// one.
  std::string token = {};
  /// Whether SIGINT, SIGTERM and SIGHUP end run(); a second one kills the process.
  bool stop_on_signals = false;
  double rate = 60;               ///< steps of the world per second, from 1 to 1000
  int threads = 0;                ///< threads of a step; 0: all
  std::string unit = {};          ///< unit of mesh files that do not give one; see load_clash_parts
  std::optional<UpAxis> up = {};  ///< axis of mesh files that points up; see load_clash_parts
  std::optional<double> weld = {};    ///< length; see ClashLoadOptions::weld
  std::filesystem::path folder = {};  ///< where to save; empty: next to the opened file
  /// Called with each file that was saved (study or animation), by another thread than that of
  /// run().
  std::function<void(const std::filesystem::path& file)> saved = {};
};

/// A page for browsers, and the server that provides it.
///
///     Viewer viewer;
///     viewer.open({"engine.glb"});
///     viewer.run([&] { std::puts(viewer.url().c_str()); });
class Viewer {
 public:
  /// Opens the port, but does not answer requests until run(). Throws InvalidInput for options out
  /// of range, and Error for an address or port that is not available.
  explicit Viewer(const ViewerOptions& options = {});
  ~Viewer();
  Viewer(const Viewer&) = delete;
  Viewer& operator=(const Viewer&) = delete;

  /// The page's URL. Everyone with this URL can view, move parts and save.
  [[nodiscard]] std::string url() const;
  [[nodiscard]] bool is_loopback() const;

  /// Opens a study, a simulation, the result folder of a study, a simulation or a clash check, or
  /// mesh files, assemblies and folders of these. Must be called once, before run(). Throws
  /// LoadError.
  void open(const std::vector<std::filesystem::path>& inputs);

  /// Answers requests until stop(), then saves unsaved recordings. `ready` is called first, when
  /// signals are handled already; it can show the URL to the user. Throws Error when a recording
  /// could not be saved.
  void run(const std::function<void()>& ready = {});
  /// Ends run(). May be called by any thread.
  void stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// An embedded viewer for PageNotes::viewer of a report, as HTML. Readers of the page can rotate
/// the parts, play their motion and step through contacts, without this program or a network. The
/// text has at most 12 MB: it keeps 500,000 triangles of all meshes together, simplifying the
/// largest meshes first, and 100,000 poses, and it states what was kept. Without WebGL it shows
/// nothing. The same result gives the same text.
[[nodiscard]] std::string report_viewer(const StudyResult& result);
[[nodiscard]] std::string report_viewer(const ClashResult& result);
[[nodiscard]] std::string report_viewer(const SimulationResult& result);
[[nodiscard]] std::string report_viewer(const HandleResult& result);

/// The licences of third-party software in the page.
[[nodiscard]] std::string page_licences();

}  // namespace touche
