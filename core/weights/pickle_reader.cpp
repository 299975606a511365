#include "core/weights/pickle_reader.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_map>

#include "core/base/error.h"

namespace braid::weights {
namespace {

constexpr std::size_t kMaxNodes = 2000000;
constexpr std::size_t kMaxPickleBytes = 32u << 20;
constexpr const char *kRemedy = "The file is damaged or was not written by torch.save";

// The instructions of protocols 2 to 5 that Python's pickler writes (pickletools, opcodes).
enum class Op : unsigned char {
    Mark = '(',
    Stop = '.',
    Pop = '0',
    PopMark = '1',
    Dup = '2',
    BinInt = 'J',
    BinInt1 = 'K',
    BinInt2 = 'M',
    None = 'N',
    BinPersistentId = 'Q',
    Reduce = 'R',
    BinString = 'T',
    ShortBinString = 'U',
    BinUnicode = 'X',
    Append = 'a',
    Build = 'b',
    Global = 'c',
    Dict = 'd',
    EmptyDict = '}',
    Appends = 'e',
    BinGet = 'h',
    LongBinGet = 'j',
    List = 'l',
    EmptyList = ']',
    BinPut = 'q',
    LongBinPut = 'r',
    SetItem = 's',
    Tuple = 't',
    EmptyTuple = ')',
    SetItems = 'u',
    BinFloat = 'G',
    BinBytes = 'B',
    ShortBinBytes = 'C',
    Proto = 0x80,
    NewObject = 0x81,
    Extension1 = 0x82,
    Extension2 = 0x83,
    Extension4 = 0x84,
    Tuple1 = 0x85,
    Tuple2 = 0x86,
    Tuple3 = 0x87,
    NewTrue = 0x88,
    NewFalse = 0x89,
    Long1 = 0x8a,
    Long4 = 0x8b,
    ShortBinUnicode = 0x8c,
    BinUnicode8 = 0x8d,
    BinBytes8 = 0x8e,
    EmptySet = 0x8f,
    AddItems = 0x90,
    FrozenSet = 0x91,
    NewObjectEx = 0x92,
    StackGlobal = 0x93,
    Memoize = 0x94,
    Frame = 0x95,
    ByteArray8 = 0x96,
    NextBuffer = 0x97,
    ReadOnlyBuffer = 0x98,
};

class Machine {
  public:
    Machine(std::span<const std::byte> bytes, const std::string &where)
        : m_bytes(bytes)
        , m_where(where)
    {
    }

    // The number of the node that the pickle leaves.
    std::int32_t run()
    {
        if (m_bytes.size() < 2 || static_cast<Op>(m_bytes[0]) != Op::Proto) {
            refuse("its pickle is older than protocol 2");
        }
        for (;;) {
            const auto op = static_cast<Op>(byte());
            if (op == Op::Stop) {
                return pop();
            }
            step(op);
        }
    }

    std::vector<PickleNode> takeNodes() { return std::move(m_nodes); }

  private:
    [[noreturn]] void refuse(const std::string &happened) const { throw Error(ErrorKind::Model, happened, m_where, kRemedy); }

    // Input.
    std::string_view take(std::uint64_t size)
    {
        if (size > m_bytes.size() - m_at) {
            refuse("its pickle ends too early");
        }
        const std::string_view part(reinterpret_cast<const char *>(m_bytes.data()) + m_at, static_cast<std::size_t>(size));
        m_at += static_cast<std::size_t>(size);
        return part;
    }
    unsigned char byte() { return static_cast<unsigned char>(take(1)[0]); }
    std::uint64_t number(std::size_t size)
    {
        const auto part = take(size);
        std::uint64_t value = 0;
        for (std::size_t i = size; i-- > 0;) {
            value = value << 8 | static_cast<unsigned char>(part[i]);
        }
        return value;
    }
    std::string_view line()
    {
        const std::string_view rest(reinterpret_cast<const char *>(m_bytes.data()) + m_at, m_bytes.size() - m_at);
        const auto end = rest.find('\n');
        if (end == rest.npos || end > 4096) {
            refuse("a name in its pickle does not end");
        }
        return take(end + 1).substr(0, end);
    }

