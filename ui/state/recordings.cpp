#include "ui/state/recordings.h"

#include <algorithm>
#include <system_error>

#include <QObject>
#include <QStringList>

namespace braid::ui {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 100'000;  // looked at in one folder: it might be the root of a disk

const QStringList &endings()
{
    static const QStringList known = QStringLiteral("wav flac mp3 ogg opus m4a aac wma mp4 mkv webm mov avi").split(QLatin1Char(' '));
    return known;
}

void addFolder(const fs::path &folder, FoundRecordings &found)
{
    std::vector<fs::path> inside;
    std::error_code error;
    std::size_t seen = 0;
    for (fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end; !error && at != end; at.increment(error)) {
        const QString ending = QString::fromStdString(at->path().extension().string()).mid(1).toLower();
        std::error_code ignored;
        if (endings().contains(ending) && at->is_regular_file(ignored)) {
            inside.push_back(at->path());
        }
        if (++seen > kMostEntries) {
            break;
        }
    }
    const QString name = QString::fromStdString(folder.string());
    if (error && inside.empty()) {
        found.problem = QObject::tr("%1: the folder cannot be read: %2. Check its permissions.").arg(name, QString::fromStdString(error.message()));
    } else if (inside.empty()) {
        found.problem = QObject::tr("%1: there are no recordings in this folder. Braid looks for %2.").arg(name, endings().join(QStringLiteral(", ")));
    }
    std::sort(inside.begin(), inside.end());
    found.files.insert(found.files.end(), inside.begin(), inside.end());
}

}  // namespace

FoundRecordings recordingsAmong(const std::vector<fs::path> &paths)
{
    FoundRecordings found;
    for (const fs::path &path : paths) {
        std::error_code ignored;
        if (fs::is_directory(path, ignored)) {
            addFolder(path, found);
        } else {
            found.files.push_back(path);
        }
    }
    if (found.files.size() > kMostRecordings) {
        found.problem =
            QObject::tr("Of %1 recordings the first %2 are taken. Drop the others when these are done.").arg(found.files.size()).arg(kMostRecordings);
        found.files.resize(kMostRecordings);
    }
    return found;
}

QString recordingsFilter()
{
    return QObject::tr("Sound and video (*.%1)").arg(endings().join(QStringLiteral(" *.")));
}

}  // namespace braid::ui
