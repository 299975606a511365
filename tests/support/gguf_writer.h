// GGUF files, written for tests, value by value. The layout's source is named in core/weights/gguf_file.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/ggml_writer.h"

namespace braid::test {

class GgufWriter {
  public:
    void whole(const std::string &key, std::uint32_t value)
    {
        begin(key, 4);
        append(m_values, value);
    }
    void number(const std::string &key, float value)
    {
        begin(key, 6);
        append(m_values, value);
    }
    void flag(const std::string &key, bool value)
    {
        begin(key, 7);
        m_values += static_cast<char>(value);
    }
    void text(const std::string &key, std::string_view value)
    {
        begin(key, 8);
        appendText(m_values, value);
    }
    void texts(const std::string &key, const std::vector<std::string> &values)
    {
        beginList(key, 8, values.size());
        for (const std::string &value : values) {
            appendText(m_values, value);
        }
    }
    void kinds(const std::string &key, const std::vector<std::int32_t> &values)
    {
        beginList(key, 5, values.size());
        for (const std::int32_t value : values) {
            append(m_values, value);
        }
    }
    // A value's bytes as they are, for files that are wrong.
    void raw(const std::string &key, std::uint32_t type, std::string_view bytes)
    {
        begin(key, type);
        m_values += bytes;
    }
    // `shape` with the innermost dimension last; `type`: ggml's number.
    void tensor(const std::string &name, const std::vector<std::int64_t> &shape, std::uint32_t type, std::string_view bytes)
    {
        tensorAt(name, shape, type, m_data.size());
        m_data += bytes;
        m_data.resize((m_data.size() + 31) / 32 * 32);
    }
    void tensorAt(const std::string &name, const std::vector<std::int64_t> &shape, std::uint32_t type, std::uint64_t offset)
    {
        appendText(m_heads, name);
        append(m_heads, static_cast<std::uint32_t>(shape.size()));
        for (auto length = shape.rbegin(); length != shape.rend(); ++length) {
            append(m_heads, static_cast<std::uint64_t>(*length));
        }
        append(m_heads, type);
        append(m_heads, offset);
        ++m_tensor_count;
    }
    [[nodiscard]] std::string finished(std::uint32_t version = 3) const
    {
        std::string out = "GGUF";
        append(out, version);
        append(out, m_tensor_count);
        append(out, m_value_count);
        out += m_values;
        out += m_heads;
        out.resize((out.size() + 31) / 32 * 32);
        return out + m_data;
    }

  private:
    static void appendText(std::string &out, std::string_view text)
    {
        append(out, static_cast<std::uint64_t>(text.size()));
        out += text;
    }
    void begin(const std::string &key, std::uint32_t type)
    {
        appendText(m_values, key);
        append(m_values, type);
        ++m_value_count;
    }
    void beginList(const std::string &key, std::uint32_t type, std::size_t count)
    {
        begin(key, 9);
        append(m_values, type);
        append(m_values, static_cast<std::uint64_t>(count));
    }

    std::string m_values;
    std::string m_heads;
    std::string m_data;
    std::uint64_t m_value_count = 0;
    std::uint64_t m_tensor_count = 0;
};

}  // namespace braid::test
