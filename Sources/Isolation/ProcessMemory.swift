import CLinux

package enum ProcessMemory {
  /// Gives blocks of a mebibyte or more back to the system when they are freed. By default, the C library
  /// raises this size with each large block, so one snapshot of 32 MiB would make it keep all later ones.
  package static func returnLargeBlocks() { _ = clinux_set_mmap_threshold(1 << 20) }
}
