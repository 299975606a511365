// One handler for each alternative of a std::visit.
#pragma once

namespace braid::ui {

template <typename... Handlers>
struct Overloaded : Handlers... {
    using Handlers::operator()...;
};
template <typename... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

}  // namespace braid::ui
