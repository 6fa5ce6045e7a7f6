#include "store/outcome_table.hpp"

#include "store/codec.hpp"
#include "store/fault.hpp"

namespace wattune::store {
namespace {

constexpr const char* add_sql =
    "INSERT INTO outcome (context, configuration, status, message, provenance, verification, times, time_value, "
    "time_low, "
    "time_high, converged, power, energy, observed, metrics, compile_time, verify_time, benchmark_time, overhead, "
    "finished_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

constexpr const char* find_sql =
    "SELECT id, metrics FROM outcome WHERE context = ? AND configuration = ? "
    "ORDER BY finished_at = ? DESC, id DESC LIMIT 1";

std::string newest_sql() {
  return std::string("SELECT ") + outcome_columns +
         " FROM outcome o WHERE o.id IN (SELECT max(id) FROM outcome WHERE context = ? AND provenance = 'measured' "
         "GROUP BY "
         "configuration) ORDER BY o.id DESC";
}

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

}  // namespace

OutcomeTable::OutcomeTable(Database& database)
    : database_(database),
      add_(database, add_sql, "storing an outcome"),
      find_(database, find_sql, "looking for an outcome"),
      newest_(database, newest_sql(), "reading earlier outcomes") {}

std::int64_t OutcomeTable::add(std::int64_t context, const Outcome& outcome, Order order) {
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
  add_.run(context, Blob{key}, to_string(outcome.status), outcome.message, to_string(outcome.provenance),
           to_string(outcome.verification), times, value, low, high, converged, number(outcome.power),
           number(outcome.energy), Blob{observed}, Blob{metrics}, outcome.compile_time.value(),
           outcome.verify_time.value(), outcome.benchmark_time.value(), outcome.overhead.value(),
           outcome.finished_at.value());
  return database_.last_id();
}

std::optional<OutcomeTable::Known> OutcomeTable::find(std::int64_t context, const Outcome& outcome, Order order) {
  const std::string key = configuration_key(outcome, order, database_.path());
  auto rows = find_.query(context, Blob{key}, outcome.finished_at.value());
  if (!rows.next()) return std::nullopt;
  return Known{rows.integer(0), rows.blob(1) == encode_map(outcome.metrics)};
}

std::vector<Outcome> OutcomeTable::newest(std::int64_t context, Order order) {
  std::vector<Outcome> outcomes;
  auto rows = newest_.query(context);
  while (rows.next()) outcomes.push_back(read_outcome(rows, 0, order));
  return outcomes;
}

Outcome read_outcome(const Statement::Rows& rows, int first, OutcomeTable::Order order) {
  Outcome outcome;
  outcome.configuration = read_configuration(rows.blob(first), order, rows.path());
  outcome.status = read_name(rows, first + 1, status_from);
  outcome.message = rows.text(first + 2);
  outcome.provenance = read_name(rows, first + 3, provenance_from);
  outcome.verification = read_name(rows, first + 4, verification_from);
  outcome.time = read_time(rows, first + 5);
  outcome.power = optional_quantity<Watts>(rows, first + 10);
  outcome.energy = optional_quantity<Joules>(rows, first + 11);
  outcome.observed = decode_map(rows.blob(first + 12), rows.path());
  outcome.metrics = decode_map(rows.blob(first + 13), rows.path());
  outcome.compile_time = Seconds(rows.real(first + 14));
  outcome.verify_time = Seconds(rows.real(first + 15));
  outcome.benchmark_time = Seconds(rows.real(first + 16));
  outcome.overhead = Seconds(rows.real(first + 17));
  outcome.finished_at = Seconds(rows.real(first + 18));
  return outcome;
}

}  // namespace wattune::store
