#pragma once
// Linux functions that Swift's Glibc module does not export.
#include <linux/sched.h>
#include <sys/prctl.h>

int unshare(int flags);

// Swift cannot call variadic functions.
static inline int clinux_drop_from_bounding_set(unsigned long capability) {
  return prctl(PR_CAPBSET_DROP, capability, 0L, 0L, 0L);
}
