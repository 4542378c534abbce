extension Journal {
  /// One request with its answer.
  package struct Exchange: Sendable {
    /// Counted from 1 since the journal was last emptied.
    package internal(set) var ordinal = 0
    /// The time of the answer.
    package let at: Timestamp
    /// The owner of the route; empty for an unknown path.
    package let owner: String
    /// The route's name; nil where none matched.
    package let route: String?
    package let method: String
    /// Path and query.
    package private(set) var target: String
    package private(set) var requestHead: [UInt8]
    package private(set) var requestBody: [UInt8]
    package let status: Int
    package private(set) var responseHead: [UInt8]
    package private(set) var responseBody: [UInt8]
    /// For an error: the reason, in plain words.
    package let why: String?
    /// Fields that the client sent and no handler read.
    package let unread: [String]
    /// For an unknown path: the most similar routes.
    package let nearest: [String]
    package let effects: Effects
    /// How long the answer was held back: by latency, a fault, or the route itself.
    package let delay: Duration

    package init(
      at: Timestamp, owner: String, route: String?, method: String, target: String, requestHead: [UInt8],
      requestBody: [UInt8], status: Int, responseHead: [UInt8], responseBody: [UInt8], why: String?,
      unread: [String], nearest: [String], effects: Effects = Effects(),
      delay: Duration = .zero
    ) {
      self.at = at
      self.owner = owner
      self.route = route
      self.method = method
      self.target = target
      self.requestHead = requestHead
      self.requestBody = requestBody
      self.status = status
      self.responseHead = responseHead
      self.responseBody = responseBody
      self.why = why
      self.unread = unread
      self.nearest = nearest
      self.effects = effects
      self.delay = delay
    }
  }

  /// Whatever a request has changed in the sandbox, and the verification that it was about.
  package struct Effects: Equatable, Sendable {
    /// The sandbox's newest ordinal before the request. What the request created has higher ordinals.
    package let newestBefore: Int
    /// The newest ordinal after it.
    package let newestAfter: Int
    /// The ordinal of the verification; nil if the request was about none.
    package let verification: Int?

    package init(newestBefore: Int = 0, newestAfter: Int = 0, verification: Int? = nil) {
      self.newestBefore = newestBefore
      self.newestAfter = newestAfter
      self.verification = verification
    }

    /// True if the request created what has this ordinal.
    package func contains(_ ordinal: Int) -> Bool { newestBefore < ordinal && ordinal <= newestAfter }
  }
}

extension Journal.Exchange {
  /// The sizes of its parts in bytes.
  struct Sizes {
    let target: Int
    let requestHead: Int
    let requestBody: Int
    let responseHead: Int
    let responseBody: Int

    var total: Int { target + requestHead + requestBody + responseHead + responseBody }
  }

  var sizes: Sizes {
    Sizes(
      target: target.utf8.count, requestHead: requestHead.count, requestBody: requestBody.count,
      responseHead: responseHead.count, responseBody: responseBody.count)
  }

  /// Appends its parts to `bytes`, and clears them.
  mutating func moveParts(to bytes: inout [UInt8]) {
    target.withUTF8 { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: requestHead)
    bytes.append(contentsOf: requestBody)
    bytes.append(contentsOf: responseHead)
    bytes.append(contentsOf: responseBody)
    target = ""
    (requestHead, requestBody, responseHead, responseBody) = ([], [], [], [])
  }

  /// Restores its parts from bytes that `moveParts` has written.
  mutating func takeParts(from bytes: [UInt8], at start: Int, _ sizes: Sizes) {
    var rest = bytes[start...]
    func next(_ count: Int) -> ArraySlice<UInt8> {
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
    target = String(decoding: next(sizes.target), as: UTF8.self)
    requestHead = Array(next(sizes.requestHead))
    requestBody = Array(next(sizes.requestBody))
    responseHead = Array(next(sizes.responseHead))
    responseBody = Array(next(sizes.responseBody))
  }
}
