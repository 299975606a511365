// `braid-cli eval`: measuring, by what is measured.
#include "app/cli/choices.h"
#include "app/cli/sub_commands.h"

namespace braid::cli {

void addEval(CLI::App &app, Run &chosen)
{
    auto *eval = app.add_subcommand("eval", "Measure on material whose right answer is known");
    eval->require_subcommand(1);
    addEvalCaptions(*eval, chosen);
    addEvalTranslation(*eval, chosen);
    addEvalStreams(*eval, chosen);
}

}  // namespace braid::cli
