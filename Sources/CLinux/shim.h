#pragma once
// Linux functions that Swift's Glibc module does not export.
#include <linux/sched.h>
#include <malloc.h>
#include <sys/prctl.h>

int unshare(int flags);
int memfd_create(const char *name, unsigned int flags);

// Swift cannot call variadic functions.
static inline int clinux_drop_from_bounding_set(unsigned long capability) {
  return prctl(PR_CAPBSET_DROP, capability, 0L, 0L, 0L);
}

static inline int clinux_set_parent_death_signal(int signal) {
  return prctl(PR_SET_PDEATHSIG, (long)signal, 0L, 0L, 0L);
}

static inline int clinux_set_mmap_threshold(int bytes) { return mallopt(M_MMAP_THRESHOLD, bytes); }
