#include "store/transaction.hpp"

#include <sqlite3.h>

#include "wattune/error.hpp"

namespace wattune::store {

TransactionControl::TransactionControl(Database& database)
    : database_(database),
      begin_write_(database, "BEGIN IMMEDIATE", "waiting to write"),
      begin_read_(database, "BEGIN", "beginning to read"),
      commit_(database, "COMMIT", "storing results"),
      rollback_(database, "ROLLBACK", "undoing an unfinished change") {}

Transaction::Transaction(TransactionControl& control, Kind kind) : control_(control) {
  (kind == Kind::write ? control_.begin_write_ : control_.begin_read_).run();
}

Transaction::~Transaction() {
  // SQLite may have rolled back by itself after a full disk. A rollback that fails needs no report: the fault that led
  // here is on its way, and the file is rolled back by whoever opens it next.
  if (sqlite3_get_autocommit(control_.database_.handle()) != 0) return;
  try {
    control_.rollback_.run();
  } catch (const Error&) {
  }
}

void Transaction::commit() {
  control_.commit_.run();
}

}  // namespace wattune::store
