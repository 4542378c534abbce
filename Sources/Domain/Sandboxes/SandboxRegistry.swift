/// Which sandboxes there are.
///
/// A class because all sandboxes share the one: whatever fails in any of them puts back who was here.
final class SandboxRegistry {
  /// Who is here. A value, so that keeping it for later costs nothing.
  struct Members {
    private(set) var byName: [String: Sandbox] = [:]
    private(set) var byNumber: [Int: Sandbox] = [:]
    /// The sandbox that is there from the start; requests that name none are for it.
    private(set) var standard: Sandbox?

    mutating func add(_ sandbox: Sandbox) {
      byName[sandbox.name] = sandbox
      byNumber[sandbox.id] = sandbox
      if sandbox.name == Sandboxes.defaultName { standard = sandbox }
    }

    mutating func remove(_ sandbox: Sandbox) {
      byName[sandbox.name] = nil
      byNumber[sandbox.id] = nil
      if standard === sandbox { standard = nil }
    }
  }

  var members = Members()
}
