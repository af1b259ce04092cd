// SPDX-License-Identifier: Apache-2.0
// Parts in a browser: looked at, grabbed, and moved as far as contacts allow, by one or several
// people. Link target touche::viewer, which is there only where Node built its page.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "touche/clash.h"
#include "touche/handle.h"
#include "touche/simulation.h"
#include "touche/study.h"

namespace touche {

struct ViewerOptions {
  /// Must be an address of this machine, in numbers. Anything but loopback lets others in who know
  /// the page's address; nothing is encrypted.
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  ///< 0: any that is free
  /// The part of the page's address that others cannot guess: at least 32 letters, digits, '-' and
  /// '_'. Empty: a random one.
  std::string token = {};
  bool stop_on_signals = false;  ///< SIGINT, SIGTERM and SIGHUP end run(); a second one kills
  double rate = 60;              ///< steps of the world per second, from 1 to 1000
  int threads = 0;               ///< of a step; 0: all
  std::string unit = {};  ///< of the vertices of mesh files that do not say; see load_clash_parts
  std::filesystem::path folder = {};  ///< where to save; empty: beside what was opened
  /// Called with each file that was saved, study or animation, by another thread than run()'s.
  std::function<void(const std::filesystem::path& file)> saved = {};
};

/// A page for browsers, and the server that brings it.
class Viewer {
 public:
  /// Listens, but answers nobody yet. Throws InvalidInput for options that are out of range, Error
  /// for an address or port that it cannot have.
  explicit Viewer(const ViewerOptions& options = {});
  ~Viewer();
  Viewer(const Viewer&) = delete;
  Viewer& operator=(const Viewer&) = delete;

  /// Returns the page's address. Anyone who knows it may look, grab and save.
  [[nodiscard]] std::string url() const;
  [[nodiscard]] bool is_loopback() const;

  /// A study, a simulation, the folder of a result of either or of a clash check, or mesh files,
  /// assemblies and folders of these. Throws LoadError. Before run(), once.
  void open(const std::vector<std::filesystem::path>& inputs);

  /// Answers until stop(). Then it saves what was recorded and not saved yet. `ready` is called
  /// first, once signals are waited for: tell users there where the page is. Throws Error when the
  /// recording could not be saved.
  void run(const std::function<void()>& ready = {});
  /// By any thread.
  void stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The viewer for PageNotes::viewer of a report, as HTML: whoever opens the page can turn the
/// parts, play their motion and jump from contact to contact, without a program or a network. It is
/// all in the text, of 12 MB at most: of all meshes together 500,000 triangles are kept, the
/// largest meshes being simplified first, and 100,000 poses of what moves; the text says what it
/// has. Where the browser has no WebGL it shows nothing. The same view gives the same text.
[[nodiscard]] std::string report_viewer(const StudyView& view);
[[nodiscard]] std::string report_viewer(const ClashView& view);
[[nodiscard]] std::string report_viewer(const SimulationView& view);
[[nodiscard]] std::string report_viewer(const HandleView& view);

/// The licences of what the page contains besides Touché.
[[nodiscard]] std::string page_licences();

}  // namespace touche
