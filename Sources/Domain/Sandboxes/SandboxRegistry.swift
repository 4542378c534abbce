import Database

/// All sandboxes of the process, and the caches that they share.
///
/// A class because all sandboxes share one: a rollback in any of them restores it.
final class SandboxRegistry {
  /// The present sandboxes. A value, so that keeping it for a rollback costs nothing.
  struct Members {
    private(set) var byName: [String: Sandbox] = [:]
    private(set) var byID: [Int: Sandbox] = [:]
    /// For requests that name no sandbox.
    private(set) var defaultSandbox: Sandbox?

    mutating func add(_ sandbox: Sandbox) {
      byName[sandbox.name] = sandbox
      byID[sandbox.id] = sandbox
      if sandbox.name == Sandboxes.defaultName { defaultSandbox = sandbox }
    }

    mutating func remove(_ sandbox: Sandbox) {
      byName[sandbox.name] = nil
      byID[sandbox.id] = nil
      if defaultSandbox === sandbox { defaultSandbox = nil }
    }
  }

  /// Everything that is cached for all sandboxes and can be read again from rows. A rollback of changes
  /// replaces the whole value, so each field needs an initial value that means "not read yet".
  struct Derived {
    /// Nil until read.
    var credentials: CredentialCache?
    /// By id; nil until read.
    var workshops: [Int: Workshop]?
    /// The names of the sandboxes that belong to workshops; nil until read.
    var participants: Set<String>?
  }

  var members = Members()
  /// Assign only what was read from rows; for what was written there is `change`.
  var derived = Derived()
  private var changes = 0
  /// The names and ids of sandboxes that are being made.
  var building: Set<String> = []
  var buildingIDs: Set<Int> = []
  var boards = BoardChanges()
  private let database: Database

  init(database: Database) {
    self.database = database
  }

  /// Changes what is cached as rows were changed.
  func change(_ body: (inout Derived) -> Void) {
    changes += 1
    body(&derived)
  }

  /// Runs `body` in a savepoint. When it throws, its writes and members are undone. If it has changed what is
  /// cached, all of that is read again. A copy from before would do as well, but keeping it would make each
  /// change copy the credentials of all sandboxes.
  func atomically<T>(_ body: () throws -> T) throws -> T {
    let earlier = (members, changes)
    do {
      return try database.savepoint(body)
    } catch {
      members = earlier.0
      if changes != earlier.1 { derived = Derived() }
      throw error
    }
  }

  /// Goes back to earlier members after the rows of several requests were rolled back.
  func restore(_ earlier: Members) {
    members = earlier
    derived = Derived()
  }
}
