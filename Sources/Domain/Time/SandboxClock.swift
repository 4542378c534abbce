/// The only reader of time: what a sandbox takes for now.
package struct SandboxClock: Sendable {
  /// How a sandbox's time relates to the wall clock.
  package enum Mode: Equatable, Sendable {
    /// The wall clock's time.
    case real
    /// Stands still until it is set or advanced.
    case frozen(Timestamp)
    /// The wall clock's time, shifted.
    case offset(Duration)

    /// The mode's word in the control API and in the database.
    package var word: String {
      switch self {
      case .real: "real"
      case .frozen: "frozen"
      case .offset: "offset"
      }
    }
  }

  /// How now is told.
  package private(set) var mode: Mode
  private let wallClock: WallClock

  /// A clock in this mode over this wall clock.
  package init(mode: Mode, wallClock: @escaping WallClock) {
    self.mode = mode
    self.wallClock = wallClock
  }

  /// The present time of the sandbox.
  package var now: Timestamp {
    switch mode {
    case .real: wallClock()
    case .frozen(let time): time
    case .offset(let shift): wallClock() + shift
    }
  }

  /// Goes on in another mode.
  package mutating func set(_ mode: Mode) {
    self.mode = mode
  }

  /// The mode in which now is this time: frozen stays frozen, a running clock goes on from there.
  package func mode(showing time: Timestamp) -> Mode {
    if case .frozen = mode { return .frozen(time) }
    return .offset(time - wallClock())
  }
}

/// Reads the machine's clock; given by whoever runs the loop, so that nothing here can.
package typealias WallClock = @Sendable () -> Timestamp
