// `braid-cli models`: what is on this machine, what can be fetched, fetching, checking and removing it. Only `get` asks the network, and only for the model it
// names.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/cli/choices.h"
#include "app/cli/models_output.h"
#include "app/cli/sub_commands.h"
#include "app/cli/terminal.h"
#include "core/base/error.h"
#include "core/fetch/catalogue.h"
#include "core/fetch/fetch_job.h"
#include "core/fetch/model_store.h"
#include "core/model_access/disk_models.h"
#include "core/model_access/model_access.h"

namespace braid::cli {
namespace {

constexpr std::chrono::milliseconds kLookEvery{200};

struct ModelsOptions {
    ListFormat format = ListFormat::Text;
    std::string name;
    std::vector<std::string> words;
};

int listInstalled(const ModelsOptions &options, const models::ModelAccess &access)
{
    std::vector<ListedModel> listed;
    const auto for_captions = access.loader->captionModels(access.folders);
    const auto for_language = access.loader->languageModels(access.folders);
    for (const auto &model : for_captions) {
        listed.push_back(
            {model.name, "captions", model.description, model.path, model.bytes, models::statedLicence(model.path), model.languages, model.problem});
    }
    for (const auto &model : for_language) {
        listed.push_back({model.name, "language", model.description, model.path, model.bytes, models::statedLicence(model.path), {}, model.problem});
    }
    for (const models::UnreadModel &model : models::unreadModels(access.folders)) {
        listed.push_back({model.name, "unread", model.kind, model.path, model.bytes, {}, {}, model.problem});
    }
    if (options.format == ListFormat::Json) {
        printAsJson(listed);
        return 0;
    }
    printAsText(listed);
    if (for_captions.empty() && for_language.empty()) {
        std::printf("No models were found. Name a model's folder with --model, fetch one (braid-cli models search), or put one into one of these folders:\n");
        for (const auto &folder : access.folders) {
            std::printf("  %s\n", folder.c_str());
        }
    }
    return 0;
}

int search(const ModelsOptions &options)
{
    std::vector<fetch::CatalogueEntry> found = fetch::wholeCatalogue();
    std::erase_if(found, [&options](const fetch::CatalogueEntry &entry) {
        return !std::all_of(options.words.begin(), options.words.end(), [&entry](const std::string &word) { return answersTo(entry, word); });
    });
    printCatalogue(found, fetch::ModelStore(), options.format);
    return 0;
}

int get(const ModelsOptions &options)
{
    Interrupts interrupts;
    fetch::FetchJob job(fetch::findEntry(fetch::wholeCatalogue(), options.name), fetch::fetchOptions());
    FetchScreen screen(options.name, options.format);
    for (;;) {
        const fetch::JobLook look = job.look();
        screen.show(look);
        if (look.state == fetch::JobState::Cancelled) {
            std::fprintf(stderr, "braid-cli: stopped; what came so far is kept, and the same command goes on with it.\n");
            return exitCodeFor(ErrorKind::Model);
        }
        if (look.state == fetch::JobState::Failed) {
            std::fprintf(stderr, "braid-cli: %s\n", look.problem.c_str());
            return exitCodeFor(look.kind);
        }
        if (look.state == fetch::JobState::Done) {
            return 0;
        }
        if (interrupts.count() > 0) {
            job.cancel();
        }
        std::this_thread::sleep_for(kLookEvery);
    }
}

int removeOne(const ModelsOptions &options)
{
    const fetch::ModelStore store;
    store.remove(options.name);
    store.forgetRemoved();
    std::printf("%s is removed.\n", options.name.c_str());
    return 0;
}

int check(const ModelsOptions &options)
{
    const auto problems = fetch::ModelStore().check(options.name, {}, {});
    if (options.format == ListFormat::Json) {
        std::printf("%s\n", nlohmann::json{{"name", options.name}, {"is_right", problems.empty()}, {"problems", problems}}.dump().c_str());
    } else {
        for (const std::string &problem : problems) {
            std::printf("%s\n", problem.c_str());
        }
        std::printf(problems.empty() ? "%s is as it was published: every size and checksum is right.\n" : "Remove %s and fetch it again.\n",
                    options.name.c_str());
    }
    return problems.empty() ? 0 : exitCodeFor(ErrorKind::Model);
}

int path(const ModelsOptions &options, const models::ModelAccess &access)
{
    if (options.name.empty()) {
        std::printf("%s\n", fetch::storeFolder().c_str());
        return 0;
    }
    for (const std::filesystem::path &model : models::modelsIn(access.folders)) {
        if (models::modelName(model) == options.name) {
            std::printf("%s\n", model.c_str());
            return 0;
        }
    }
    throw Error(ErrorKind::Model, "there is no model of this name on this machine", options.name, "braid-cli models list says what there is");
}

const Choices<ListFormat> kFormats = {{"text", ListFormat::Text}, {"json", ListFormat::Json}};

CLI::App *addOne(CLI::App &models, const char *name, const char *description, ModelsOptions &options)
{
    CLI::App *command = models.add_subcommand(name, description);
    addChoice(*command, "--format", options.format, kFormats, "For people, or JSON (docs/formats.md)");
    return command;
}

}  // namespace

void addModels(CLI::App &app, Run &chosen, const models::ModelAccess &access)
{
    const auto options = std::make_shared<ModelsOptions>();
    CLI::App *models = app.add_subcommand("models", "List, fetch, check and remove models");
    models->require_subcommand(0, 1);
    models->callback([options, models, &chosen, &access] {
        if (models->get_subcommands().empty()) {
            chosen = [options, &access] { return listInstalled(*options, access); };
        }
    });
    addOne(*models, "list", "The models on this machine, those of other programs too", *options)->callback([options, &chosen, &access] {
        chosen = [options, &access] { return listInstalled(*options, access); };
    });
    CLI::App *search_command = addOne(*models, "search", "The models that can be fetched; asks nobody", *options);
    search_command->add_option("WORD", options->words, "Of the name, the title, the licence, or a language's code");
    search_command->callback([options, &chosen] { chosen = [options] { return search(*options); }; });
    CLI::App *get_command = addOne(*models, "get", "Fetch a model; goes on where an earlier try ended", *options);
    get_command->add_option("NAME", options->name, "As `models search` calls it")->required();
    get_command->callback([options, &chosen] { chosen = [options] { return get(*options); }; });
    CLI::App *remove_command = addOne(*models, "remove", "Delete a fetched model, or the parts of one", *options);
    remove_command->add_option("NAME", options->name, "As it was fetched")->required();
    remove_command->callback([options, &chosen] { chosen = [options] { return removeOne(*options); }; });
    CLI::App *check_command = addOne(*models, "check", "Read a fetched model again and compare every size and checksum", *options);
    check_command->add_option("NAME", options->name, "As it was fetched")->required();
    check_command->callback([options, &chosen] { chosen = [options] { return check(*options); }; });
    CLI::App *path_command = addOne(*models, "path", "Where a model lies, or where fetched models are put", *options);
    path_command->add_option("NAME", options->name, "A model on this machine");
    path_command->callback([options, &chosen, &access] { chosen = [options, &access] { return path(*options, access); }; });
}

}  // namespace braid::cli
