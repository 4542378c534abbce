import Loop

/// Connects to a remote host.
///
/// ```
/// look up ──> allowed? ──> connect ──> connected
///               │ no         │ next address, or none left
///               └──> denied  └──> failed
/// ```
final class OutboundConnector {
  /// Raw values complete "timed out while …".
  enum Stage: String {
    case lookingUp = "looking up the host"
    case connecting
    case finished
  }

  enum Outcome {
    /// The stream has no owner yet.
    case connected(TCPStream)
    /// The destination is not allowed, for this reason.
    case denied(String)
    /// No address accepted a connection, for this reason.
    case failed(String)
  }

  private(set) var stage = Stage.lookingUp
  private let loop: EventLoop
  private let destination: SocketAddress
  private let denialReason: ([SocketAddress]) -> String?
  private var then: ((Outcome) -> Void)?
  private var addresses: ArraySlice<SocketAddress> = []
  private var stream: TCPStream?

  /// `denialReason` returns why the resolved addresses are not allowed, or nil.
  init(
    _ loop: EventLoop, to host: String, port: UInt16,
    denialReason: @escaping ([SocketAddress]) -> String? = { _ in nil },
    then: @escaping (Outcome) -> Void
  ) {
    self.loop = loop
    self.denialReason = denialReason
    self.then = then
    destination = SocketAddress(host: host, port: port)
  }

  /// Skips the lookup for a literal address.
  func start() {
    if destination.isLiteral { return connect(toAny: [destination]) }
    do throws(LoopError) {
      try NameLookup.find(destination.host, port: destination.port, on: loop) { [weak self] outcome in
        switch outcome {
        case .success(let addresses): self?.connect(toAny: addresses)
        case .failure(let error): self?.finish(.failed(error.description))
        }
      }
    } catch {
      finish(.failed(error.description))
    }
  }

  /// Stops without calling back.
  func cancel() {
    stage = .finished
    then = nil
    stream?.close()
    stream = nil
  }

  private func connect(toAny found: [SocketAddress]) {
    guard stage == .lookingUp else { return }
    if let why = denialReason(found) { return finish(.denied(why)) }
    addresses = found[...]
    stage = .connecting
    connectNext(after: nil)
  }

  /// Tries the next address. If none is left, reports the last error.
  private func connectNext(after failure: LoopError?) {
    guard let address = addresses.popFirst() else {
      return finish(.failed(failure?.description ?? "\(destination.host) has no address"))
    }
    do throws(LoopError) {
      stream = try TCPStream(loop, to: address) { [weak self] error in self?.didConnect(error) }
    } catch {
      connectNext(after: error)
    }
  }

  private func didConnect(_ error: LoopError?) {
    guard stage == .connecting, let stream else { return }
    guard let error else { return finish(.connected(stream)) }
    stream.close()
    connectNext(after: error)
  }

  private func finish(_ outcome: Outcome) {
    guard stage != .finished else { return }
    let callback = then
    stage = .finished
    then = nil
    stream = nil
    callback?(outcome)
  }
}
