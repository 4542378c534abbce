// SwiftPM gives the main function of each program a name of its own, so libFuzzer's is not linked.
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test)(const uint8_t *data, size_t size));

static int fuzz(int argc, char **argv) { return LLVMFuzzerRunDriver(&argc, &argv, LLVMFuzzerTestOneInput); }

#define PROGRAM(name) \
  int name##_main(int argc, char **argv) { return fuzz(argc, argv); }

// PROGRAM(…) of each target; see Package.swift.
PROGRAMS
