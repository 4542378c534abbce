#include "start.h"

static int count;
static char **words;

// The C library passes the command line to every function that runs before main. Swift looks for it on the
// stack below `environ` instead, where it is not once a preloaded library has changed the environment.
__attribute__((constructor)) static void keep_words(int argc, char **argv) {
  count = argc;
  words = argv;
}

int cstart_word_count(void) { return count; }
const char *cstart_word(int index) { return words[index]; }
