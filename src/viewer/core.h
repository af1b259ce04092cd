// SPDX-License-Identifier: Apache-2.0
// The state of a session and what messages do to it. One thread only; `Session` is that thread.
#pragma once

#include <chrono>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "viewer/clash_notes.h"
#include "viewer/hold.h"
#include "viewer/mesh_chunks.h"
#include "viewer/method_view.h"
#include "viewer/opened.h"
#include "viewer/recorder.h"
#include "viewer/room.h"
#include "viewer/timeline.h"
#include "viewer/worker.h"

namespace touche::viewer {

struct SessionOptions {
  double rate = 60;          ///< steps of the world per second, in (0, 1000]
  double milliseconds = 6;   ///< that a step may take
  int threads = 0;           ///< 0: all
  std::string program = {};  ///< name and version, for clients
  /// Called by the session's thread with each file that it saved.
  std::function<void(const std::filesystem::path&)> saved = {};
};

/// Throws InvalidInput for options without meaning.
void check(const SessionOptions& options);

class Core {
 public:
  using Clock = std::chrono::steady_clock;

  Core(Opened opened, SessionOptions options, Outbox& outbox);
  ~Core();
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  void enter(ClientId client);
  void leave(ClientId client);
  /// A notice informs the client of what cannot be done.
  void receive(ClientId client, const protocol::ClientMessage& message);

  /// Steps the world where there is something to step, and sends what there is to send. Returns
  /// when it is to be called again, at the latest.
  Clock::time_point tick(Clock::time_point now);

  /// Ends all work, and saves what was recorded and not saved yet.
  void shut_down();

  [[nodiscard]] const World& world() const { return world_; }
  [[nodiscard]] NodeId node(std::uint32_t id) const { return nodes_.at(id); }

 private:
  struct Client {
    bool entered = false;
    Vec3 viewpoint = Vec3::Zero();
    bool has_viewpoint = false;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pieces;  // meshes and pieces, last first
    bool sorted = false;
    bool wants_open_pairs = false;
  };
  struct Move {
    std::vector<std::pair<std::uint32_t, Pose>> before, after;  // local poses
  };

  // core.cpp defines these.
  template <class Message>
  void send(ClientId client, const Message& message, Delivery how = Delivery::reliable);
  template <class Message>
  void send_all(const Message& message, Delivery how = Delivery::reliable);
  void notice(ClientId client, protocol::Level level, const std::string& text);  // 0: to all
  [[nodiscard]] std::uint32_t checked(std::uint32_t node) const;
  [[nodiscard]] std::uint32_t checked_body(std::uint32_t node) const;
  [[nodiscard]] std::uint32_t id_of(NodeId node) const { return ids_.at(node); }
  void check_may_move(ClientId client) const;
  void send_scene(ClientId client);
  void send_pieces(ClientId client, Client& state);
  void sort_pieces(Client& state) const;
  void send_poses();
  void poll_workers();
  void send_progress(Clock::time_point now);
  void build_world();
  void warm_up();

  void on(ClientId client, const protocol::Enter& m);
  void on(ClientId client, const protocol::Viewpoint& m);
  void on(ClientId client, const protocol::Cancel& m);

  // core_hold.cpp defines these.
  void on(ClientId client, const protocol::Grab& m);
  void on(ClientId client, const protocol::Drag& m);
  void on(ClientId client, const protocol::Release& m);
  void on(ClientId client, const protocol::SetMode& m);
  void on(ClientId client, const protocol::Undo& m);
  void on(ClientId client, const protocol::Redo& m);
  void on(ClientId client, const protocol::SnapBack& m);
  void on(ClientId client, const protocol::SetBudget& m);
  void let_go();
  void step_held(Clock::time_point now);
  void send_roles();
  void send_history();
  void send_budget();
  void remember(Move move);
  void apply(const std::vector<std::pair<std::uint32_t, Pose>>& poses);
  void free_what_is_held(bool held);
  [[nodiscard]] HoldSettings hold_settings() const;
  [[nodiscard]] protocol::Held held_message(const HoldStep& step) const;
  [[nodiscard]] protocol::Clashes clashes_message(const TouchingPairs& touching) const;

