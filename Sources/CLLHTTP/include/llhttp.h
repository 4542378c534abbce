#ifndef RINGFENCE_LLHTTP_H
#define RINGFENCE_LLHTTP_H
#include "/usr/share/include/llhttp/llhttp.h"
#endif
