// The door of a build without libtorch: there is none.
#include "app/cli/model_door.h"
#include "core/base/error.h"

namespace braid::cli {
namespace {

[[noreturn]] void refuse()
{
    throw Error(ErrorKind::Usage, "this build has no models: it was made without libtorch", "braid-cli", "Build with BRAID_TORCH=ON.");
}

}  // namespace

struct ModelDoor::Loaded {};

ModelDoor::ModelDoor(const CaptionOptions &)
{
    refuse();
}

ModelDoor::~ModelDoor() = default;

int ModelDoor::ownChunkMs()
{
    refuse();
}

std::unique_ptr<decoding::CaptionPolicy> ModelDoor::makePolicy(const Progress &, std::stop_token)
{
    refuse();
}

text::Transcript ModelDoor::transcribe(std::span<const float>, const Progress &, std::stop_token)
{
    refuse();
}

std::unique_ptr<decoding::CaptionPolicy> ModelDoor::makePolicy(const CaptionOptions &)
{
    refuse();
}

text::Transcript ModelDoor::transcribe(const CaptionOptions &, std::span<const float>, const Progress &, std::stop_token)
{
    refuse();
}

void ModelDoor::load(const Progress &, std::stop_token)
{
    refuse();
}

}  // namespace braid::cli
