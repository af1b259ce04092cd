// SPDX-License-Identifier: Apache-2.0
// A world that several clients watch and one at a time moves: a room with a thread of its own.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "viewer/core.h"
#include "viewer/opened.h"
#include "viewer/room.h"

namespace touche::viewer {

/// Steps the world and answers clients in its own thread, so no request of a client keeps the
/// caller waiting. Messages that are malformed, or come faster than they can be answered, close the
/// client; requests that make no sense are answered by a notice.
class Session final : public Room {
 public:
  /// Throws InvalidInput for options without meaning.
  explicit Session(Opened opened, SessionOptions options = {});
  /// Does the same as stop().
  ~Session() override;

  /// Begins to answer. The outbox must live until stop() has returned. To be called once.
  void start(Outbox& outbox);
  /// Ends all work, saves what was recorded and not saved yet, and sends nothing any more. May be
  /// called again.
  void stop();
  /// Why a stopped session ended early, or why a recording could not be saved. Empty on success.
  [[nodiscard]] const std::string& failure() const;

  void enter(ClientId client) override;
  void leave(ClientId client) override;
  void receive(ClientId client, std::span<const std::byte> message) override;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace touche::viewer
