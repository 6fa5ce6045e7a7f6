#include "store/outcome_table.hpp"

#include <optional>
#include <unordered_set>

#include "store/codec.hpp"
#include "store/fault.hpp"

namespace wattune::store {
namespace {

constexpr const char* add_sql =
    "INSERT INTO outcome (id, configuration, status, message, provenance, verification, times, time_value, time_low, "
    "time_high, converged, power, energy, observed, metrics, compile_time, verify_time, benchmark_time, overhead, "
    "finished_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

/// Columns in the order of read_outcome(): content of `o`, and the metrics of the referring row `x`.
std::string select_sql(const std::string& rest) {
  return "SELECT o.configuration, o.status, o.message, o.provenance, o.verification, o.times, o.time_value, "
         "o.time_low, "
         "o.time_high, o.converged, o.power, o.energy, o.observed, coalesce(x.metrics, o.metrics), o.compile_time, "
         "o.verify_time, o.benchmark_time, o.overhead, o.finished_at "
         "FROM outcome x JOIN outcome o ON o.id = coalesce(x.source, x.id) " +
         rest;
}

/// The measurements of all runs of a context, without references to them.
constexpr const char* of_context_sql =
    "FROM run r JOIN outcome o ON o.id BETWEEN r.id << 32 AND (r.id << 32) + 0xffffffff "
    "WHERE r.context = ? AND o.source IS NULL AND o.provenance = 'measured' ";

std::string configuration_key(const Outcome& outcome, OutcomeTable::Order order, const std::string& path) {
  if (outcome.configuration.size() != order.size()) {
    throw Error(ExitCode::internal,
                "a configuration of " + std::to_string(outcome.configuration.size()) + " values in a run of " +
                    std::to_string(order.size()) + " parameters",
                path);
  }
  std::string key;
  for (const std::size_t position : order) encode_value(key, outcome.configuration[position]);
  return key;
}

std::vector<Value> read_configuration(std::string_view key, OutcomeTable::Order order, const std::string& path) {
  std::vector<Value> sorted = decode_values(key, path);
  if (sorted.size() != order.size())
    throw damaged(path, "a configuration has another number of values than its run has parameters");
  std::vector<Value> values(sorted.size());
  for (std::size_t i = 0; i < order.size(); ++i) values[order[i]] = std::move(sorted[i]);
  return values;
}

/// The enumerator that the text in `column` names.
template <class Parser>
auto read_name(const Statement::Rows& rows, int column, Parser parse) {
  const auto parsed = parse(rows.text(column));
  if (!parsed) throw damaged(rows.path(), "unknown word '" + std::string(rows.text(column)) + "' in an outcome");
  return *parsed;
}

template <class Unit>
std::optional<double> number(const std::optional<Unit>& quantity) {
  return quantity ? std::optional<double>(quantity->value()) : std::nullopt;
}

template <class Unit>
std::optional<Unit> optional_quantity(const Statement::Rows& rows, int column) {
  return rows.null(column) ? std::nullopt : std::optional<Unit>(rows.real(column));
}

std::optional<TimeMeasurement> read_time(const Statement::Rows& rows, int column) {
  if (rows.null(column)) return std::nullopt;
  TimeMeasurement time;
  time.samples = decode_seconds(rows.blob(column), rows.path());
  time.time = {rows.real(column + 1), rows.real(column + 2), rows.real(column + 3)};
  time.converged = rows.integer(column + 4) != 0;
  return time;
}

std::string identity_bytes(std::string configuration, double finished_at) {
  encode_value(configuration, finished_at);
  return configuration;
}

Outcome read_outcome(const Statement::Rows& rows, OutcomeTable::Order order) {
  Outcome outcome;
  outcome.configuration = read_configuration(rows.blob(0), order, rows.path());
  outcome.status = read_name(rows, 1, status_from);
  outcome.message = rows.text(2);
  outcome.provenance = read_name(rows, 3, provenance_from);
  outcome.verification = read_name(rows, 4, verification_from);
  outcome.time = read_time(rows, 5);
  outcome.power = optional_quantity<Watts>(rows, 10);
  outcome.energy = optional_quantity<Joules>(rows, 11);
  outcome.observed = decode_map(rows.blob(12), rows.path());
  outcome.metrics = decode_map(rows.blob(13), rows.path());
  outcome.compile_time = Seconds(rows.real(14));
  outcome.verify_time = Seconds(rows.real(15));
  outcome.benchmark_time = Seconds(rows.real(16));
  outcome.overhead = Seconds(rows.real(17));
  outcome.finished_at = Seconds(rows.real(18));
  return outcome;
}

}  // namespace

OutcomeTable::OutcomeTable(Database& database)
    : database_(database),
      next_sequence_(database, "SELECT max(id) FROM outcome WHERE id BETWEEN ? AND ?", "storing an outcome"),
      add_(database, add_sql, "storing an outcome"),
      metrics_(database, "SELECT metrics FROM outcome WHERE id = ?", "storing an outcome"),
      add_reference_(database, "INSERT INTO outcome (id, source, metrics) VALUES (?, ?, ?)", "storing an outcome"),
      get_(database, select_sql("WHERE x.id = ?"), "reading an outcome"),
      of_run_(database, select_sql("WHERE x.id BETWEEN ? AND ? ORDER BY x.id"), "reading the outcomes of a run"),
      newest_(database,
              select_sql(std::string("WHERE x.id IN (SELECT o.id ") + of_context_sql +
                         ") ORDER BY o.finished_at DESC, o.id DESC"),
              "reading earlier outcomes"),
      known_(database, std::string("SELECT o.id, o.configuration, o.finished_at ") + of_context_sql,
             "looking for earlier outcomes") {}

std::uint64_t OutcomeTable::next_sequence(std::int64_t run) {
  auto rows = next_sequence_.query(outcome_id(run, 0), outcome_id(run, baseline_sequence) - 1);
  return rows.next() && !rows.null(0) ? sequence_of(rows.integer(0)) + 1 : 0;
}

void OutcomeTable::add(std::int64_t id, const Outcome& outcome, Order order) {
  std::optional<Blob> times;
  std::optional<double> value;
  std::optional<double> low;
  std::optional<double> high;
  std::optional<std::int64_t> converged;
  std::string samples;
  if (outcome.time) {
    samples = encode_seconds(outcome.time->samples);
    times = Blob{samples};
    value = outcome.time->time.value;
    low = outcome.time->time.low;
    high = outcome.time->time.high;
    converged = outcome.time->converged ? 1 : 0;
  }
  const std::string key = configuration_key(outcome, order, database_.path());
  const std::string observed = encode_map(outcome.observed);
  const std::string metrics = encode_map(outcome.metrics);
  add_.run(id, Blob{key}, to_string(outcome.status), outcome.message, to_string(outcome.provenance),
           to_string(outcome.verification), times, value, low, high, converged, number(outcome.power),
           number(outcome.energy), Blob{observed}, Blob{metrics}, outcome.compile_time.value(),
           outcome.verify_time.value(), outcome.benchmark_time.value(), outcome.overhead.value(),
           outcome.finished_at.value());
}

void OutcomeTable::add_reference(std::int64_t id, std::int64_t source, const Outcome& outcome) {
  const std::string metrics = encode_map(outcome.metrics);
  std::optional<Blob> own = Blob{metrics};
  {
    auto rows = metrics_.query(source);
    if (rows.next() && rows.blob(0) == metrics) own.reset();
  }
  add_reference_.run(id, source, own);
}

Outcome OutcomeTable::get(std::int64_t id, Order order) {
  std::optional<Outcome> found = find(id, order);
  if (!found) throw damaged(database_.path(), "an outcome is missing");
  return std::move(*found);
}

std::optional<Outcome> OutcomeTable::find(std::int64_t id, Order order) {
  auto rows = get_.query(id);
  if (!rows.next()) return std::nullopt;
  return read_outcome(rows, order);
}

std::vector<Outcome> OutcomeTable::of_run(std::int64_t run, Order order) {
  std::vector<Outcome> outcomes;
  auto rows = of_run_.query(outcome_id(run, 0), outcome_id(run, baseline_sequence) - 1);
  while (rows.next()) outcomes.push_back(read_outcome(rows, order));
  return outcomes;
}

std::vector<Outcome> OutcomeTable::newest(std::int64_t context, Order order) {
  std::vector<Outcome> outcomes;
  std::unordered_set<std::string> seen;
  auto rows = newest_.query(context);
  while (rows.next()) {
    if (seen.emplace(rows.blob(0)).second) outcomes.push_back(read_outcome(rows, order));
  }
  return outcomes;
}

OutcomeTable::Known OutcomeTable::known(std::int64_t context) {
  Known result;
  auto rows = known_.query(context);
  while (rows.next()) result.emplace(identity_bytes(std::string(rows.blob(1)), rows.real(2)), rows.integer(0));
  return result;
}

std::string OutcomeTable::identity(const Outcome& outcome, Order order) const {
  return identity_bytes(configuration_key(outcome, order, database_.path()), outcome.finished_at.value());
}

}  // namespace wattune::store
