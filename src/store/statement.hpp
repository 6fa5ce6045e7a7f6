// A prepared statement, kept and reused. run(...) executes, query(...) gives the rows of a result; both bind their
// arguments in order. Every fault is an Error(storage) that says what was being done.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "store/database.hpp"

struct sqlite3_stmt;

namespace wattune::store {

/// Bytes to bind as a BLOB (a string_view alone is bound as text).
struct Blob {
  std::string_view bytes;
};

class Statement {
 public:
  /// The rows of one execution; ends it when it goes out of scope. Views are valid until the next row.
  class Rows {
   public:
    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;
    ~Rows();
    bool next();
    [[nodiscard]] bool null(int column) const;
    [[nodiscard]] std::int64_t integer(int column) const;
    [[nodiscard]] double real(int column) const;
    [[nodiscard]] std::string_view text(int column) const;
    [[nodiscard]] std::string_view blob(int column) const;
    [[nodiscard]] const std::string& path() const { return statement_.database_.path(); }

   private:
    friend class Statement;
    explicit Rows(Statement& statement) : statement_(statement) {}
    Statement& statement_;
  };

  /// `action` completes "while …" in messages.
  Statement(Database& database, std::string_view sql, std::string action);
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement();

  /// Executes. Arguments need to live for the call only.
  template <class... Arguments>
  void run(const Arguments&... arguments) {
    const Rows end(*this);
    int index = 0;
    (bind(++index, arguments, false), ...);
    finish();
  }
  /// Executes and gives the rows. Arguments are copied.
  template <class... Arguments>
  [[nodiscard]] Rows query(const Arguments&... arguments) {
    int index = 0;
    (bind(++index, arguments, true), ...);
    return Rows(*this);
  }

 private:
  void bind(int index, std::int64_t value, bool copy);
  void bind(int index, double value, bool copy);
  void bind(int index, std::string_view value, bool copy);
  void bind(int index, Blob value, bool copy);
  void bind(int index, std::nullptr_t, bool copy);
  template <class Value>
  void bind(int index, const std::optional<Value>& value, bool copy) {
    if (value) {
      bind(index, *value, copy);
    } else {
      bind(index, nullptr, copy);
    }
  }
  void check(int code) const;
  void finish();

  Database& database_;
  std::string action_;
  sqlite3_stmt* handle_ = nullptr;
};

}  // namespace wattune::store
