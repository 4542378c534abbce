import CLinux
import Glibc

/// Ties processes to their parents. A parent that is killed with SIGKILL cannot end its children itself.
package enum ParentProcess {
  /// From here on, the kernel sends SIGTERM to each new child process when this process ends.
  ///
  /// A program keeps the setting when it starts another one in its place. Its own children do not inherit it.
  package static func terminateChildrenWithThisProcess() {
    // Runs in the child between `fork` and `exec`, where libuv offers no hook.
    pthread_atfork(nil, nil) { _ = clinux_set_parent_death_signal(SIGTERM) }
  }

  /// The kernel kills this process when its parent ends.
  package static func endWithParent() { _ = clinux_set_parent_death_signal(SIGKILL) }
}

/// Memory that this process can share with its children by passing the file descriptor.
package enum SharedMemory {
  /// The descriptor of a new file in memory; nil if the system refuses.
  package static func create(bytes: Int) -> Int32? {
    // 1 is MFD_CLOEXEC.
    let descriptor = memfd_create("ringfence", 1)
    guard descriptor >= 0 else { return nil }
    guard ftruncate(descriptor, bytes) == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}
