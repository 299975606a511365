// Names, paths and addresses from strangers (a catalogue, an answer of Hugging Face): allowed only where they cannot leave a model's folder and
// cannot lead to another kind of address. Thread: any.
#pragma once

#include <string>
#include <string_view>

namespace braid::fetch {

// A model's name or one part of a path: letters, digits, '.', '_', '-' and '+', no dot first, at most 100 characters.
[[nodiscard]] bool isSafeName(std::string_view name);
// "model.safetensors", "onnx/model.bin": at most four safe names between slashes, no ".part" at the end.
[[nodiscard]] bool isSafePath(std::string_view path);
// The same, with '*' for any characters of the last part.
[[nodiscard]] bool isSafePattern(std::string_view pattern);
[[nodiscard]] bool matches(std::string_view pattern, std::string_view path);
// 64 digits of lower-case hexadecimal (sha256), or `digits` of them.
[[nodiscard]] bool isHexadecimal(std::string_view text, std::size_t digits);

struct Address {
    std::string scheme;  // "https" or "http"
    std::string host;    // with the port where one is given: "localhost:8080"; in lower case
    std::string path;    // with its question, "/main/tiny.pt?x=1"
};
// The parts of `address`. Throws Error(Input) where it is not https, or http to this machine itself (127.0.0.1, [::1], localhost), carries a user's name, or
// has a character that no address has. `where`: what names the address, for the sentence.
[[nodiscard]] Address parseAddress(std::string_view address, const std::string &where);
[[nodiscard]] bool isThisMachine(const Address &address);

}  // namespace braid::fetch
