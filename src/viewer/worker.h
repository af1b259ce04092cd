// SPDX-License-Identifier: Apache-2.0
// Work that takes longer than a step of the world, in a thread of its own.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <thread>

#include "touche/budget.h"

namespace touche::viewer {

/// One piece of work at a time. All functions are for one thread, that of the session.
class Worker {
 public:
  /// Does what is to be done with the outcome, on the session's thread.
  using Finish = std::function<void()>;
  /// Runs in the worker's thread; its budget cancels it and reports its progress.
  using Work = std::function<Finish(const Budget&)>;

  Worker() = default;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() { cancel(); }

  [[nodiscard]] bool running() const { return job_ != nullptr; }
  /// Parts of the work that are done, and all parts; null while nothing runs.
  struct Progress {
    std::atomic<std::size_t> done{0}, total{0};
  };
  [[nodiscard]] const Progress* progress() const { return job_ ? &job_->progress : nullptr; }

  /// Stops what runs, waits for it, and begins. Errors that the work throws become the text that
  /// `failed` gets on the session's thread.
  void start(Work work, std::function<void(const std::string&)> failed) {
    cancel();
    job_ = std::make_unique<Job>();
    Job* const job = job_.get();
    job->thread = std::thread([job, work = std::move(work), failed = std::move(failed)] {
      Budget budget;
      budget.cancel = job->cancel;
      budget.progress = [job](std::size_t done, std::size_t total) {
        job->progress.total = total;
        job->progress.done = done;
      };
      try {
        job->finish = work(budget);
      } catch (const std::exception& error) {
        job->finish = [failed, text = std::string(error.what())] { failed(text); };
      }
      job->done.store(true, std::memory_order_release);
    });
  }

  /// Requests it to end soon; its outcome still comes.
  void stop() {
    if (job_) job_->cancel.request();
  }

  /// Ends it; its outcome is lost.
  void cancel() {
    if (!job_) return;
    job_->cancel.request();
    job_->thread.join();
    job_.reset();
  }

  /// Waits for what runs, and calls what it leaves to be done.
  void finish() {
    if (!job_) return;
    job_->thread.join();
    const Finish finish = std::move(job_->finish);
    job_.reset();
    if (finish) finish();
  }

  /// Whether it has ended since the last call; then calls what it left to be done.
  bool poll() {
    if (!job_ || !job_->done.load(std::memory_order_acquire)) return false;
    finish();
    return true;
  }

 private:
  struct Job {
    Cancel cancel;
    std::atomic<bool> done{false};
    Progress progress;
    Finish finish;
    std::thread thread;
  };
  std::unique_ptr<Job> job_;
};

}  // namespace touche::viewer
