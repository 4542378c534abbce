#pragma once

// The number of words on the command line, and each of them. The first is the program.
int cstart_word_count(void);
const char *cstart_word(int index);
