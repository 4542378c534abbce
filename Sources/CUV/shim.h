#pragma once
#include <malloc.h>
#include <uv.h>
