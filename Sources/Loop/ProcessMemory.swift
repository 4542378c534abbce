import CLinux

/// The memory of this process.
package enum ProcessMemory {
  /// Gives blocks of a mebibyte or more back to the system when they are freed. By default, the C library
  /// raises this size with each large block, so one snapshot of 32 MiB would make it keep all later ones.
  ///
  /// Smaller ones stay until `trim`, up to 16 MiB of them: what a test's sandbox frees, the next one takes.
  package static func returnLargeBlocks() {
    _ = clinux_set_mmap_threshold(1 << 20)
    _ = clinux_set_trim_threshold(16 << 20)
  }

  /// Returns free memory to the system. Takes milliseconds, so call it only after much was freed.
  package static func trim() { malloc_trim(0) }

  /// The same, and unmaps the program's code and constants. What is used again comes back from the file
  /// cache, at about a microsecond for 16 pages; the code that is needed only at the start does not.
  package static func trimAll() {
    trim()
    clinux_unmap_program()
  }
}
