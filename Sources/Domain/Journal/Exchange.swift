package import Basics

extension Journal {
  /// One request with its answer.
  package struct Exchange: Sendable {
    /// Counted from 1 since the journal was last emptied.
    package var ordinal = 0
    /// The time of the answer.
    package let at: Timestamp
    /// The owner of the route; empty for an unknown path.
    package let owner: String
    /// The route's name; nil where none matched.
    package let route: String?
    package let method: String
    package let status: Int
    fileprivate var parts: Parts
    /// The reason, with what to change.
    package let reason: String?
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
      self.status = status
      parts = .own(
        target: target, requestHead: requestHead, requestBody: requestBody, responseHead: responseHead,
        responseBody: responseBody)
      reason = why
      self.unread = unread
      self.nearest = nearest
      self.effects = effects
      self.delay = delay
    }

    /// For an error, and for an answer such as that a code is wrong: the reason, in plain words.
    package var why: String? { reason?.withoutAdvice }
    /// What to change, where that is known.
    package var change: String? { reason?.advice }
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

/// What can be large. An exchange of the journal shares its memory, and a part is copied when somebody asks
/// for it: most look at few parts of many exchanges.
extension Journal.Exchange {
  fileprivate enum Parts: Sendable {
    case own(
      target: String, requestHead: [UInt8], requestBody: [UInt8], responseHead: [UInt8],
      responseBody: [UInt8])
    /// One after the other.
    case recorded(ArraySlice<UInt8>, Sizes)
  }

  /// The sizes of its parts in bytes.
  struct Sizes {
    let target: Int
    let requestHead: Int
    let requestBody: Int
    let responseHead: Int
    let responseBody: Int

    var total: Int { target + requestHead + requestBody + responseHead + responseBody }
  }

  /// Path and query.
  package var target: String {
    switch parts {
    case .own(let target, _, _, _, _): target
    case .recorded(let bytes, let sizes): String(decoding: bytes.prefix(sizes.target), as: UTF8.self)
    }
  }

  package var requestHead: [UInt8] {
    switch parts {
    case .own(_, let head, _, _, _): head
    case .recorded(let bytes, let sizes): Array(bytes.dropFirst(sizes.target).prefix(sizes.requestHead))
    }
  }

  package var requestBody: [UInt8] {
    switch parts {
    case .own(_, _, let body, _, _): body
    case .recorded(let bytes, let sizes):
      Array(bytes.dropFirst(sizes.target + sizes.requestHead).prefix(sizes.requestBody))
    }
  }

  package var responseHead: [UInt8] {
    switch parts {
    case .own(_, _, _, let head, _): head
    case .recorded(let bytes, let sizes):
      Array(bytes.dropLast(sizes.responseBody).suffix(sizes.responseHead))
    }
  }

  package var responseBody: [UInt8] {
    switch parts {
    case .own(_, _, _, _, let body): body
    case .recorded(let bytes, let sizes): Array(bytes.suffix(sizes.responseBody))
    }
  }

  /// The sizes of the bodies, which need not be copied for that.
  package var bodySizes: (request: Int, response: Int) { (sizes.requestBody, sizes.responseBody) }

  var sizes: Sizes {
    switch parts {
    case .own(let target, let requestHead, let requestBody, let responseHead, let responseBody):
      Sizes(
        target: target.utf8.count, requestHead: requestHead.count, requestBody: requestBody.count,
        responseHead: responseHead.count, responseBody: responseBody.count)
    case .recorded(_, let sizes): sizes
    }
  }

  /// Appends its parts to `bytes`, and clears them.
  mutating func moveParts(to bytes: inout [UInt8]) {
    switch parts {
    case .own(var target, let requestHead, let requestBody, let responseHead, let responseBody):
      target.withUTF8 { bytes.append(contentsOf: $0) }
      bytes.append(contentsOf: requestHead)
      bytes.append(contentsOf: requestBody)
      bytes.append(contentsOf: responseHead)
      bytes.append(contentsOf: responseBody)
    case .recorded(let recorded, _): bytes.append(contentsOf: recorded)
    }
    parts = .recorded([], Sizes(target: 0, requestHead: 0, requestBody: 0, responseHead: 0, responseBody: 0))
  }

  /// Restores its parts from bytes that `moveParts` has written.
  mutating func takeParts(from bytes: [UInt8], at start: Int, _ sizes: Sizes) {
    parts = .recorded(bytes[start..<(start + sizes.total)], sizes)
  }
}
