// All or nothing: what is written between construction and commit() is stored together; without commit() it is undone.
#pragma once

#include "store/statement.hpp"

namespace wattune::store {

/// The prepared statements that transactions share.
class TransactionControl {
 public:
  explicit TransactionControl(Database& database);

 private:
  friend class Transaction;
  Database& database_;
  Statement begin_write_;
  Statement begin_read_;
  Statement commit_;
  Statement rollback_;
};

class Transaction {
 public:
  enum class Kind {
    write,  ///< takes the write lock at once (BEGIN IMMEDIATE), so that it cannot fail half-way against another writer
    read,   ///< sees one state of the store throughout
  };
  Transaction(TransactionControl& control, Kind kind);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();
  void commit();

 private:
  TransactionControl& control_;
};

}  // namespace wattune::store
