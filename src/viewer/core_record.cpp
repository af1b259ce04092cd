// SPDX-License-Identifier: Apache-2.0
// Recording what hands do, and proving it.
#include <fmt/core.h>

#include <algorithm>
#include <thread>

#include "viewer/core.h"
#include "viewer/core_send.h"
#include "viewer/film.h"
#include "viewer/proved.h"

namespace touche::viewer {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostPoses = 1'000'000;  // of a study
constexpr std::chrono::seconds kJournalFrom{1}, kJournalEvery{2};
constexpr int kJournalShare = 20;  // of the time, one part is for writing it

void check_name(const std::string& name) {
  const bool good = !name.empty() && name.front() != ' ' && name.back() != ' ' &&
                    std::all_of(name.begin(), name.end(), [](char c) {
                      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                             (c >= '0' && c <= '9') || c == ' ' || c == '-' || c == '_';
                    });
  if (!good)
    throw InvalidInput("A name has letters, digits, spaces, '-' and '_', and spaces only inside.");
}

// Nothing that exists already: "name", "name-2", ...
fs::path fresh(const fs::path& folder, const std::string& name, const char* extension = "") {
  for (int number = 1;; ++number) {
    fs::path path =
        folder / ((number == 1 ? name : fmt::format("{}-{}", name, number)) + extension);
    std::error_code error;
    if (!fs::exists(path, error)) return path;
  }
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw LoadError(folder.string(), "", "the folder cannot be made: " + error.message());
}

// Where the session's folder cannot be written, it goes among temporary files: nobody's work is
// to be lost. `save` is called with a folder, and throws Error where it cannot write.
template <class Save, class Warn>
fs::path save_anyhow(const fs::path& folder, const Save& save, const Warn& warn) {
  try {
    return save(folder);
  } catch (const LoadError& error) {
    fs::path file = save(fs::temp_directory_path());
    warn(error.what());
    return file;
  }
}

}  // namespace

double Core::record_seconds(Clock::time_point at) const {
  return std::max(0.0, std::chrono::duration<double>(at - recording_since_).count());
}

void Core::on(ClientId client, const protocol::Record& m) {
  check_may_move(client);
  if (m.on == recorder_.active()) return;
  if (!m.on) {
    end_recording();
    return;
  }
  if (unsaved_) save_recorded("");  // the one before
  play_.speed = 0;
  recorder_.start(world_, nodes_, opened_);
  recording_since_ = Clock::now();
  recording_file_.clear();
  journal_writer_.finish();
  journal_.clear();
  journal_closed_ = false;
  journal_poses_ = 0;
  next_journal_ = recording_since_ + kJournalFrom;
  send_recording();
}

// The folder is the one where the recording is saved in the end, if nobody wants another.
void Core::keep_journal(Clock::time_point now) {
  const bool has_more = recorder_.poses() != journal_poses_ && recorder_.poses() <= kMostPoses;
  if (!(recorder_.active() || unsaved_) || !has_more || now < next_journal_ || journal_closed_ ||
      journal_writer_.running())
    return;
  if (journal_.empty()) journal_ = fresh(opened_.folder, opened_.stem + "-recording");
  journal_poses_ = recorder_.poses();
  Recorder so_far = recorder_;
  if (so_far.active()) so_far.finish(record_seconds(now));
  journal_writer_.start(
      [this, so_far = std::move(so_far), folder = journal_,
       tolerance = budget_.tolerance](const Budget&) -> Worker::Finish {
        const Clock::time_point begin = Clock::now();
        (void)save_recording(opened_, so_far.recorded(), tolerance, folder);
        const Clock::duration pause =
            std::max<Clock::duration>(kJournalEvery, kJournalShare * (Clock::now() - begin));
        return [this, pause] { next_journal_ = Clock::now() + pause; };
      },
      [this](const std::string& text) {
        journal_closed_ = true;
        journal_.clear();
        notice(0, protocol::Level::warning,
               "What is recorded is kept in memory until it ends: " + text);
      });
}

void Core::end_recording() {
  recorder_.finish(record_seconds(Clock::now()));
  unsaved_ = !recorder_.recorded().empty();
  send_recording();
  if (unsaved_ && recorder_.poses() <= kMostPoses) {
    const Study study =
        recorded_study(opened_, recorder_.recorded(), budget_.tolerance, opened_.folder);
    std::vector<std::uint32_t> group_nodes;
    for (const Track& track : recorder_.recorded().tracks) group_nodes.push_back(track.node);
    let_go();
    proved_.reset();
    set_timeline(timeline_of(study, group_nodes, recorder_.recorded().seconds()));
    play_.value = timeline_.end;
    send_position(Delivery::reliable);
  }
}

