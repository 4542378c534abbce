import CUV

/// The memory of this process.
package enum ProcessMemory {
  /// Returns free memory to the operating system. Takes milliseconds, so call it only after much was freed.
  package static func trim() { malloc_trim(0) }
}
