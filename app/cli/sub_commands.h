// The commands of braid-cli. Each lives in a file of its own that declares its options to the command-line library and does the work:
//
//   void addSing(CLI::App &app, Run &chosen)
//   {
//       const auto options = std::make_shared<SingOptions>();
//       auto *command = app.add_subcommand("sing", "Sing a text");
//       command->add_option("TEXT", options->text, "What to sing")->required();
//       command->callback([options, &chosen] { chosen = [options] { return runSing(*options); }; });
//   }
//
// What only a second look shows (two options that exclude each other) is thrown as Error(Usage) when it runs.
#pragma once

#include <functional>

namespace CLI {
class App;
}
namespace braid::models {
struct ModelAccess;
}

namespace braid::cli {

// Does what was asked for; returns the exit code. Troubles that end a command are thrown as braid::Error.
using Run = std::function<int()>;

// Each sets `chosen` when the command line names its command; `access` must outlive that. Declared here, called from addCommands() in main.cpp.
void addCaption(CLI::App &app, Run &chosen, const models::ModelAccess &access);
void addDevices(CLI::App &app, Run &chosen);
void addModels(CLI::App &app, Run &chosen, const models::ModelAccess &access);
void addRecover(CLI::App &app, Run &chosen);
void addEval(CLI::App &app, Run &chosen, const models::ModelAccess &access);
void addEvalCaptions(CLI::App &eval, Run &chosen, const models::ModelAccess &access);  // from addEval()
void addAlign(CLI::App &app, Run &chosen);
void addTrain(CLI::App &app, Run &chosen);
void addSynth(CLI::App &app, Run &chosen);
void addStreams(CLI::App &app, Run &chosen, const models::ModelAccess &access);
void addEvalStreams(CLI::App &eval, Run &chosen, const models::ModelAccess &access);  // from addEval()
void addChat(CLI::App &app, Run &chosen, const models::ModelAccess &access);
void addTranslate(CLI::App &app, Run &chosen, const models::ModelAccess &access);
void addVocabulary(CLI::App &app, Run &chosen);
void addEvalTranslation(CLI::App &eval, Run &chosen, const models::ModelAccess &access);  // from addEval()

}  // namespace braid::cli
