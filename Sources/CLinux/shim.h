#pragma once
// Linux functions that Swift's Glibc module does not export.
#include <link.h>
#include <linux/sched.h>
#include <malloc.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>

int unshare(int flags);
int memfd_create(const char *name, unsigned int flags);
void *memmem(const void *text, size_t text_size, const void *value, size_t value_size);

// Swift cannot call variadic functions.
static inline int clinux_drop_from_bounding_set(unsigned long capability) {
  return prctl(PR_CAPBSET_DROP, capability, 0L, 0L, 0L);
}

static inline int clinux_set_parent_death_signal(int signal) {
  return prctl(PR_SET_PDEATHSIG, (long)signal, 0L, 0L, 0L);
}

static inline int clinux_set_mmap_threshold(int bytes) { return mallopt(M_MMAP_THRESHOLD, bytes); }

// Unmaps the pages of the program that nothing can write. They come back at their next use.
static inline void clinux_unmap_program(void) {
  const ElfW(Phdr) *parts = (const void *)getauxval(AT_PHDR);
  size_t count = getauxval(AT_PHNUM), page = getauxval(AT_PAGESZ), base = 0;
  for (size_t i = 0; i < count; i++) {
    if (parts[i].p_type == PT_PHDR) base = (size_t)parts - parts[i].p_vaddr;
  }
  for (size_t i = 0; i < count; i++) {
    if (parts[i].p_type != PT_LOAD || parts[i].p_flags & PF_W) continue;
    size_t start = (base + parts[i].p_vaddr) & ~(page - 1);
    madvise((void *)start, base + parts[i].p_vaddr + parts[i].p_memsz - start, MADV_DONTNEED);
  }
}
