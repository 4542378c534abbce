import Glibc
import HTTP
import Isolation
import Loop

/// What a supervised server is doing, in memory that it shares with its supervisor. The supervisor reads it
/// after a crash; a server that was killed cannot say it itself.
///
/// ```
/// byte 0: phase · 2: length of the text · 8: time of the last crash, in ms · 16: restarts · 32: method and path ·
///      512: random bytes for tokens
/// ```
struct ServerStatus {
  enum Phase: UInt8 {
    case starting
    /// The text is the last request; empty if there was none.
    case waiting
    /// The text is the current request.
    case handling
    /// The text is the last request of the transaction.
    case committing
  }

  let descriptor: Int32
  private let memory: UnsafeMutableRawPointer

  private static let textStart = 32
  private static let textEnd = 512
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

  /// Maps the memory of a supervisor.
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

  /// The method and path of the current or last request. Long paths are cut.
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

  /// Called on the hot path: two copies and three stores.
  func begin(_ request: Request) {
    var text = UnsafeMutableRawBufferPointer(start: memory, count: Self.textEnd)[Self.textStart...]
    Self.append(request.method.rawValue, to: &text)
    Self.append(" ", to: &text)
    Self.append(request.target.path, to: &text)
    memory.storeBytes(of: UInt16(text.startIndex - Self.textStart), toByteOffset: 2, as: UInt16.self)
    phase = .handling
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
    switch phase {
    case .starting: "while starting"
    case .waiting:
      request.isEmpty ? "before its first request" : "between requests; the last one was \(request)"
    case .handling: "while handling \(request)"
    case .committing:
      request.isEmpty ? "while saving" : "while saving; the last request was \(request)"
    }
  }
}
