import Glibc
import HTTP
import Isolation
import Loop

/// What a server is doing, in memory that it shares with its supervisor. The supervisor reads it after a
/// crash; a server that was killed cannot say it itself. Without a supervisor, the server says it when it
/// crashes.
///
/// ```
/// byte 0: phase · 2: length of the text · 4: length of method and path · 8: time of the last crash, in ms ·
///      16: restarts · 32: method, path and operation · 512: random bytes for tokens
/// ```
struct ServerStatus {
  enum Phase: UInt8, CaseIterable {
    case starting
    /// The text is the last request; empty if there was none.
    case waiting
    /// The text is the current request.
    case handling
    /// The text is the last request of the transaction.
    case committing
    /// Work of sandboxes that is due, such as the end of a verification. The text is the last request.
    case working

    /// What a report says: alone, and before the text.
    fileprivate var words: (alone: StaticString, before: StaticString) {
      switch self {
      case .starting: ("while starting", "while starting; the last request was ")
      case .waiting: ("before its first request", "between requests; the last one was ")
      case .handling: ("while handling a request", "while handling ")
      case .committing: ("while saving", "while saving; the last request was ")
      case .working: ("while doing due work", "while doing due work; the last request was ")
      }
    }
  }

  let descriptor: Int32
  private let memory: UnsafeMutableRawPointer

  private static let textStart = 32
  private static let textEnd = 512
  /// Room for the operation.
  private static let operationSize = 100
  private static let secretLength = 32
  private static let bytes = textEnd + 2 * secretLength

  /// Creates the memory, for a supervisor.
  init() throws(Files.Failure) {
    guard let descriptor = SharedMemory.create(bytes: Self.bytes) else {
      throw Files.failure("shared memory")
    }
    try self.init(descriptor)
    guard let secrets = try? EventLoop.randomBytes(2 * Self.secretLength) else {
      throw Files.failure("random bytes")
    }
    (memory + Self.textEnd).copyMemory(from: secrets, byteCount: secrets.count)
  }

  init(_ descriptor: Int32) throws(Files.Failure) {
    let memory = mmap(nil, Self.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let memory, memory != MAP_FAILED else { throw Files.failure("shared memory") }
    self.descriptor = descriptor
    self.memory = memory
  }

  var phase: Phase {
    get { Phase(rawValue: memory.load(as: UInt8.self)) ?? .starting }
    nonmutating set { memory.storeBytes(of: newValue.rawValue, as: UInt8.self) }
  }

  /// The method, path and operation of the current or last request. Long paths are cut.
  var request: String {
    let length = min(Int(memory.load(fromByteOffset: 2, as: UInt16.self)), Self.textEnd - Self.textStart)
    let text = UnsafeRawBufferPointer(start: memory + Self.textStart, count: length)
    return String(decoding: text.map { 0x20..<0x7F ~= $0 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
  }

  /// The secrets of tokens, the same for all servers of a supervisor, so that a restart locks no client out.
  var secrets: (admin: [UInt8], sandboxes: [UInt8]) {
    let bytes = Array(UnsafeRawBufferPointer(start: memory + Self.textEnd, count: 2 * Self.secretLength))
    return (Array(bytes.prefix(Self.secretLength)), Array(bytes.suffix(Self.secretLength)))
  }

  /// The number of restarts so far.
  var restarts: Int { Int(memory.load(fromByteOffset: 16, as: UInt32.self)) }

  /// The time since the crash that led to the last restart.
  var timeSinceCrash: Duration {
    .milliseconds(EventLoop.monotonicMilliseconds() - memory.load(fromByteOffset: 8, as: Int64.self))
  }

  /// Called on the hot path: two copies and four stores.
  func begin(_ request: Request) {
    var text = text(upTo: Self.textEnd - Self.operationSize)
    Self.append(request.method.rawValue, to: &text)
    Self.append(" ", to: &text)
    Self.append(request.target.path, to: &text)
    memory.storeBytes(of: UInt16(text.startIndex), toByteOffset: 4, as: UInt16.self)
    endText(text)
    phase = .handling
  }

  /// Adds the operation of the current request. Another one replaces it: a request may send others.
  func name(_ operation: String, of owner: String) {
    guard phase == .handling else { return }
    var text = text(upTo: Self.textEnd)
    text = text.dropFirst(Int(memory.load(fromByteOffset: 4, as: UInt16.self)) - Self.textStart)
    for part in [" (", owner, " ", operation, ")"] { Self.append(part, to: &text) }
    endText(text)
  }

  private func text(upTo end: Int) -> Slice<UnsafeMutableRawBufferPointer> {
    UnsafeMutableRawBufferPointer(start: memory, count: end)[Self.textStart...]
  }

  private func endText(_ rest: Slice<UnsafeMutableRawBufferPointer>) {
    memory.storeBytes(of: UInt16(rest.startIndex - Self.textStart), toByteOffset: 2, as: UInt16.self)
  }

  /// From here on, this process says on standard error what it was doing when a signal ended it.
  func reportCrashes() {
    let activity = CrashReport.Activity(
      phase: UnsafePointer(memory.assumingMemoryBound(to: UInt8.self)),
      length: UnsafePointer((memory + 2).assumingMemoryBound(to: UInt16.self)),
      text: UnsafePointer((memory + Self.textStart).assumingMemoryBound(to: CChar.self)))
    CrashReport.begin(activity, words: Phase.allCases.map(\.words))
  }

  /// Prepares the start of the next server.
  func recordCrash() {
    memory.storeBytes(of: 0, toByteOffset: 2, as: UInt16.self)
    memory.storeBytes(of: EventLoop.monotonicMilliseconds(), toByteOffset: 8, as: Int64.self)
    memory.storeBytes(of: UInt32(restarts + 1), toByteOffset: 16, as: UInt32.self)
    phase = .starting
  }

  /// Prepares the start of a server after one that has ended as it should.
  func recordHandOver() {
    memory.storeBytes(of: 0, toByteOffset: 2, as: UInt16.self)
    phase = .starting
  }

  /// Copies as much as fits to the start of `target`, and shortens it by that.
  private static func append(_ text: String, to target: inout Slice<UnsafeMutableRawBufferPointer>) {
    text.utf8.withContiguousStorageIfAvailable { bytes in
      let part = UnsafeRawBufferPointer(bytes).prefix(target.count)
      UnsafeMutableRawBufferPointer(rebasing: target).copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
      target = target.dropFirst(part.count)
    }
  }
}

extension ServerStatus: CustomStringConvertible {
  /// What the server was doing, for the log.
  var description: String {
    let (words, request) = (phase.words, request)
    return request.isEmpty ? "\(words.alone)" : "\(words.before)\(request)"
  }
}
