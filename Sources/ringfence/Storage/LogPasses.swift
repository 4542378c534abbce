/// The passes that move a large log into the database. Requests go on until a pass has left little; they wait
/// for the last one, because under steady load something is always left.
struct LogPasses {
  /// In bytes: a pass over so much takes a few milliseconds.
  private static let smallRest = 1 << 20
  /// A slow disk may never get close to the end of the log.
  private static let most = 8

  private(set) var isRunning = false
  private var ended = 0
  /// The number of bytes that were added to the log during the last pass.
  private var rest = Int.max

  /// True if there was a pass, and the last one is still to come.
  var areUnfinished: Bool { ended > 0 }

  /// Begins a pass. True for the last one. A log near its limit may not grow during another one.
  mutating func begin(isNearLimit: Bool) -> Bool {
    isRunning = true
    return rest <= Self.smallRest || ended == Self.most || isNearLimit
  }

  /// `grown` is how many bytes were added to the log meanwhile; less than zero if it has started again.
  mutating func end(wasLast: Bool, grown: Int) {
    let isDone = wasLast || grown < 0
    (isRunning, ended, rest) = (false, isDone ? 0 : ended + 1, isDone ? .max : grown)
  }
}
