// The formats of `wattune export`, by name.
#include "io/export_run.hpp"

#include <array>

#include "wattune/error.hpp"
#include "wattune/formats.hpp"

namespace wattune {

namespace {

struct Format {
  ExportFormat format;
  std::string_view name;
  std::uint64_t (*write)(const Run&, const RecordedSpace*, std::ostream&);
};

constexpr std::array formats = {
    Format{ExportFormat::t4, "t4", io::export_t4},
    Format{ExportFormat::kernel_tuner, "kernel_tuner", io::export_kernel_tuner},
    Format{ExportFormat::csv, "csv", io::export_csv},
    Format{ExportFormat::header, "header", io::export_header},
};

}  // namespace

std::optional<ExportFormat> export_format_from(std::string_view name) {
  for (const Format& format : formats) {
    if (format.name == name) return format.format;
  }
  return std::nullopt;
}

namespace {

std::uint64_t write(const Run& run, const RecordedSpace* recording, ExportFormat format, std::ostream& out) {
  for (const Format& known : formats) {
    if (known.format != format) continue;
    const std::uint64_t written = known.write(run, recording, out);
    out.flush();
    if (!out) throw Error(ExitCode::storage, "the output cannot be written", "export", "is the disk full?");
    return written;
  }
  throw Error(ExitCode::internal, "unknown export format");
}

}  // namespace

std::uint64_t export_run(const Run& run, ExportFormat format, std::ostream& out) {
  return write(run, nullptr, format, out);
}

std::uint64_t export_recording(const RecordedSpace& space, ExportFormat format, std::ostream& out) {
  return write(to_run(space), &space, format, out);
}

}  // namespace wattune
