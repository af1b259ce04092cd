// SPDX-License-Identifier: Apache-2.0
#include "viewer/session.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <thread>

namespace touche::viewer {
namespace {

// This counts all clients together; what comes faster than that is no person.
constexpr std::size_t kMostMessages = 10'000;

struct Arrived {
  enum class What : std::uint8_t { entered, left, message } what;
  ClientId client;
  protocol::ClientMessage message = {};
};

// Only the newest of these messages counts, so it replaces one that still waits.
bool replaces(const Arrived& fresh, const Arrived& waiting) {
  return fresh.what == Arrived::What::message && waiting.what == Arrived::What::message &&
         fresh.client == waiting.client && fresh.message.index() == waiting.message.index() &&
         (std::holds_alternative<protocol::Drag>(fresh.message) ||
          std::holds_alternative<protocol::Scrub>(fresh.message) ||
          std::holds_alternative<protocol::Viewpoint>(fresh.message));
}

}  // namespace

struct Session::Data {
  Opened opened;
  SessionOptions options;
  Outbox* outbox = nullptr;
  std::mutex mutex;
  std::condition_variable arrived;
  std::deque<Arrived> inbox;
  bool stopping = false;
  std::string failure;
  std::thread thread;

  void put(Arrived item) {
    {
      const std::lock_guard lock(mutex);
      if (!inbox.empty() && replaces(item, inbox.back()))
        inbox.back() = std::move(item);
      else
        inbox.push_back(std::move(item));
    }
    arrived.notify_one();
  }

  void run() {
    try {
      answer();
    } catch (const std::exception& error) {
      failure = error.what();
    }
  }

  void answer() {
    Core core(std::move(opened), options, *outbox);
    Core::Clock::time_point next = Core::Clock::now();
    std::deque<Arrived> items;
    for (;;) {
      {
        std::unique_lock lock(mutex);
        arrived.wait_until(lock, next, [this] { return stopping || !inbox.empty(); });
        if (stopping) break;
        items.swap(inbox);
      }
      for (const Arrived& item : items) {
        switch (item.what) {
          case Arrived::What::entered:
            core.enter(item.client);
            break;
          case Arrived::What::left:
            core.leave(item.client);
            break;
          case Arrived::What::message:
            core.receive(item.client, item.message);
            break;
        }
      }
      items.clear();
      next = core.tick(Core::Clock::now());
    }
    core.shut_down();
  }
};

Session::Session(Opened opened, SessionOptions options) : data_(std::make_unique<Data>()) {
  check(options);
  data_->opened = std::move(opened);
  data_->options = std::move(options);
}

Session::~Session() { stop(); }

void Session::start(Outbox& outbox) {
  data_->outbox = &outbox;
  data_->thread = std::thread([data = data_.get()] { data->run(); });
}

void Session::stop() {
  {
    const std::lock_guard lock(data_->mutex);
    data_->stopping = true;
  }
  data_->arrived.notify_one();
  if (data_->thread.joinable()) data_->thread.join();
}

const std::string& Session::failure() const { return data_->failure; }

void Session::enter(ClientId client) { data_->put({Arrived::What::entered, client}); }

void Session::leave(ClientId client) { data_->put({Arrived::What::left, client}); }

void Session::receive(ClientId client, std::span<const std::byte> message) {
  try {
    data_->put({Arrived::What::message, client, protocol::parse_client(message)});
  } catch (const ProtocolError& error) {
    data_->outbox->close(client, std::string("an invalid message: ") + error.what());
    return;
  }
  bool too_many;
  {
    const std::lock_guard lock(data_->mutex);
    too_many = data_->inbox.size() > kMostMessages;
  }
  if (too_many) data_->outbox->close(client, "messages come faster than they can be answered");
}

}  // namespace touche::viewer
