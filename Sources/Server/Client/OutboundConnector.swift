import Loop

/// The way to another host, up to the connection; a class because callbacks come back to it.
///
/// ```
/// look up ──> may it go there? ──> connect ──> connected
///                  │ no                │ next address; none left
///                  └──> refused        └──> failed
/// ```
final class OutboundConnector {
  /// What it is in the middle of, as sentences about its end have it.
  enum Stage: String {
    case lookingUp = "looking up the host"
    case connecting
    case over
  }

  /// What came of it.
  enum Outcome {
    /// A connection, which has no owner yet.
    case connected(TCPStream)
    /// Nobody was called, because it may not go there, and why.
    case refused(String)
    /// No address took a connection, and why.
    case failed(String)
  }

  private(set) var stage = Stage.lookingUp
  private let loop: EventLoop
  private let place: SocketAddress
  private let refusal: ([SocketAddress]) -> String?
  private var then: ((Outcome) -> Void)?
  private var addresses: ArraySlice<SocketAddress> = []
  private var stream: TCPStream?

  /// The way to a name or a literal address; `refusal` says of its addresses why it may not be taken.
  init(
    _ loop: EventLoop, to host: String, port: UInt16,
    refusal: @escaping ([SocketAddress]) -> String? = { _ in nil },
    then: @escaping (Outcome) -> Void
  ) {
    self.loop = loop
    self.refusal = refusal
    self.then = then
    place = SocketAddress(host: host, port: port)
  }

  /// Looks the host up, or goes on at once with a literal address.
  func start() {
    if place.isLiteral { return proceed(to: [place]) }
    do throws(LoopError) {
      try NameLookup.find(place.host, port: place.port, on: loop) { [weak self] outcome in
        switch outcome {
        case .success(let addresses): self?.proceed(to: addresses)
        case .failure(let error): self?.finish(.failed(error.description))
        }
      }
    } catch {
      finish(.failed(error.description))
    }
  }

  /// Ends it without a word.
  func abandon() {
    stage = .over
    then = nil
    stream?.close()
    stream = nil
  }

  private func proceed(to found: [SocketAddress]) {
    guard stage == .lookingUp else { return }
    if let reason = refusal(found) { return finish(.refused(reason)) }
    addresses = found[...]
    stage = .connecting
    connect(after: nil)
  }

  /// Tries the next address; when there is none, the last failure is everybody's.
  private func connect(after failure: LoopError?) {
    guard let address = addresses.popFirst() else {
      return finish(.failed(failure?.description ?? "\(place.host) has no address"))
    }
    do throws(LoopError) {
      stream = try TCPStream(loop, to: address) { [weak self] error in self?.connected(error) }
    } catch {
      connect(after: error)
    }
  }

  private func connected(_ error: LoopError?) {
    guard stage == .connecting, let stream else { return }
    guard let error else { return finish(.connected(stream)) }
    stream.close()
    connect(after: error)
  }

  private func finish(_ outcome: Outcome) {
    guard stage != .over else { return }
    let told = then
    stage = .over
    then = nil
    stream = nil
    told?(outcome)
  }
}
