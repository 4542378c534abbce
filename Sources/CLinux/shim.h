#pragma once
// Linux functions that Swift's Glibc module does not export.
#include <link.h>
#include <linux/sched.h>
#include <linux/sockios.h>
#include <malloc.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>

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

// How many bytes were written to a connection that its peer has not confirmed; -1 for an error.
static inline int clinux_unconfirmed_bytes(int descriptor) {
  int bytes;
  return ioctl(descriptor, SIOCOUTQ, &bytes) == 0 ? bytes : -1;
}

static inline int clinux_set_mmap_threshold(int bytes) { return mallopt(M_MMAP_THRESHOLD, bytes); }

static inline int clinux_set_trim_threshold(int bytes) { return mallopt(M_TRIM_THRESHOLD, bytes); }

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

// What a report of a crash needs. All of it is ready before, because a signal handler may not make anything.
struct clinux_crash_report {
  const unsigned char *phase;
  // Of the text.
  const unsigned short *length;
  const char *text;
  // Two for each phase: alone, and before a text.
  const char *const *words;
  struct sigaction earlier[NSIG];
  // The handler's own, for a stack overflow.
  char stack[1 << 16];
};

static struct clinux_crash_report *clinux_crash_report(void) {
  static struct clinux_crash_report report;
  return &report;
}

static const char *clinux_signal_name(int number) {
  switch (number) {
    case SIGABRT: return "SIGABRT";
    case SIGBUS: return "SIGBUS";
    case SIGFPE: return "SIGFPE";
    case SIGILL: return "SIGILL";
    case SIGSEGV: return "SIGSEGV";
    case SIGSYS: return "SIGSYS";
    default: return "SIGTRAP";
  }
}

static struct iovec clinux_part(const char *text, size_t length) {
  return (struct iovec){(void *)text, length};
}

static void clinux_crashed(int number, siginfo_t *info, void *context) {
  const struct clinux_crash_report *report = clinux_crash_report();
  const char *name = clinux_signal_name(number);
  char text[512];
  size_t length = *report->length;
  if (length > sizeof text) length = sizeof text;
  for (size_t i = 0; i < length; i++) {
    char byte = report->text[i];
    text[i] = byte >= 0x20 && byte < 0x7F ? byte : '?';
  }
  const char *words = report->words[2 * *report->phase + (length > 0)];
  struct iovec line[] = {
      clinux_part("ringfence: crashed by ", 22), clinux_part(name, strlen(name)), clinux_part(" ", 1),
      clinux_part(words, strlen(words)), clinux_part(text, length), clinux_part("\n", 1)};
  if (writev(STDERR_FILENO, line, sizeof line / sizeof *line) < 0) {}
  // Then what would have happened without this handler. A trap comes again by itself, a signal that was sent
  // does not.
  struct sigaction next = report->earlier[number];
  if (info->si_code <= 0) {
    memset(&next, 0, sizeof next);
    next.sa_handler = SIG_DFL;
  }
  sigaction(number, &next, NULL);
  if (next.sa_handler == SIG_DFL) raise(number);
}

static inline void clinux_report_crashes(
    const unsigned char *phase, const unsigned short *length, const char *text, const char *const *words) {
  static const int signals[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
  struct clinux_crash_report *report = clinux_crash_report();
  report->phase = phase;
  report->length = length;
  report->text = text;
  report->words = words;
  stack_t stack = {.ss_sp = report->stack, .ss_size = sizeof report->stack};
  stack_t present;
  if (sigaltstack(NULL, &present) == 0 && present.ss_flags & SS_DISABLE) sigaltstack(&stack, NULL);
  struct sigaction action = {.sa_sigaction = clinux_crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    sigaction(signals[i], &action, &report->earlier[signals[i]]);
  }
}
