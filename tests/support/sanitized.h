// Whether this is a sanitizer build.
#pragma once

// Sanitizers keep freed memory for a while: what a process holds says nothing then.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define BRAID_SANITIZED 1
#else
#define BRAID_SANITIZED 0
#endif
