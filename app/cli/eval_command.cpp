// `braid-cli eval`: measuring, by what is measured.
#include "app/cli/choices.h"
#include "app/cli/sub_commands.h"

namespace braid::cli {

void addEval(CLI::App &app, Run &chosen, const models::ModelAccess &access)
{
    auto *eval = app.add_subcommand("eval", "Measure on material whose right answer is known");
    eval->require_subcommand(1);
    addEvalCaptions(*eval, chosen, access);
    addEvalTranslation(*eval, chosen, access);
    addEvalStreams(*eval, chosen, access);
}

}  // namespace braid::cli
