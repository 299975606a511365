// Python's pickle format as data, never as a program: a pickle is a list of instructions that build objects, and some of them call
// functions by name. Here nothing is ever called. A name becomes a Global, a call becomes a Call that remembers what would have been
// called with what; who reads the result decides which of them mean something (torch_archive.h knows a handful of torch's).
//
// Protocols 2 to 5. Values are numbers of nodes in one array, so that shared, cyclic and deeply nested pickles cost no recursion.
// Limits: pickle bytes, nodes, and everything is linear in the input. Errors: Error(Model). Thread: const functions from any thread.
// Source: Python's pickletools (opcode table).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace braid::weights {

enum class PickleKind : std::uint8_t {
    None = 1,
    Boolean,
    Integer,
    HugeInteger,  // does not fit 64 bits; its value is not kept
    Real,
    Text,
    Bytes,
    Tuple,
    List,
    Dictionary,
    Set,
    Global,      // a name in a Python module
    Call,        // callable(arguments), then perhaps items put in and a state set
    Persistent,  // a reference to something outside the pickle: in torch's files, a storage
};

struct PickleNode {
    PickleKind kind = PickleKind::None;
    std::int64_t integer = 0;         // Boolean, Integer
    double real = 0;                  // Real
    std::string_view text;            // Text, Bytes, Global (the name); a part of the pickle
    std::string_view module;          // Global
    std::vector<std::int32_t> items;  // Tuple, List, Set; Dictionary and Call: what was put in, Dictionary as key, value, key, value
    std::vector<std::int32_t> pairs;  // Call: what was set by key, as key, value, ...
    std::int32_t callable = -1;       // Call
    std::int32_t arguments = -1;      // Call; Persistent: the reference
    std::int32_t state = -1;          // Call: what BUILD would have set
};

class PickleValue;

// Owns the nodes and the bytes they point into.
class PickleDocument {
  public:
    // `owner` keeps `bytes` alive.
    PickleDocument(std::span<const std::byte> bytes, std::shared_ptr<const void> owner, std::string where);
    [[nodiscard]] PickleValue root() const;
    [[nodiscard]] const PickleNode &node(std::int32_t index) const { return m_nodes[static_cast<std::size_t>(index)]; }
    [[nodiscard]] const std::string &where() const noexcept { return m_where; }

  private:
    std::shared_ptr<const void> m_owner;
    std::string m_where;
    std::vector<PickleNode> m_nodes;
    std::int32_t m_root = -1;
};

// A value in a document; cheap to copy, must not outlive it.
class PickleValue {
  public:
    PickleValue(const PickleDocument &document, std::int32_t index)
        : m_document(&document)
        , m_index(index)
    {
    }
    [[nodiscard]] PickleKind kind() const { return node().kind; }
    [[nodiscard]] std::optional<std::int64_t> integer() const;   // Integer or Boolean
    [[nodiscard]] std::optional<std::string_view> text() const;  // Text
    [[nodiscard]] bool isGlobal(std::string_view module, std::string_view name) const;
    [[nodiscard]] std::string globalName() const;               // "module.name"; empty for other kinds
    [[nodiscard]] std::vector<PickleValue> elements() const;    // Tuple, List, Set
    [[nodiscard]] std::optional<PickleValue> callable() const;  // Call
    [[nodiscard]] std::vector<PickleValue> arguments() const;   // Call with a tuple; Persistent with a tuple: the reference's parts
    [[nodiscard]] bool isCallOf(std::string_view module, std::string_view name) const;
    using Fields = std::vector<std::pair<std::string_view, PickleValue>>;
    [[nodiscard]] Fields entries() const;     // with text keys: of a Dictionary, or put into a Call that builds something like one
    [[nodiscard]] Fields attributes() const;  // of an object: the state that BUILD would have set
    // The value of that key among entries, else attributes; of several the last, as in Python.
    [[nodiscard]] std::optional<PickleValue> field(std::string_view key) const;

  private:
    [[nodiscard]] const PickleNode &node() const { return m_document->node(m_index); }
    [[nodiscard]] PickleValue at(std::int32_t index) const { return {*m_document, index}; }
    void appendFields(const std::vector<std::int32_t> &pairs, Fields &out) const;

    const PickleDocument *m_document;
    std::int32_t m_index;
};

}  // namespace braid::weights
