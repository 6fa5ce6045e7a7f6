// Progress of a search on stderr: a line that is rewritten, with the best so far; notices; with --verbose a line for
// every evaluation.
#pragma once

#include <atomic>
#include <string>

#include "cli/console.hpp"
#include "wattune/tune.hpp"

namespace wattune::cli {

class TuneProgress final : public TuneObserver {
 public:
  /// `stop`: set by Ctrl-C; the user is told once that it was heard.
  TuneProgress(Console& console, bool verbose, const std::atomic<bool>& stop)
      : console_(console), verbose_(verbose), stop_(stop) {}

  void started(const RunRecord& head, const Space& space, bool resumed) override;
  void evaluated(const Outcome& outcome, const Progress& progress) override;
  void finalists(std::size_t count) override;
  void notice(const std::string& text) override;

 private:
  [[nodiscard]] std::string evaluation_line(const Outcome& outcome, const Progress& progress) const;
  [[nodiscard]] std::string line(const Progress& progress) const;

  Console& console_;
  bool verbose_;
  const std::atomic<bool>& stop_;
  RunRecord head_;
  bool told_ = false;
};

}  // namespace wattune::cli
