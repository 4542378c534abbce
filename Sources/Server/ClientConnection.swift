import Crypto
import HTTP
import Loop

/// One client's connection: requests in, answers out, in order; a class because the stream calls it back.
final class ClientConnection {
  /// What the connection is in the middle of, for its time-out.
  enum Stage { case threshold, handshake, idle, head, body, answering, lingering }

  /// Words beside the answers that are to be written next.
  enum Due { case nothing, continuation, establishment }

  /// How it goes on once everything is written.
  enum Ending { case none, close, reset }

  /// An answer that waits, and for whom; a class because every request asks whether there is one.
  final class Following {
    let follow: PendingReply
    let message: RequestParser.Message
    let deadline: UInt64

    init(follow: PendingReply, message: RequestParser.Message, deadline: UInt64) {
      self.follow = follow
      self.message = message
      self.deadline = deadline
    }
  }

  let server: Server
  let stream: TCPStream
  /// What encrypts it; nil where nothing does.
  var session: TLSSession?
  /// Its index in the server's list.
  var slot: Int
  /// Its index in the list of those that wait; nil when it does not.
  var followSlot: Int?
  /// The answer it waits for.
  var follow: Following?

  /// Where its bytes go, once they go outside.
  var tunnel: Tunnel?

  var parser: RequestParser
  let isSurplus: Bool
  /// Whether it may stay open for another request.
  let persists: Bool
  /// Whether its client may ask for a tunnel.
  var isProxy: Bool
  /// Answers of this tick.
  var output: [UInt8] = []
  /// Input whose turn has not come: an answer before it waits, or too much is queued for writing.
  var pending: [UInt8] = []
  /// The last answer of all, which belongs to no request.
  var parting: Response?
  var due = Due.nothing
  var isDirty = false
  var isClosed = false
  var inputEnded = false
  /// Whether bytes of the client were left unread, so that closing at once would reset the connection.
  var hasUnreadInput = false
  var ending = Ending.none
  var stage: Stage
  var stageBegan: UInt64
  var queuedBefore = 0
  var queueMoved: UInt64 = 0

  /// A connection of this server, told its places in the server's lists.
  init(
    _ server: Server, _ stream: TCPStream, _ session: TLSSession?, persists: Bool, isProxy: Bool,
    isSurplus: Bool, slot: Int
  ) {
    self.server = server
    self.stream = stream
    self.session = session
    self.persists = persists
    self.isProxy = isProxy
    self.isSurplus = isSurplus
    self.slot = slot
    stage = session == nil ? .idle : .handshake
    stageBegan = server.loop.milliseconds
    parser = RequestParser(
      limits: server.configuration.limits, scheme: session == nil ? "http" : "https",
      peer: stream.peer?.description ?? "",
      authority: stream.local?.description ?? "")
  }

  /// Begins to read.
  func start() {
    do throws(LoopError) { try stream.start(owner: self) } catch { stream.close() }
  }
}
