#include "wattune/store.hpp"

#include <cstdlib>
#include <unordered_map>

#include "store/context_table.hpp"
#include "store/database.hpp"
#include "store/location.hpp"
#include "store/outcome_table.hpp"
#include "store/run_table.hpp"
#include "store/schema.hpp"
#include "store/transaction.hpp"

namespace wattune {
namespace {

using store::Transaction;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::vector<std::size_t> order_of(const RunRecord& head) {
  return store::sorted_order(store::parameter_names(head));
}

}  // namespace

struct Store::Data {
  explicit Data(std::string path) : database(std::move(path)) { store::migrate(database, store::schema_steps()); }

  /// What append() needs of a run; it never changes, so it is looked up once (and the run claimed).
  struct OpenRun {
    std::int64_t context = 0;
    std::vector<std::size_t> order;
  };
  const OpenRun& open_run(std::int64_t run) {
    const auto known = open_runs.find(run);
    if (known != open_runs.end()) return known->second;
    const store::RunTable::Row row = tables().runs.get(run);
    tables().runs.claim(run);
    return open_runs.emplace(run, OpenRun{row.context, order_of(row.head)}).first->second;
  }

  void add(std::int64_t run, const OpenRun& open, std::uint64_t sequence, const Outcome& outcome, bool reused) {
    store::OutcomeTable& outcomes = tables().outcomes;
    const std::int64_t id = store::outcome_id(run, sequence);
    if (reused) {
      const store::OutcomeTable::Known& earlier = known_outcomes(open.context);
      const auto source = earlier.find(outcomes.identity(outcome, open.order));
      if (source != earlier.end()) return outcomes.add_reference(id, source->second, outcome);
    }
    outcomes.add(id, outcome, open.order);
  }

  /// What a reused outcome may refer to: all that outcomes_for() can have given.
  const store::OutcomeTable::Known& known_outcomes(std::int64_t context) {
    const auto found = known.find(context);
    if (found != known.end()) return found->second;
    return known.emplace(context, tables().outcomes.known(context)).first->second;
  }

  /// Prepared statements; made at first use, since they need the migrated schema.
  struct Tables {
    explicit Tables(store::Database& database)
        : transactions(database), contexts(database), runs(database), outcomes(database) {}
    store::TransactionControl transactions;
    store::ContextTable contexts;
    store::RunTable runs;
    store::OutcomeTable outcomes;
  };
  Tables& tables() {
    if (!prepared) prepared.emplace(database);
    return *prepared;
  }

  store::Database database;
  std::optional<Tables> prepared;
  std::unordered_map<std::int64_t, OpenRun> open_runs;
  std::unordered_map<std::int64_t, store::OutcomeTable::Known> known;  ///< by context; forgotten when there may be more
};

Store::Store(std::unique_ptr<Data> data) : data_(std::move(data)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Store Store::open(const std::string& path) {
  return Store(std::make_unique<Data>(path.empty() ? store::default_location(environment) : path));
}

const std::string& Store::path() const {
  return data_->database.path();
}

std::int64_t Store::begin_run(const RunRecord& head) {
  Data::Tables& t = data_->tables();
  Transaction transaction(t.transactions, Transaction::Kind::write);
  data_->known.clear();
  const std::int64_t id = t.runs.add(t.contexts.find_or_add(head.key, store::parameter_names(head)), head);
  transaction.commit();
  return id;
}

void Store::update_run(const RunRecord& head) {
  Data::Tables& t = data_->tables();
  Transaction transaction(t.transactions, Transaction::Kind::write);
  t.runs.update(head);
  if (head.state == RunState::running) t.runs.claim(head.id);
  transaction.commit();
}

std::uint64_t Store::append(std::int64_t run, const Outcome& outcome, bool reused) {
  Data::Tables& t = data_->tables();
  const Data::OpenRun& open = data_->open_run(run);
  Transaction transaction(t.transactions, Transaction::Kind::write);
  const std::uint64_t sequence = t.outcomes.next_sequence(run);
  data_->add(run, open, sequence, outcome, reused);
  transaction.commit();
  return sequence;
}

void Store::append_batch(std::int64_t run, std::span<const Outcome> outcomes) {
  Data::Tables& t = data_->tables();
  const Data::OpenRun& open = data_->open_run(run);
  Transaction transaction(t.transactions, Transaction::Kind::write);
  std::uint64_t sequence = t.outcomes.next_sequence(run);
  for (const Outcome& outcome : outcomes) data_->add(run, open, sequence++, outcome, false);
  transaction.commit();
}

void Store::set_result(std::int64_t run, std::optional<std::uint64_t> default_index,
                       std::optional<std::uint64_t> best_index, std::span<const Finalist> finalists) {
  Data::Tables& t = data_->tables();
  Transaction transaction(t.transactions, Transaction::Kind::write);
  t.runs.set_result(run, default_index, best_index, finalists);
  transaction.commit();
}

void Store::set_baseline(std::int64_t run, const Outcome& baseline) {
  Data::Tables& t = data_->tables();
  const Data::OpenRun& open = data_->open_run(run);
  Transaction transaction(t.transactions, Transaction::Kind::write);
  t.outcomes.add(store::outcome_id(run, store::baseline_sequence), baseline, open.order);
  transaction.commit();
}

std::vector<Outcome> Store::outcomes_for(const MeasurementKey& key, std::span<const std::string> parameters) {
  Data::Tables& t = data_->tables();
  const Transaction one_state(t.transactions, Transaction::Kind::read);
  const auto context = t.contexts.find(key, parameters);
  if (!context) return {};
  data_->known.erase(*context);
  return t.outcomes.newest(*context, store::sorted_order(parameters));
}

std::optional<RunRecord> Store::unfinished_run(const MeasurementKey& key, std::span<const std::string> parameters) {
  Data::Tables& t = data_->tables();
  const Transaction one_state(t.transactions, Transaction::Kind::read);
  const auto context = t.contexts.find(key, parameters);
  if (!context) return std::nullopt;
  auto row = t.runs.unfinished(*context);
  if (!row) return std::nullopt;
  return std::move(row->head);
}

std::vector<Store::Listed> Store::runs() {
  Data::Tables& t = data_->tables();
  const Transaction one_state(t.transactions, Transaction::Kind::read);
  std::vector<Listed> result;
  for (store::RunTable::Row& row : t.runs.all()) {
    Listed& listed = result.emplace_back();
    listed.outcomes = row.outcomes;
    if (row.best_index)
      listed.best = t.outcomes.get(store::outcome_id(row.head.id, *row.best_index), order_of(row.head));
    listed.head = std::move(row.head);
  }
  return result;
}

Run Store::load(std::int64_t run) {
  Data::Tables& t = data_->tables();
  const Transaction one_state(t.transactions, Transaction::Kind::read);
  store::RunTable::Row row = t.runs.get(run);
  Run result;
  const std::vector<std::size_t> order = order_of(row.head);
  result.outcomes = t.outcomes.of_run(run, order);
  result.baseline = t.outcomes.find(store::outcome_id(run, store::baseline_sequence), order);
  result.default_index = row.default_index;
  result.best_index = row.best_index;
  result.finalists = t.runs.finalists(run);
  result.head = std::move(row.head);
  return result;
}

}  // namespace wattune