  // core_time.cpp defines these.
  void on(ClientId client, const protocol::Scrub& m);
  void on(ClientId client, const protocol::Play& m);
  void on(ClientId client, const protocol::Advance& m);
  void set_timeline(Timeline timeline);
  void go_to(double value);
  void play_on(Clock::time_point now);
  void send_timeline(ClientId client);  // 0: to all
  void send_position(Delivery how);
  void start_simulation();

  // core_record.cpp defines these.
  void on(ClientId client, const protocol::Record& m);
  void on(ClientId client, const protocol::Prove& m);
  void on(ClientId client, const protocol::SaveStudy& m);
  void on(ClientId client, const protocol::SaveAnimation& m);
  void end_recording();
  void save_recorded(const std::string& name);
  void save_for_one_who_left();
  void keep_journal(Clock::time_point now);
  void send_recording(Delivery how = Delivery::reliable);
  void prove_recorded();
  void prove_opened();
  void start_proof(Study study, std::function<std::vector<Object>(const Study&)> load);
  [[nodiscard]] double record_seconds(Clock::time_point at) const;
  void tell_saved(protocol::Saving what, const std::filesystem::path& file);

  // core_clash.cpp defines these.
  void on(ClientId client, const protocol::FindClashes& m);
  void on(ClientId client, const protocol::CommentClash& m);
  void find(double clearance);
  void add_notes(protocol::ClashTable& table) const;

  // core_method.cpp defines these.
  void on(ClientId client, const protocol::MeasurePair& m);
  void on(ClientId client, const protocol::BuildTree& m);
  void on(ClientId client, const protocol::ShowVolumes& m);
  void on(ClientId client, const protocol::ShowOpenPairs& m);
  void on(ClientId client, const protocol::AskFace& m);
  void send_open_pairs();

  Opened opened_;
  SessionOptions options_;
  Outbox& outbox_;
  Clock::time_point begun_ = Clock::now();
  std::uint32_t steps_ = 0;

  World world_;
  std::vector<NodeId> nodes_;  // by the numbers that messages have
  std::map<NodeId, std::uint32_t> ids_;
  std::vector<Pose> start_poses_;  // local
  std::set<std::uint32_t> moved_;  // ever
  bool poses_changed_ = false;

  std::map<ClientId, Client> clients_;
  Worker piece_maker_, warmer_;
  std::vector<std::vector<MeshPiece>> pieces_;  // empty until they are made

  // The state of the held part.
  std::optional<Hold> hold_;
  ClientId holder_ = 0;
  protocol::Mode mode_ = protocol::Mode::contact;
  protocol::Drag drag_;
  bool wanted_ = false;  // a target that is new, or not reached and not given up
  bool drag_is_new_ = false;
  Clock::time_point next_step_;
  Move grabbed_;
  protocol::Budget budget_;
  std::deque<double> step_times_;
  std::vector<Move> undo_, redo_;

  Timeline timeline_;
  PlayState play_;
  Clock::time_point played_until_;
  std::optional<protocol::Proved> proved_;

  Recorder recorder_;
  Clock::time_point recording_since_;
  bool unsaved_ = false;
  std::string recording_file_;
  Clock::time_point next_recording_message_;

  // The disk holds what was recorded so far: a program may be killed.
  Worker journal_writer_;
  std::filesystem::path journal_;  // the folder; empty before there is one
  bool journal_closed_ = true;     // it is saved, or cannot be
  std::size_t journal_poses_ = 0;
  Clock::time_point next_journal_;

  Worker prover_, clash_finder_, tree_builder_, simulator_, film_writer_;
  Clock::time_point next_progress_;
  std::optional<protocol::ClashTable> clash_table_;
  std::optional<ClashNotes> notes_;
  std::map<std::uint32_t, BuiltTree> trees_;  // by body
  std::uint32_t open_pairs_step_ = 0;         // the ones sent last
};

}  // namespace touche::viewer
