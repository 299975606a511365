#include "app/cli/output_files.h"

#include <cerrno>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "app/cli/choices.h"
#include "core/base/file_reasons.h"

namespace braid::cli {
namespace {

namespace fs = std::filesystem;

// The same for every name of one file, whether it is there or not.
std::string identityOf(const fs::path &file)
{
    struct stat status {};
    if (::stat(file.c_str(), &status) == 0) {
        return std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino);
    }
    std::error_code problem;
    const fs::path whole = fs::weakly_canonical(file, problem);
    return (problem ? file : whole).string();
}

// What cannot be overwritten: pipes, devices, and whatever this process was given open.
bool isPlace(const fs::path &file)
{
    const std::string name = file.string();
    struct stat status {};
    return name.starts_with("/dev/") || name.starts_with("/proc/") ||
           (::stat(name.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode));
}

void requireWritable(const fs::path &file)
{
    struct stat status {};
    const bool is_there = ::stat(file.c_str(), &status) == 0;
    if (is_there && S_ISDIR(status.st_mode)) {
        failWriting(file, EISDIR);
    }
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    if (!is_there && !fs::is_directory(folder)) {
        throw Error(ErrorKind::Storage, "cannot be written: there is no such folder", file.string(), "Make it first, or choose another place");
    }
    if (::access(is_there ? file.c_str() : folder.c_str(), W_OK) != 0) {
        failWriting(file, errno);
    }
}

}  // namespace

void OutputFiles::reads(const fs::path &file)
{
    if (!file.empty() && !isPlace(file)) {
        m_inputs.emplace(identityOf(file), file);
    }
}

void OutputFiles::writes(const fs::path &file)
{
    if (file.empty() || isPlace(file)) {
        return;
    }
    const std::string identity = identityOf(file);
    if (const auto input = m_inputs.find(identity); input != m_inputs.end()) {
        throw Error(ErrorKind::Usage, "this file would be read and overwritten at once", file.string(), "Choose another name for what is written");
    }
    if (!m_outputs.emplace(identity, file).second) {
        throw Error(ErrorKind::Usage, "more than one thing would be written into this file, and only the last would stay", file.string(),
                    "Name a folder with --out and give inputs different names, or run them one by one");
    }
    requireWritable(file);
    std::error_code problem;
    if (m_existing == Existing::Refused && fs::file_size(file, problem) > 0 && !problem) {
        throw Error(ErrorKind::Usage, "this file exists already", file.string(), "Choose another name, or say --overwrite to replace it");
    }
}

CLI::Option *declareOverwrite(CLI::App &command)
{
    return addFlag(command, "--overwrite", "Replace files that exist already");
}

Existing existingFiles(const CLI::Option &overwrite)
{
    return overwrite.count() > 0 ? Existing::Overwritten : Existing::Refused;
}

}  // namespace braid::cli
