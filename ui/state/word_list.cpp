#include "ui/state/word_list.h"

#include <system_error>

#include "core/base/error.h"
#include "core/base/file.h"
#include "ui/shared/core_words.h"
#include "ui/state/settings.h"

namespace braid::ui {
namespace {

constexpr std::size_t kMostBytes = std::size_t{8} << 20;

std::filesystem::path listBeside(const std::filesystem::path &settings_file)
{
    return settings_file.parent_path() / kWordListName;
}

}  // namespace

QString wordListProblem(const QString &list)
{
    try {
        static_cast<void>(text::WordRules::parse(list.toStdString(), {}));
        return {};
    } catch (const Error &error) {
        const QString happened = coreWords(error.happened());
        return QStringLiteral("%1. %2.").arg(happened.left(1).toUpper() + happened.mid(1), coreWords(error.remedy()));
    }
}

text::WordRules wordRulesOf(const Settings &settings, const text::WordRules &profanity)
{
    text::WordRules rules;
    try {
        rules = text::WordRules::parse(settings.word_list.toStdString(), {});
    } catch (const Error &) {
        rules = {};  // the Settings page says what is wrong
    }
    if (settings.masks_profanity) {
        rules.add(profanity);
    }
    return rules;
}

void keepWords(captions::WordBook &book, SettingsStore &store, const text::WordRules &profanity)
{
    const auto write = [&book, &store, profanity] { book.set(wordRulesOf(store.values(), profanity)); };
    write();
    QObject::connect(&store, &SettingsStore::changed, &store, [&store, write](const Settings &before) {
        if (before.word_list != store.values().word_list || before.masks_profanity != store.values().masks_profanity) {
            write();
        }
    });
}

QString readWordList(const std::filesystem::path &settings_file)
{
    std::error_code ignored;
    const std::filesystem::path file = listBeside(settings_file);
    if (!std::filesystem::is_regular_file(file, ignored)) {
        return {};
    }
    try {
        return QString::fromStdString(readTextFile(file, kMostBytes));
    } catch (const Error &) {
        return {};
    }
}

void writeWordList(const std::filesystem::path &settings_file, const QString &list)
{
    try {
        std::filesystem::create_directories(settings_file.parent_path());
        writeFileAtomically(listBeside(settings_file), list.toStdString());
    } catch (const std::exception &) {
        return;
    }
}

}  // namespace braid::ui
