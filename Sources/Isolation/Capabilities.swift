import CLinux
import Glibc

/// What a process may do that others may not.
enum Capabilities {
  /// Keeps those of the new namespace from every program that is started in it: nobody but root had them before.
  ///
  /// We keep our own, to listen on ports below 1024. Programs of root have what root has within the namespaces.
  static func keepFromPrograms() throws(IsolationError) {
    guard geteuid() != 0 else { return }
    // The kernel says EINVAL behind the last capability that it knows.
    for capability in UInt(0)... where clinux_drop_from_bounding_set(capability) != 0 {
      guard errno == EINVAL else { throw IsolationError("keeping capabilities from the command") }
      return
    }
  }
}
