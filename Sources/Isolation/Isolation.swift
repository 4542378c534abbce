/// A world of its own for this process and those that it starts: its loopback is the only network, some names are on
/// it, and there are no others. Only for a process that has one thread.
package struct Isolation {
  /// What stands in the world instead of what the machine has.
  package struct Plan {
    /// The host names that are on the loopback.
    package var names: [String]
    /// Files that are shown in the place of others, by the path of these; a place that is not there is passed over.
    package var covers: [String: String] = [:]
    /// A folder of ours, for what is shown instead of the system's files.
    package var folder: String
    /// Words that start this program as the one that calls `Namespaces.mapIdentities`, for a privileged user.
    package var mapper: [String]

    /// A plan from its parts.
    package init(names: [String], folder: String, mapper: [String]) {
      self.names = names
      self.folder = folder
      self.mapper = mapper
    }
  }

  /// Moves this process into a world by this plan; where it throws, the process is of no more use.
  package static func enter(_ plan: Plan) throws(IsolationError) {
    try Namespaces.enter(mapper: plan.mapper)
    var mounts = try Mounts()
    try Loopback.start()
    try NameService.replace(with: plan.names, in: plan.folder, &mounts)
    for (place, file) in plan.covers.sorted(by: { $0.key < $1.key }) {
      try mounts.show(file, ifAnythingAt: place)
    }
    try Capabilities.keepFromPrograms()
  }
}
