#include "ui/shared/stored_zip.h"

#include <QtEndian>

namespace braid::ui {
namespace {

constexpr quint32 kLocalFile = 0x04034B50;
constexpr quint32 kCentralFile = 0x02014B50;
constexpr quint32 kEnd = 0x06054B50;
constexpr quint16 kVersion = 20;
constexpr quint16 kUtf8Names = 1 << 11;
constexpr quint16 kFirstDay = (0 << 9) | (1 << 5) | 1;  // 1980-01-01: the same document is the same bytes

template <typename Number>
void put(QByteArray &bytes, Number number)
{
    const Number little = qToLittleEndian(number);
    bytes.append(reinterpret_cast<const char *>(&little), sizeof little);
}

quint32 crc32Of(const QByteArray &content)
{
    quint32 crc = ~quint32{0};
    for (const char byte : content) {
        crc ^= static_cast<quint8>(byte);
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB88320U : 0U);
        }
    }
    return ~crc;
}

}  // namespace

void StoredZip::add(const QByteArray &name, const QByteArray &content)
{
    // What stands in both headers of a file.
    QByteArray common;
    put(common, kVersion);
    put(common, kUtf8Names);
    put(common, quint16{0});  // stored
    put(common, quint16{0});  // midnight
    put(common, kFirstDay);
    put(common, crc32Of(content));
    put(common, static_cast<quint32>(content.size()));
    put(common, static_cast<quint32>(content.size()));
    put(common, static_cast<quint16>(name.size()));
    put(common, quint16{0});  // nothing extra

    put(m_directory, kCentralFile);
    put(m_directory, kVersion);
    m_directory += common;
    put(m_directory, quint16{0});  // no comment
    put(m_directory, quint16{0});  // first disk
    put(m_directory, quint16{0});
    put(m_directory, quint32{0});
    put(m_directory, static_cast<quint32>(m_bytes.size()));
    m_directory += name;

    put(m_bytes, kLocalFile);
    m_bytes += common + name + content;
    ++m_files;
}

QByteArray StoredZip::finish()
{
    const auto begin = static_cast<quint32>(m_bytes.size());
    m_bytes += m_directory;
    put(m_bytes, kEnd);
    put(m_bytes, quint16{0});
    put(m_bytes, quint16{0});
    put(m_bytes, m_files);
    put(m_bytes, m_files);
    put(m_bytes, static_cast<quint32>(m_directory.size()));
    put(m_bytes, begin);
    put(m_bytes, quint16{0});
    return m_bytes;
}

}  // namespace braid::ui
