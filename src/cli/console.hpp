// Where output goes: results to stdout, progress and notices to stderr. Knows whether a person is watching.
#pragma once

#include <iosfwd>
#include <string>

#include "wattune/clock.hpp"

namespace wattune::cli {

/// One per process. A progress line is rewritten in place on a terminal; in a log it is a line now and then.
class Console {
 public:
  explicit Console(bool quiet);

  [[nodiscard]] std::ostream& out() const;
  /// A line on stderr that stays, e.g. "note: …". Printed also when quiet.
  void notice(const std::string& text);
  /// The current state of long work. `important`: print it even in a log (a new best).
  void progress(const std::string& text, bool important = false);
  /// Removes the progress line, if there is one.
  void clear();
  [[nodiscard]] bool terminal() const { return terminal_; }

 private:
  bool quiet_;
  bool terminal_;
  bool line_open_ = false;
  Seconds last_;
};

}  // namespace wattune::cli
