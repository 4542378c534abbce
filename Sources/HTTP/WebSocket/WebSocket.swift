/// A WebSocket (RFC 6455) that a handler opens: what it sends, and how it answers its client.
///
/// ```
/// .webSocket("/jobs/{id}/events", as: "watchJob") { request, sandbox in
///   let id = try Job.find(request[parameter: "id"], in: sandbox).id
///   return WebSocket(key: id, whenReplaced: 4409, state: 0) { sent in
///     let job = try Job.find(id, in: sandbox)
///     defer { sent = job.events.count }
///     let news = job.events.dropFirst(sent).map(\.json)
///     return .init(news, close: job.hasEnded ? .normal : nil, updateAfter: job.timeLeft(at: sandbox.clock.now))
///   } receive: { message, _ in
///     message == Array("ping".utf8) ? ["pong"] : []
///   }
/// }
/// ```
///
/// An error that the handler throws is an ordinary response. Both closures run like requests: due work first,
/// in a transaction, and nothing is sent before the commit. Their errors undo their changes and close the
/// socket.
package struct WebSocket {
  /// Sockets with the same key, route and sandbox replace each other: the newest stays open. Nil: no other is
  /// replaced.
  package var key: String?
  /// How this socket closes when a newer one replaces it.
  package let whenReplaced: Close
  /// Returns what to send now. Called after the opening, after every change of the sandbox, and after
  /// `updateAfter`.
  package var update: () throws -> Output
  /// Handles one text message in UTF-8. `update` is called afterwards.
  package var receive: (_ message: [UInt8]) throws -> Output
  /// What the socket watches. The dispatcher sets it. Nil: everything.
  package var source: Source?

  /// `state` belongs to this connection: for example, how many events were sent. It starts again when the
  /// client connects again.
  package init<State>(
    key: String? = nil, whenReplaced: Close = .replaced, state: State,
    update: @escaping (_ state: inout State) throws -> Output,
    receive: @escaping (_ message: [UInt8], _ state: inout State) throws -> Output = { _, _ in [] }
  ) {
    var state = state
    /// An error leaves the state as it was.
    func keeping(_ body: (inout State) throws -> Output) throws -> Output {
      var changed = state
      let output = try body(&changed)
      state = changed
      return output
    }
    self.key = key
    self.whenReplaced = whenReplaced
    self.update = { try keeping(update) }
    self.receive = { message in try keeping { try receive(message, &$0) } }
  }
}

extension WebSocket {
  /// What to send, in this order.
  package struct Output: Sendable, ExpressibleByArrayLiteral {
    /// Text messages in UTF-8.
    package var messages: [[UInt8]]
    /// Closes the socket after the messages. Neither closure is called again.
    package var close: Close?
    /// `update` is called again after this time on the sandbox's clock, even without a change. Replaces an
    /// earlier time. Only `update` can set it.
    package var updateAfter: Duration?

    package init(_ messages: [[UInt8]] = [], close: Close? = nil, updateAfter: Duration? = nil) {
      self.messages = messages
      self.close = close
      self.updateAfter = updateAfter
    }

    package init(arrayLiteral messages: String...) { self.init(messages.map { Array($0.utf8) }) }

    package var isEmpty: Bool { messages.isEmpty && close == nil }
  }

  /// Why a socket closes (RFC 6455, 7.4). 4000 to 4999 belong to applications.
  package struct Close: Sendable, Equatable, ExpressibleByIntegerLiteral {
    package let code: UInt16
    /// At most 123 bytes, because a control frame holds no more. The rest is dropped.
    package let reason: String

    package init(_ code: UInt16, reason: String = "") {
      precondition(Self.isAllowed(code), "\(code) is not a close code")
      self.code = code
      var short = String(reason.prefix(Self.reasonLimit))
      while short.utf8.count > Self.reasonLimit { short.removeLast() }
      self.reason = short
    }

    package init(integerLiteral code: UInt16) { self.init(code) }

    private static let reasonLimit = 123

    /// True for a code that a close frame may have. Source: RFC 6455, 7.4.
    static func isAllowed(_ code: UInt16) -> Bool {
      (1000...4999).contains(code) && !(1004...1006).contains(code)
    }

    package static let normal: Self = 1000
    /// The server stops, or the sandbox was reset or deleted.
    package static let goingAway: Self = 1001
    static let protocolError: Self = 1002
    package static let unsupportedData: Self = 1003
    /// Text that is not UTF-8.
    static let invalidText: Self = 1007
    static let messageTooBig: Self = 1009
    package static let internalError: Self = 1011
    /// Too many messages, or too much stored. Source: IANA's registry of close codes.
    package static let tryAgainLater: Self = 1013
    package static let replaced = Self(1008, reason: "another connection replaced this one")
  }

  /// Something that changes, such as a sandbox. Its sockets are updated together.
  package struct Source {
    package let object: AnyObject
    /// Differs after every change.
    package let changeCount: () -> Int

    package init(_ object: AnyObject, changeCount: @escaping () -> Int) {
      self.object = object
      self.changeCount = changeCount
    }
  }
}