    // Nodes and stack.
    std::int32_t add(PickleNode node)
    {
        if (m_nodes.size() >= kMaxNodes) {
            refuse("its pickle holds more objects than any model needs");
        }
        m_nodes.push_back(std::move(node));
        return static_cast<std::int32_t>(m_nodes.size() - 1);
    }
    void push(PickleNode node) { m_stack.push_back(add(std::move(node))); }
    void pushKind(PickleKind kind)
    {
        PickleNode node;
        node.kind = kind;
        push(std::move(node));
    }
    void pushText(PickleKind kind, std::string_view text)
    {
        PickleNode node;
        node.kind = kind;
        node.text = text;
        push(std::move(node));
    }
    void pushInteger(PickleKind kind, std::int64_t value)
    {
        PickleNode node;
        node.kind = kind;
        node.integer = value;
        push(std::move(node));
    }
    // Values below the last mark belong to somebody else.
    [[nodiscard]] std::size_t available() const { return m_stack.size() - (m_marks.empty() ? 0 : m_marks.back()); }
    std::int32_t pop()
    {
        if (available() == 0) {
            refuse("its pickle takes more than it has");
        }
        const auto top = m_stack.back();
        m_stack.pop_back();
        return top;
    }
    PickleNode &top()
    {
        if (available() == 0) {
            refuse("its pickle takes more than it has");
        }
        return m_nodes[static_cast<std::size_t>(m_stack.back())];
    }
    std::vector<std::int32_t> popToMark()
    {
        if (m_marks.empty()) {
            refuse("its pickle closes what it never opened");
        }
        const auto start = m_stack.begin() + static_cast<std::ptrdiff_t>(m_marks.back());
        std::vector<std::int32_t> items(start, m_stack.end());
        m_stack.erase(start, m_stack.end());
        m_marks.pop_back();
        return items;
    }
    void pushTuple(std::size_t count)
    {
        PickleNode node;
        node.kind = PickleKind::Tuple;
        node.items.resize(count);
        for (std::size_t i = count; i-- > 0;) {
            node.items[i] = pop();
        }
        push(std::move(node));
    }
    void pushItems(PickleKind kind, std::vector<std::int32_t> items)
    {
        PickleNode node;
        node.kind = kind;
        node.items = std::move(items);
        push(std::move(node));
    }

    // What a call would be. The callable is kept as it is, and nothing else happens.
    void pushCall(std::int32_t callable, std::int32_t arguments)
    {
        PickleNode node;
        node.kind = PickleKind::Call;
        node.callable = callable;
        node.arguments = arguments;
        push(std::move(node));
    }
    void append(std::span<const std::int32_t> items)
    {
        auto &target = top();
        if (target.kind != PickleKind::List && target.kind != PickleKind::Set && target.kind != PickleKind::Call) {
            refuse("its pickle appends to something that is no list");
        }
        target.items.insert(target.items.end(), items.begin(), items.end());
    }
    void setItems(std::span<const std::int32_t> pairs)
    {
        auto &target = top();
        if (pairs.size() % 2 != 0) {
            refuse("its pickle has a key without a value");
        }
        if (target.kind != PickleKind::Dictionary && target.kind != PickleKind::Call) {
            refuse("its pickle sets items of something that is no table");
        }
        auto &list = target.kind == PickleKind::Dictionary ? target.items : target.pairs;
        list.insert(list.end(), pairs.begin(), pairs.end());
    }
    void putMemo(std::uint64_t index)
    {
        if (available() == 0) {
            refuse("its pickle takes more than it has");
        }
        if (m_memo.size() >= kMaxNodes && !m_memo.contains(index)) {
            refuse("its pickle remembers more objects than any model needs");
        }
        m_memo[index] = m_stack.back();
    }
    void getMemo(std::uint64_t index)
    {
        const auto position = m_memo.find(index);
        if (position == m_memo.end()) {
            refuse("its pickle speaks of something it never said");
        }
        m_stack.push_back(position->second);
    }
    void pushLong(std::string_view digits)
    {
        if (digits.size() > 8) {
            pushKind(PickleKind::HugeInteger);
            return;
        }
        std::uint64_t value = 0;
        for (std::size_t i = digits.size(); i-- > 0;) {
            value = value << 8 | static_cast<unsigned char>(digits[i]);
        }
        if (!digits.empty() && digits.size() < 8 && (static_cast<unsigned char>(digits.back()) & 0x80) != 0) {
            value |= ~std::uint64_t{0} << (8 * digits.size());  // two's complement
        }
        pushInteger(PickleKind::Integer, static_cast<std::int64_t>(value));
    }

    void step(Op op);
    void stepObject(Op op);

