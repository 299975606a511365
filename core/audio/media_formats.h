// Which of libav's formats and decoders Braid uses. libav knows many more, among them descriptions of streams in a network and lists of other files, whose
// readers open what they name by ways of their own: only formats whose sound lies in the given bytes stand here. Thread: any. Errors: none.
#pragma once

#include <string>
#include <string_view>

namespace braid::audio {

// libav's names, with commas between them, as its option format_whitelist takes them.
[[nodiscard]] const char *containerNames();
// Whether a demuxer of this name (which may itself be a list with commas) is one of them.
[[nodiscard]] bool isContainer(std::string_view demuxer);

// All decoders of sound, as codec_whitelist takes them: while libav looks into a file it would also decode pictures; with this list it cannot, which is less to
// do, and less that a hostile file can reach.
[[nodiscard]] std::string soundDecoderNames();

// As protocol_whitelist takes it: no protocol has this name. An empty list would mean "all".
inline constexpr const char *kNoProtocol = "none";

}  // namespace braid::audio
