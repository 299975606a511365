#include "core/weights/byte_reader.h"

#include "core/base/error.h"

namespace braid::weights {

std::span<const std::byte> ByteReader::take(std::uint64_t count, const char *what)
{
    if (count > left()) {
        refuse(std::string("the file ends in the middle of ") + what);
    }
    const auto part = m_bytes.subspan(m_at, static_cast<std::size_t>(count));
    m_at += part.size();
    return part;
}

void refuseDamaged(const std::string &happened, const std::string &where)
{
    throw Error(ErrorKind::Model, happened, where, "The file is damaged or of another kind; download the model again");
}

}  // namespace braid::weights
