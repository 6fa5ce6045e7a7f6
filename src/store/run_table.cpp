#include "store/run_table.hpp"

#include <sqlite3.h>

#include "base/process_mark.hpp"
#include "store/codec.hpp"
#include "store/fault.hpp"
#include "store/outcome_table.hpp"
#include "store/run_json.hpp"

namespace wattune::store {
namespace {

constexpr const char* add_sql =
    "INSERT INTO run (context, name, spec_path, spec_text, language, device_id, device_name, device_details, "
    "parameters, constraints, problem, objectives, metric_units, strategy, strategy_options, seed, provenance, "
    "space_size, cartesian_size, started_at, seconds, state, note, version, process) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

constexpr int process_column = 34;

/// Columns in the order of read_row(); `condition` follows.
std::string select_sql(const std::string& condition) {
  return "SELECT r.id, r.name, r.spec_path, r.spec_text, r.language, r.device_id, r.device_name, r.device_details, "
         "r.parameters, r.constraints, r.problem, r.objectives, r.metric_units, r.strategy, "
         "r.strategy_options, r.seed, r.provenance, r.space_size, r.cartesian_size, r.started_at, r.seconds, r.state, "
         "r.note, r.version, r.default_outcome, r.best_outcome, r.context, c.kernel, c.source_hash, c.options, "
         "c.device_uuid, c.driver, c.problem, "
         "(SELECT count(*) FROM outcome o WHERE o.id BETWEEN r.id << 32 AND (r.id << 32) + 0xfffffffe), r.process "
         "FROM run r JOIN context c ON c.id = r.context " +
         condition;
}

std::optional<std::uint64_t> optional_index(const Statement::Rows& rows, int column) {
  if (rows.null(column)) return std::nullopt;
  return sequence_of(rows.integer(column));
}

std::optional<std::int64_t> optional_id(std::int64_t run, std::optional<std::uint64_t> index) {
  return index ? std::optional<std::int64_t>(outcome_id(run, *index)) : std::nullopt;
}

void read_lists(const Statement::Rows& rows, RunRecord& head) {
  from_json(rows.text(7), rows.path(), head.device_details);
  from_json(rows.text(8), rows.path(), head.parameters);
  from_json(rows.text(9), rows.path(), head.constraints);
  from_json(rows.text(10), rows.path(), head.problem);
  from_json(rows.text(11), rows.path(), head.objectives);
  from_json(rows.text(12), rows.path(), head.metric_units);
  from_json(rows.text(14), rows.path(), head.strategy_options);
}

RunTable::Row read_row(const Statement::Rows& rows) {
  RunTable::Row row;
  RunRecord& head = row.head;
  head.id = rows.integer(0);
  head.name = rows.text(1);
  head.spec_path = rows.text(2);
  head.spec_text = rows.text(3);
  head.language = rows.text(4);
  head.device_id = rows.text(5);
  head.device_name = rows.text(6);
  read_lists(rows, head);
  head.strategy = rows.text(13);
  head.seed = static_cast<std::uint64_t>(rows.integer(15));
  const auto provenance = provenance_from(rows.text(16));
  head.space_size = static_cast<std::uint64_t>(rows.integer(17));
  head.cartesian_size = rows.real(18);
  head.started_at = Seconds(rows.real(19));
  head.seconds = Seconds(rows.real(20));
  const auto state = run_state_from(rows.text(21));
  if (!provenance || !state) throw damaged(rows.path(), "unknown provenance or state of a run");
  head.provenance = *provenance;
  head.state = *state;
  head.note = rows.text(22);
  head.version = rows.text(23);
  row.default_index = optional_index(rows, 24);
  row.best_index = optional_index(rows, 25);
  row.context = rows.integer(26);
  head.key = {std::string(rows.text(27)), std::string(rows.text(28)), std::string(rows.text(29)),
              std::string(rows.text(30)), std::string(rows.text(31)), std::string(rows.text(32))};
  row.outcomes = static_cast<std::uint64_t>(rows.integer(33));
  return row;
}

Error no_such_run(std::int64_t run, const std::string& path) {
  return {ExitCode::bad_input, "there is no run " + std::to_string(run), path, "wattune runs lists them"};
}

}  // namespace

std::vector<std::string> parameter_names(const RunRecord& head) {
  std::vector<std::string> names;
  for (const RunParameter& parameter : head.parameters) names.push_back(parameter.name);
  return names;
}

RunTable::RunTable(Database& database)
    : database_(database),
      add_(database, add_sql, "storing a run"),
      claim_(database, "UPDATE run SET process = ? WHERE id = ?", "going on with a run"),
      update_(database, "UPDATE run SET state = ?, seconds = ?, note = ?, device_details = ? WHERE id = ?",
              "storing a run"),
      set_result_(database, "UPDATE run SET default_outcome = ?, best_outcome = ? WHERE id = ?", "storing a result"),
      get_(database, select_sql("WHERE r.id = ?"), "reading a run"),
      all_(database, select_sql("ORDER BY r.id DESC"), "reading the runs"),
      unfinished_(database,
                  select_sql("WHERE r.context = ? AND r.state IN ('running', 'interrupted') ORDER BY r.id DESC"),
                  "looking for an unfinished run"),
      drop_finalists_(database, "DELETE FROM finalist WHERE run = ?", "storing a result"),
      add_finalist_(database, "INSERT INTO finalist VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    "storing a result"),
      finalists_(database,
                 "SELECT outcome, samples, time_value, time_low, time_high, speedup_value, speedup_low, speedup_high, "
                 "energy_samples, energy_value, energy_low, energy_high, gain_value, gain_low, gain_high "
                 "FROM finalist WHERE run = ? ORDER BY rank",
                 "reading a result") {}

std::int64_t RunTable::add(std::int64_t context, const RunRecord& head) {
  add_.run(context, head.name, head.spec_path, head.spec_text, head.language, head.device_id, head.device_name,
           to_json(head.device_details), to_json(head.parameters), to_json(head.constraints), to_json(head.problem),
           to_json(head.objectives), to_json(head.metric_units), head.strategy, to_json(head.strategy_options),
           static_cast<std::int64_t>(head.seed), to_string(head.provenance), static_cast<std::int64_t>(head.space_size),
           head.cartesian_size, head.started_at.value(), head.seconds.value(), to_string(head.state), head.note,
           head.version, base::this_process());
  return database_.last_id();
}

void RunTable::claim(std::int64_t run) {
  claim_.run(std::string_view(base::this_process()), run);
}

void RunTable::update(const RunRecord& head) {
  update_.run(to_string(head.state), head.seconds.value(), head.note, to_json(head.device_details), head.id);
  if (sqlite3_changes(database_.handle()) == 0) throw no_such_run(head.id, database_.path());
}

void RunTable::set_result(std::int64_t run, std::optional<std::uint64_t> default_index,
                          std::optional<std::uint64_t> best_index, std::span<const Finalist> finalists) {
  set_result_.run(optional_id(run, default_index), optional_id(run, best_index), run);
  if (sqlite3_changes(database_.handle()) == 0) throw no_such_run(run, database_.path());
  drop_finalists_.run(run);
  std::int64_t rank = 0;
  for (const Finalist& finalist : finalists) {
    const std::string samples = encode_seconds(finalist.samples);
    const std::string energies = encode_joules(finalist.energy_samples);
    add_finalist_.run(run, rank++, outcome_id(run, finalist.index), Blob{samples}, finalist.time.value,
                      finalist.time.low, finalist.time.high, finalist.speedup.value, finalist.speedup.low,
                      finalist.speedup.high, Blob{energies}, finalist.energy.value, finalist.energy.low,
                      finalist.energy.high, finalist.energy_gain.value, finalist.energy_gain.low,
                      finalist.energy_gain.high);
  }
}

RunTable::Row RunTable::get(std::int64_t run) {
  auto rows = get_.query(run);
  if (!rows.next()) throw no_such_run(run, database_.path());
  return read_row(rows);
}

std::vector<RunTable::Row> RunTable::all() {
  std::vector<Row> result;
  auto rows = all_.query();
  while (rows.next()) result.push_back(read_row(rows));
  return result;
}

std::optional<RunTable::Row> RunTable::unfinished(std::int64_t context) {
  auto rows = unfinished_.query(context);
  while (rows.next()) {
    if (!base::runs_elsewhere(std::string(rows.text(process_column)))) return read_row(rows);
  }
  return std::nullopt;
}

std::vector<Finalist> RunTable::finalists(std::int64_t run) {
  std::vector<Finalist> result;
  auto rows = finalists_.query(run);
  while (rows.next()) {
    Finalist& finalist = result.emplace_back();
    finalist.index = sequence_of(rows.integer(0));
    finalist.samples = decode_seconds(rows.blob(1), rows.path());
    finalist.time = {rows.real(2), rows.real(3), rows.real(4)};
    finalist.speedup = {rows.real(5), rows.real(6), rows.real(7)};
    finalist.energy_samples = decode_joules(rows.blob(8), rows.path());
    finalist.energy = {rows.real(9), rows.real(10), rows.real(11)};
    finalist.energy_gain = {rows.real(12), rows.real(13), rows.real(14)};
  }
  return result;
}

}  // namespace wattune::store
