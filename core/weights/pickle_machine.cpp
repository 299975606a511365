#include "core/weights/pickle_machine.h"

#include <bit>
#include <unordered_map>

#include "core/base/error.h"
#include "core/weights/pickle_opcodes.h"

namespace braid::weights {
namespace {

using Op = PickleOp;
constexpr std::size_t kMaxNodes = 2000000;
constexpr std::size_t kMaxPickleBytes = 32u << 20;
constexpr const char *kRemedy = "The file is damaged or was not written by torch.save";

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
        const char number[] = {digits[code >> 4], digits[code & 15], 0};
        refuse("its pickle has the instruction 0x" + std::string(number) + ", which torch.save does not write");
    }
    }
}

}  // namespace

PickleNodes readPickle(std::span<const std::byte> bytes, const std::string &where)
{
    if (bytes.size() > kMaxPickleBytes) {
        throw Error(ErrorKind::Model, "its pickle is larger than any model needs", where, kRemedy);
    }
    Machine machine(bytes, where);
    const std::int32_t root = machine.run();
    return {machine.takeNodes(), root};
}

}  // namespace braid::weights
