// Which valid configurations are near a point of a Space: what local search moves to.
// Room `space`. The point itself may be invalid; it is never among its neighbours. Works on the same packed blocks as
// the space plus one prefix tree a block; refuses nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "wattune/space.hpp"

namespace wattune {

enum class NeighbourhoodKind : std::uint8_t {
  hamming,            ///< one parameter takes any other value
  hamming_adjacent,   ///< one parameter takes the next value of its list, up or down ("bounded" in the literature)
  strictly_adjacent,  ///< every parameter is at most one step away in its list
  adjacent,           ///< the same, where steps skip values that occur in no valid configuration
  closest,  ///< the nearest ones by Euclidean distance, each list stretched to [0, 1]; all that are equally near
};
/// "hamming", "hamming-adjacent", "strictly-adjacent", "adjacent", "closest".
std::string_view to_string(NeighbourhoodKind kind);
/// Accepts these names in any case; "bounded" is hamming-adjacent.
std::optional<NeighbourhoodKind> neighbourhood_kind_from(std::string_view name);

class Neighbourhood {
 public:
  /// `space` must outlive the neighbourhood.
  explicit Neighbourhood(const Space& space);
  Neighbourhood(Neighbourhood&&) noexcept;
  Neighbourhood& operator=(Neighbourhood&&) noexcept;
  ~Neighbourhood();

  /// Replaces `out` by the neighbours of the point with these value positions (one per parameter, each within its
  /// list). hamming and hamming_adjacent come by parameter, then by value; the others by id. Safe from several threads.
  void neighbours(std::span<const std::uint32_t> digits, NeighbourhoodKind kind,
                  std::vector<ConfigurationId>& out) const;
  void neighbours(ConfigurationId id, NeighbourhoodKind kind, std::vector<ConfigurationId>& out) const;

  /// The valid configuration nearest to the point: itself if valid, else the first of `closest`.
  [[nodiscard]] ConfigurationId nearest(std::span<const std::uint32_t> digits) const;

  /// Memory of the prefix trees, bytes.
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace wattune