    std::span<const std::byte> m_bytes;
    const std::string &m_where;
    std::size_t m_at = 0;
    std::vector<PickleNode> m_nodes;
    std::vector<std::int32_t> m_stack;
    std::vector<std::size_t> m_marks;
    std::unordered_map<std::uint64_t, std::int32_t> m_memo;
};

void Machine::step(Op op)
{
    switch (op) {
    case Op::Proto:
        if (const int protocol = byte(); protocol < 2 || protocol > 5) {
            refuse("its pickle has the unknown protocol " + std::to_string(protocol));
        }
        return;
    case Op::Frame:
        (void)number(8);
        return;
    case Op::Mark:
        m_marks.push_back(m_stack.size());
        return;
    case Op::Pop:
        if (available() == 0 && !m_marks.empty()) {
            m_marks.pop_back();
        } else {
            (void)pop();
        }
        return;
    case Op::PopMark:
        (void)popToMark();
        return;
    case Op::Dup:
        (void)top();
        m_stack.push_back(m_stack.back());
        return;
    case Op::None:
        return pushKind(PickleKind::None);
    case Op::NewTrue:
        return pushInteger(PickleKind::Boolean, 1);
    case Op::NewFalse:
        return pushInteger(PickleKind::Boolean, 0);
    case Op::BinInt:
        return pushInteger(PickleKind::Integer, static_cast<std::int32_t>(static_cast<std::uint32_t>(number(4))));
    case Op::BinInt1:
        return pushInteger(PickleKind::Integer, byte());
    case Op::BinInt2:
        return pushInteger(PickleKind::Integer, static_cast<std::int64_t>(number(2)));
    case Op::Long1:
        return pushLong(take(byte()));
    case Op::Long4:
        return pushLong(take(number(4)));
    case Op::BinFloat: {
        std::uint64_t bits = 0;
        for (const char c : take(8)) {  // the only number in a pickle with its high byte first
            bits = bits << 8 | static_cast<unsigned char>(c);
        }
        PickleNode node;
        node.kind = PickleKind::Real;
        node.real = std::bit_cast<double>(bits);
        return push(std::move(node));
    }
    case Op::ShortBinUnicode:
    case Op::ShortBinString:
        return pushText(PickleKind::Text, take(byte()));
    case Op::BinUnicode:
    case Op::BinString:
        return pushText(PickleKind::Text, take(number(4)));
    case Op::BinUnicode8:
        return pushText(PickleKind::Text, take(number(8)));
    case Op::ShortBinBytes:
        return pushText(PickleKind::Bytes, take(byte()));
    case Op::BinBytes:
        return pushText(PickleKind::Bytes, take(number(4)));
    case Op::BinBytes8:
    case Op::ByteArray8:
        return pushText(PickleKind::Bytes, take(number(8)));
    case Op::BinPut:
        return putMemo(byte());
    case Op::LongBinPut:
        return putMemo(number(4));
    case Op::Memoize:
        return putMemo(m_memo.size());
    case Op::BinGet:
        return getMemo(byte());
    case Op::LongBinGet:
        return getMemo(number(4));
    default:
        return stepObject(op);
    }
}

void Machine::stepObject(Op op)
{
    switch (op) {
    case Op::EmptyDict:
        return pushKind(PickleKind::Dictionary);
    case Op::EmptyList:
        return pushKind(PickleKind::List);
    case Op::EmptyTuple:
        return pushKind(PickleKind::Tuple);
    case Op::EmptySet:
        return pushKind(PickleKind::Set);
    case Op::Tuple1:
        return pushTuple(1);
    case Op::Tuple2:
        return pushTuple(2);
    case Op::Tuple3:
        return pushTuple(3);
    case Op::Tuple:
        return pushItems(PickleKind::Tuple, popToMark());
    case Op::List:
        return pushItems(PickleKind::List, popToMark());
    case Op::FrozenSet:
        return pushItems(PickleKind::Set, popToMark());
    case Op::Dict: {
        const auto pairs = popToMark();
        pushKind(PickleKind::Dictionary);
        return setItems(pairs);
    }
    case Op::Append: {
        const std::int32_t item[] = {pop()};
        return append(item);
    }
    case Op::Appends:
    case Op::AddItems:
        return append(popToMark());
    case Op::SetItem: {
        const auto value = pop();
        const std::int32_t pair[] = {pop(), value};
        return setItems(pair);
    }
    case Op::SetItems:
        return setItems(popToMark());
    case Op::Global: {
        PickleNode node;
        node.kind = PickleKind::Global;
        node.module = line();
        node.text = line();
        return push(std::move(node));
    }
    case Op::StackGlobal: {
        const auto name = pop();
        const auto module = pop();
        PickleNode node;
        node.kind = PickleKind::Global;
        node.module = m_nodes[static_cast<std::size_t>(module)].text;
        node.text = m_nodes[static_cast<std::size_t>(name)].text;
        return push(std::move(node));
    }
    case Op::Reduce:
    case Op::NewObject: {
        const auto arguments = pop();
        return pushCall(pop(), arguments);
    }
    case Op::NewObjectEx: {
        (void)pop();  // keyword arguments
        const auto arguments = pop();
        return pushCall(pop(), arguments);
    }
    case Op::Build: {
        const auto state = pop();
        if (top().kind == PickleKind::Call) {
            top().state = state;
        }
        return;
    }
    case Op::BinPersistentId: {
        PickleNode node;
        node.kind = PickleKind::Persistent;
        node.arguments = pop();
        return push(std::move(node));
    }
    default: {
        static constexpr char digits[] = "0123456789abcdef";
        const auto code = static_cast<unsigned char>(op);
        refuse(std::string("its pickle has the instruction 0x") + digits[code >> 4] + digits[code & 15] + ", which torch.save does not write");
    }
    }
}

}  // namespace

PickleDocument::PickleDocument(std::span<const std::byte> bytes, std::shared_ptr<const void> owner, std::string where)
    : m_owner(std::move(owner))
    , m_where(std::move(where))
{
    if (bytes.size() > kMaxPickleBytes) {
        throw Error(ErrorKind::Model, "its pickle is larger than any model needs", m_where, kRemedy);
    }
    Machine machine(bytes, m_where);
    m_root = machine.run();
    m_nodes = machine.takeNodes();
}

PickleValue PickleDocument::root() const
{
    return {*this, m_root};
}

std::optional<std::int64_t> PickleValue::integer() const
{
    return kind() == PickleKind::Integer || kind() == PickleKind::Boolean ? std::optional(node().integer) : std::nullopt;
}

std::optional<std::string_view> PickleValue::text() const
{
    return kind() == PickleKind::Text ? std::optional(node().text) : std::nullopt;
}

bool PickleValue::isGlobal(std::string_view module, std::string_view name) const
{
    return kind() == PickleKind::Global && node().module == module && node().text == name;
}

std::string PickleValue::globalName() const
{
    return kind() == PickleKind::Global ? std::string(node().module) + "." + std::string(node().text) : std::string();
}

std::vector<PickleValue> PickleValue::elements() const
{
    std::vector<PickleValue> values;
    if (kind() == PickleKind::Tuple || kind() == PickleKind::List || kind() == PickleKind::Set) {
        values.reserve(node().items.size());
        for (const auto item : node().items) {
            values.push_back(at(item));
        }
    }
    return values;
}

std::optional<PickleValue> PickleValue::callable() const
{
    return kind() == PickleKind::Call ? std::optional(at(node().callable)) : std::nullopt;
}

std::vector<PickleValue> PickleValue::arguments() const
{
    return node().arguments >= 0 ? at(node().arguments).elements() : std::vector<PickleValue>();
}

bool PickleValue::isCallOf(std::string_view module, std::string_view name) const
{
    return kind() == PickleKind::Call && at(node().callable).isGlobal(module, name);
}

void PickleValue::appendFields(const std::vector<std::int32_t> &pairs, Fields &out) const
{
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
        if (const auto key = at(pairs[i]).text()) {
            out.emplace_back(*key, at(pairs[i + 1]));
        }
    }
}

PickleValue::Fields PickleValue::entries() const
{
    Fields found;
    if (kind() == PickleKind::Dictionary) {
        appendFields(node().items, found);
    } else if (kind() == PickleKind::Call) {
        appendFields(node().pairs, found);
    }
    return found;
}

PickleValue::Fields PickleValue::attributes() const
{
    Fields found;
    if (kind() != PickleKind::Call || node().state < 0) {
        return found;
    }
    // A table of attributes, or (attributes, slots).
    const auto state = at(node().state);
    if (state.kind() == PickleKind::Dictionary) {
        appendFields(state.node().items, found);
    }
    for (const auto &part : state.elements()) {
        if (part.kind() == PickleKind::Dictionary) {
            appendFields(part.node().items, found);
        }
    }
    return found;
}

std::optional<PickleValue> PickleValue::field(std::string_view key) const
{
    std::optional<PickleValue> found;
    for (const auto &part : {attributes(), entries()}) {
        for (const auto &[name, value] : part) {
            if (name == key) {
                found = value;
            }
        }
    }
    return found;
}

}  // namespace braid::weights
