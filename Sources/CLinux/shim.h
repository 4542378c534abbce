#pragma once
// What Linux has beside POSIX and Swift's Glibc does not show.
#include <linux/sched.h>
#include <sys/prctl.h>

int unshare(int flags);

// Swift calls no variadic function.
static inline int clinux_drop_from_bounding_set(unsigned long capability) {
  return prctl(PR_CAPBSET_DROP, capability, 0L, 0L, 0L);
}
