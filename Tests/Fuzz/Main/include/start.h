/// Nothing: the linker finds it by name.
