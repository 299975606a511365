// What the Models page needs to fetch models: the catalogue, fetches that run, removing. GUI thread; the fetches end with what is returned.
#pragma once

#include "core/model_access/model_access.h"
#include "ui/models/fetch_desk.h"

namespace braid::app {

[[nodiscard]] ui::FetchDesk makeFetchDesk(const models::ModelAccess &access);

}  // namespace braid::app