void Core::send_recording(Delivery how) {
  protocol::Recording told;
  const Recorded& recorded = recorder_.recorded();
  told.active = recorder_.active();
  told.node = recorded.empty() ? protocol::kNoNode : recorded.tracks.front().node;
  told.poses = static_cast<std::uint32_t>(recorder_.poses());
  told.seconds = recorder_.active() ? record_seconds(Clock::now()) : recorded.seconds();
  told.file = recording_file_;
  send_all(told, how);
}

void Core::tell_saved(protocol::Saving what, const fs::path& file) {
  send_all(protocol::Saved{.what = what, .file = file.generic_string()});
  if (options_.saved) options_.saved(file);
}

void Core::save_recorded(const std::string& name) {
  journal_writer_.finish();
  const std::string folder_name = name.empty() ? opened_.stem + "-recording" : name;
  const fs::path file = save_anyhow(
      opened_.folder,
      [&](const fs::path& folder) {
        const bool goes_on = name.empty() && !journal_.empty() && folder == opened_.folder;
        return save_recording(opened_, recorder_.recorded(), budget_.tolerance,
                              goes_on ? journal_ : fresh(folder, folder_name));
      },
      [this](const std::string& text) { notice(0, protocol::Level::warning, text); });
  std::error_code ignored;
  if (!journal_.empty() && file.parent_path() != journal_) fs::remove_all(journal_, ignored);
  journal_.clear();
  journal_closed_ = true;
  recording_file_ = file.generic_string();
  unsaved_ = false;
  send_recording();
  tell_saved(protocol::Saving::study, file);
}

void Core::on(ClientId client, const protocol::SaveStudy& m) {
  check_name(m.name);
  check_may_move(client);
  if (recorder_.active()) end_recording();
  if (recorder_.recorded().empty()) throw InvalidInput("There is no recording to save.");
  save_recorded(m.name);
}

// Meshes of millions of triangles take longer than a step of the world may.
void Core::on(ClientId client, const protocol::SaveAnimation& m) {
  if (!m.name.empty()) check_name(m.name);
  if (timeline_.empty()) throw InvalidInput("There is no motion that could be saved.");
  if (film_writer_.running()) throw InvalidInput("Another animation is being saved.");
  std::vector<Pose> local_poses;
  for (const NodeId node : nodes_) local_poses.push_back(world_.local_pose(node));
  const std::string name = m.name.empty() ? opened_.stem + "-animation" : m.name;
  film_writer_.start(
      [this, name, timeline = timeline_,
       local_poses = std::move(local_poses)](const Budget&) -> Worker::Finish {
        const Animation animation = film(opened_, timeline, local_poses);
        std::string warning;
        const fs::path file = save_anyhow(
            opened_.folder,
            [&](const fs::path& folder) {
              make_folder(folder);
              fs::path place = fresh(folder, name, ".glb");
              save_animation(animation, place);
              return place;
            },
            [&](const std::string& text) { warning = text; });
        return [this, file, warning] {
          if (!warning.empty()) notice(0, protocol::Level::warning, warning);
          tell_saved(protocol::Saving::animation, file);
        };
      },
      [this, client](const std::string& text) { notice(client, protocol::Level::error, text); });
}

void Core::on(ClientId client, const protocol::Prove& /*m*/) {
  check_may_move(client);
  if (recorder_.active()) end_recording();
  if (!recorder_.recorded().empty())
    prove_recorded();
  else if (opened_.study)
    prove_opened();
  else
    throw InvalidInput("There is no recording to prove.");
}

void Core::prove_recorded() {
  if (unsaved_) save_recorded("");
  // Proves what was written, read again: the same as `touche study` sees.
  const std::filesystem::path file = recording_file_;
  start_proof(load_study(file),
              [this](const Study& study) { return recorded_parts(opened_, study); });
}

void Core::prove_opened() {
  start_proof(*opened_.study, [this](const Study&) { return opened_.objects; });
}

void Core::start_proof(Study study, std::function<std::vector<Object>(const Study&)> load) {
  // A thread is left for the world.
  const auto all = static_cast<int>(std::max(2U, std::thread::hardware_concurrency()));
  const int threads = std::max(1, (options_.threads > 0 ? options_.threads : all) - 1);
  prover_.start(
      [this, threads, study = std::move(study),
       load = std::move(load)](const Budget& budget) mutable -> Worker::Finish {
        StudyOptions how;
        how.paths = true;
        how.threads = threads;
        how.budget = budget;
        std::vector<Object> parts = load(study);
        const StudyResult result = run_study(std::move(study), std::move(parts), how);
        return [this, proved = proved_message(result, opened_)] {
          proved_ = proved;
          send_all(*proved_);
        };
      },
      [this](const std::string& text) { notice(0, protocol::Level::error, text); });
}

}  // namespace touche::viewer
