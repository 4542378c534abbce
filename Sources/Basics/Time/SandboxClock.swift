/// The clock of a sandbox. All code that needs the time reads it here.
package struct SandboxClock: Sendable {
  package enum Mode: Equatable, Sendable {
    /// The wall clock.
    case real
    /// A fixed time, until it is set or advanced.
    case frozen(Timestamp)
    /// The wall clock plus a duration.
    case offset(Duration)

    /// The mode's name in the control API and in the database.
    package var word: String {
      switch self {
      case .real: "real"
      case .frozen: "frozen"
      case .offset: "offset"
      }
    }
  }

  /// The times that a clock can be set to: 1970 to 9998.
  ///
  /// Not earlier, because identifiers, tokens and attempts count milliseconds or seconds from 1970. Not
  /// later, so that expiries and retries that begin in the last hour still have a year of four digits.
  package static let range =
    Timestamp(milliseconds: 0)...Timestamp(milliseconds: 253_370_764_799_999)

  package private(set) var mode: Mode
  package let wallClock: WallClock
  /// The machine's time during a transaction: everything in it happens at one time.
  private var heldTime: Timestamp?

  package init(mode: Mode, wallClock: @escaping WallClock) {
    self.mode = mode
    self.wallClock = wallClock
  }

  package var now: Timestamp {
    switch mode {
    case .real: machineTime
    case .frozen(let time): time
    case .offset(let shift): Self.limited(machineTime + shift)
    }
  }

  /// The machine's time, whatever this clock shows.
  package var machineTime: Timestamp { heldTime ?? wallClock() }

  /// Stops a running clock until `goOn`. Returns false if it was stopped already.
  package mutating func hold() -> Bool {
    guard heldTime == nil else { return false }
    heldTime = wallClock()
    return true
  }

  package mutating func goOn() { heldTime = nil }

  /// The nearest time in the range. A clock that has run to the end stops there.
  fileprivate static func limited(_ time: Timestamp) -> Timestamp {
    min(max(time, range.lowerBound), range.upperBound)
  }

  package mutating func set(_ mode: Mode) {
    self.mode = mode
  }

  /// The mode in which the clock shows this time: a frozen clock stays frozen, a running clock goes on from
  /// there.
  package func mode(showing time: Timestamp) -> Mode {
    if case .frozen = mode { return .frozen(time) }
    return .offset(time - machineTime)
  }
}

extension SandboxClock.Mode {
  /// The mode's number in the database: the frozen time or the offset, in milliseconds.
  package var value: Int64 {
    switch self {
    case .real: 0
    case .frozen(let time): time.milliseconds
    case .offset(let shift): shift.milliseconds
    }
  }

  package init(word: String, value: Int64) {
    switch word {
    case "frozen":
      self = .frozen(SandboxClock.limited(Timestamp(milliseconds: value)))
    case "offset": self = .offset(.milliseconds(value))
    default: self = .real
    }
  }
}

/// Reads the machine's clock. The caller provides it, so that no code here depends on real time.
package typealias WallClock = @Sendable () -> Timestamp
