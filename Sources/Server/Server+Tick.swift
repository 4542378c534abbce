import HTTP
import Loop

extension Server {
  /// What happened since the last commit.
  struct Tick {
    /// A request whose effects are not committed, and how its answer is framed.
    struct Held {
      let connection: ClientConnection
      let request: Request
      let context: ResponseEncoder.Context
    }

    /// In the order they were answered, or began to wait.
    var held: [Held] = []
    /// Connections with something to write.
    var dirty: [ClientConnection] = []
    /// Whether a commit is due and waiting answers may have come true.
    var hasChanges = false
    /// Buffers that were written out, to be filled again.
    var spareBuffers: [[UInt8]] = []

    private static let spareLimit = 64

    /// An empty buffer, with room if one was given back.
    mutating func takeBuffer() -> [UInt8] { spareBuffers.popLast() ?? [] }

    /// Keeps a written buffer's room for the next answer, unless it grew out of proportion.
    mutating func give(back buffer: consuming [UInt8]) {
      guard spareBuffers.count < Self.spareLimit, 1...65_536 ~= buffer.capacity else { return }
      buffer.removeAll(keepingCapacity: true)
      spareBuffers.append(buffer)
    }
  }

  /// Commits, writes, and goes on until no answer is left to write: what was held up by a full buffer
  /// or waited for this commit is answered in the next round, not in the next event.
  func endTick() {
    loop.assertHere()
    while tick.hasChanges || !tick.dirty.isEmpty {
      let hadChanges = tick.hasChanges
      tick.hasChanges = false
      if hadChanges || !tick.held.isEmpty { commit() }
      flush()
      if hadChanges { answerFollows() }
    }
  }

  private func commit() {
    let isKept = application.endOfTick()
    if !isKept { replaceHeld() }
    tick.held.removeAll(keepingCapacity: true)
  }

  /// Nothing of this tick was kept, so every answer of it is taken back.
  private func replaceHeld() {
    for held in tick.held { held.connection.takeBack() }
    for held in tick.held {
      held.connection.append(application.refusal(.failure, for: held.request), for: held.context)
    }
  }

  private func flush() {
    var dirty: [ClientConnection] = []
    swap(&dirty, &tick.dirty)
    for connection in dirty {
      connection.flush()
      connection.readOn()
    }
    if tick.dirty.isEmpty {
      dirty.removeAll(keepingCapacity: true)
      swap(&dirty, &tick.dirty)
    }
  }
}
