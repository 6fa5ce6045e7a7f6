#include "store/statement.hpp"

#include <sqlite3.h>

#include "store/fault.hpp"

namespace wattune::store {

Statement::Statement(Database& database, std::string_view sql, std::string action)
    : database_(database), action_(std::move(action)) {
  check(sqlite3_prepare_v3(database_.handle(), sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT,
                           &handle_, nullptr));
}

Statement::~Statement() {
  sqlite3_finalize(handle_);
}

void Statement::check(int code) const {
  if (code != SQLITE_OK) throw storage_error(database_.handle(), code, database_.path(), action_);
}

void Statement::finish() {
  const int code = sqlite3_step(handle_);
  if (code != SQLITE_DONE) check(code);
}

void Statement::bind(int index, std::int64_t value, bool) {
  check(sqlite3_bind_int64(handle_, index, value));
}
void Statement::bind(int index, double value, bool) {
  check(sqlite3_bind_double(handle_, index, value));
}
void Statement::bind(int index, std::nullptr_t, bool) {
  check(sqlite3_bind_null(handle_, index));
}

void Statement::bind(int index, std::string_view value, bool copy) {
  const char* data = value.data() != nullptr ? value.data() : "";  // a null pointer would bind NULL
  check(sqlite3_bind_text64(handle_, index, data, value.size(), copy ? SQLITE_TRANSIENT : SQLITE_STATIC, SQLITE_UTF8));
}

void Statement::bind(int index, Blob value, bool copy) {
  const char* data = value.bytes.data() != nullptr ? value.bytes.data() : "";
  check(sqlite3_bind_blob64(handle_, index, data, value.bytes.size(), copy ? SQLITE_TRANSIENT : SQLITE_STATIC));
}

Statement::Rows::~Rows() {
  sqlite3_reset(statement_.handle_);
}

bool Statement::Rows::next() {
  const int code = sqlite3_step(statement_.handle_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) statement_.check(code);
  return false;
}

bool Statement::Rows::null(int column) const {
  return sqlite3_column_type(statement_.handle_, column) == SQLITE_NULL;
}
std::int64_t Statement::Rows::integer(int column) const {
  return sqlite3_column_int64(statement_.handle_, column);
}
double Statement::Rows::real(int column) const {
  return sqlite3_column_double(statement_.handle_, column);
}

std::string_view Statement::Rows::text(int column) const {
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(statement_.handle_, column));
  return {data != nullptr ? data : "", static_cast<std::size_t>(sqlite3_column_bytes(statement_.handle_, column))};
}

std::string_view Statement::Rows::blob(int column) const {
  const auto* data = static_cast<const char*>(sqlite3_column_blob(statement_.handle_, column));
  return {data != nullptr ? data : "", static_cast<std::size_t>(sqlite3_column_bytes(statement_.handle_, column))};
}

}  // namespace wattune::store
