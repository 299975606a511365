// One window a person: a second start hands its recordings to the first and ends. Through a socket in the person's own runtime folder; only the
// same person is listened to. Thread: GUI.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <QObject>

namespace braid::app {

class SingleInstance : public QObject {
  public:
    // `socket`: where the first one listens; empty: there is no place for it, and every start stands alone.
    explicit SingleInstance(std::filesystem::path socket, QObject *parent = nullptr);
    ~SingleInstance() override;
    SingleInstance(const SingleInstance &) = delete;
    SingleInstance &operator=(const SingleInstance &) = delete;

    // $XDG_RUNTIME_DIR/braid.sock; empty without such a folder.
    [[nodiscard]] static std::filesystem::path usualSocket();
    // Gives `files` (absolute names; none: it shall only show itself) to the one that listens; false where none does. Takes two seconds at most.
    [[nodiscard]] bool handOver(const std::vector<std::filesystem::path> &files) const;
    // From now on others hand over to this one: `taken` is called with their recordings, or with none, and the window should show itself. Where that
    // cannot be, every start stands alone.
    using Taken = std::function<void(const std::vector<std::filesystem::path> &files)>;
    void listen(Taken taken);

  private:
    void take();

    std::filesystem::path m_socket;
    Taken m_taken;
    int m_fd = -1;
};

}  // namespace braid::app
