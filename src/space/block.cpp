#include "space/block.hpp"

namespace wattune::space {
namespace {

/// A bitmap serves while it takes at most so many bytes a combination; hash index and code together take 10 to 22.
constexpr double bitmap_bytes_per_code = 10.0;
/// Size of the table that turns the fast part of a radix key into code bits.
constexpr std::uint64_t decode_table_limit = 4096;

/// Codes of all combinations of domains [first, last), in key order.
template <class Code>
std::vector<Code> all_codes(std::span<const Field> fields, std::span<const Domain> domains, std::size_t first,
                            std::size_t last) {
  std::vector<Code> codes{Code{0}};
  for (std::size_t i = first; i < last; ++i) {
    std::vector<Code> longer;
    longer.reserve(codes.size() * domains[i].size());
    for (const Code code : codes) {
      for (const std::uint32_t position : domains[i].positions) {
        longer.push_back(static_cast<Code>(code | pack<Code>(position, fields[i])));
      }
    }
    codes = std::move(longer);
  }
  return codes;
}

}  // namespace

void Block::build_hash() {
  std::visit([]<class Code>(PackedCodes<Code>& packed) { packed.hash = HashIndex<Code>(packed.codes); }, packed_);
}

template <class Code>
void Block::decode(std::span<const std::uint32_t> lengths, std::span<const Domain> domains) {
  // key = high * low.size() + low: two small tables instead of a division for every parameter.
  std::size_t split = lengths.size();
  std::uint64_t low_size = 1;
  while (split > 0 && low_size * domains[split - 1].size() <= decode_table_limit) low_size *= domains[--split].size();
  const std::vector<Code> low = all_codes<Code>(layout_.fields(), domains, split, lengths.size());
  const std::vector<Code> high = all_codes<Code>(layout_.fields(), domains, 0, split);
  PackedCodes<Code>& packed = packed_.emplace<PackedCodes<Code>>();
  packed.codes.resize(size_);
  Code* out = packed.codes.data();
  std::uint64_t start = 0;
  Code upper = high[0];
  bitmap_.for_each([&](std::uint64_t key) {
    if (key - start >= low_size) {
      const std::uint64_t row = key / low_size;
      start = row * low_size;
      upper = high[row];
    }
    *out++ = static_cast<Code>(upper | low[key - start]);
  });
}

Block::Block(std::span<const std::uint32_t> lengths, std::span<const Domain> domains, Radix radix, Bitmap bitmap)
    : layout_(lengths), radix_(std::move(radix)), bitmap_(std::move(bitmap)) {
  size_ = bitmap_.build_ranks();
  if (layout_.bits() <= 32) {
    decode<std::uint32_t>(lengths, domains);
  } else if (layout_.bits() <= 64) {
    decode<std::uint64_t>(lengths, domains);
  } else {
    decode<Wide>(lengths, domains);
  }
  if (Bitmap::bytes_for(radix_.bound()) > bitmap_bytes_per_code * static_cast<double>(size_) + 4096.0) {
    hashed_ = true;
    bitmap_ = {};
    radix_ = {};
    build_hash();
  }
}

template <class Code>
Block::Block(std::span<const std::uint32_t> lengths, std::span<const Domain> domains, const std::vector<Code>& codes)
    : layout_(lengths), size_(codes.size()) {
  const auto store = [&]<class Stored>(Stored) {
    packed_.template emplace<PackedCodes<Stored>>().codes.assign(codes.begin(), codes.end());
  };
  if (layout_.bits() <= 32) {
    store(std::uint32_t{});
  } else if (layout_.bits() <= 64) {
    store(std::uint64_t{});
  } else {
    store(Wide{});
  }
  Radix radix(lengths, domains);
  hashed_ = Bitmap::bytes_for(radix.bound()) > bitmap_bytes_per_code * static_cast<double>(size_) + 4096.0;
  if (hashed_) {
    build_hash();
    return;
  }
  radix_ = std::move(radix);
  bitmap_ = Bitmap(static_cast<std::uint64_t>(radix_.bound()));
  std::vector<std::uint32_t> positions(lengths.size());
  for (std::uint64_t rank = 0; rank < size_; ++rank) {
    digits(rank, positions.data());
    bitmap_.set(radix_.key(positions.data()));
  }
  bitmap_.build_ranks();
}

template Block::Block(std::span<const std::uint32_t>, std::span<const Domain>, const std::vector<std::uint64_t>&);
template Block::Block(std::span<const std::uint32_t>, std::span<const Domain>, const std::vector<Wide>&);

Block::Block(std::uint32_t length) : layout_(std::span(&length, 1)), size_(length), identity_(true) {}

std::size_t Block::bytes() const {
  return radix_.bytes() + bitmap_.bytes() +
         std::visit(
             [](const auto& packed) { return packed.codes.capacity() * sizeof(packed.codes[0]) + packed.hash.bytes(); },
             packed_);
}

Block merge(const Block& first, const Block& second, std::span<const std::uint32_t> lengths,
            std::span<const Domain> domains) {
  const auto product = [&]<class Code>(std::vector<Code> codes) {
    codes.reserve(first.size() * second.size());
    for (std::uint64_t a = 0; a < first.size(); ++a) {
      // A shift by the whole width is undefined; then the first block has no bits and its only code is 0.
      const Wide upper = first.code(a) == 0 ? Wide{0} : first.code(a) << second.code_bits();
      for (std::uint64_t b = 0; b < second.size(); ++b) codes.push_back(static_cast<Code>(upper | second.code(b)));
    }
    return Block(lengths, domains, codes);
  };
  if (first.code_bits() + second.code_bits() <= 64) return product(std::vector<std::uint64_t>{});
  return product(std::vector<Wide>{});
}

}  // namespace wattune::space
