extension Journal {
  /// One request with its answer.
  package struct Exchange: Sendable {
    /// Its number since the journal was last emptied, from 1.
    package internal(set) var ordinal = 0
    /// When it was answered.
    package let at: Timestamp
    /// Whose route it was: a provider, or ours; empty for nobody's.
    package let owner: String
    /// The route's name; nil when none matched.
    package let route: String?
    /// The request's method.
    package let method: String
    /// Path and query as they came.
    package private(set) var target: String
    /// The request's header lines.
    package private(set) var requestHead: [UInt8]
    /// The request's body.
    package private(set) var requestBody: [UInt8]
    /// The answer's status code.
    package let status: Int
    /// The answer's header lines.
    package private(set) var responseHead: [UInt8]
    /// The answer's body.
    package private(set) var responseBody: [UInt8]
    /// For a refusal: what really happened, in plain words.
    package let why: String?
    /// Fields that the client sent and no handler read.
    package let unread: [String]
    /// For a request without a route: the routes most like it.
    package let nearest: [String]

    /// An exchange from its parts; the journal numbers it.
    package init(
      at: Timestamp, owner: String, route: String?, method: String, target: String, requestHead: [UInt8],
      requestBody: [UInt8], status: Int, responseHead: [UInt8], responseBody: [UInt8], why: String?,
      unread: [String], nearest: [String]
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
    }
  }
}

extension Journal.Exchange {
  /// How many bytes its parts have.
  struct Sizes {
    let target: Int
    let requestHead: Int
    let requestBody: Int
    let responseHead: Int
    let responseBody: Int

    /// All of them together.
    var total: Int { target + requestHead + requestBody + responseHead + responseBody }
  }

  /// How many bytes its parts have.
  var sizes: Sizes {
    Sizes(
      target: target.utf8.count, requestHead: requestHead.count, requestBody: requestBody.count,
      responseHead: responseHead.count, responseBody: responseBody.count)
  }

  /// Puts its parts behind what there is already, and lets go of them.
  mutating func moveParts(to bytes: inout [UInt8]) {
    target.withUTF8 { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: requestHead)
    bytes.append(contentsOf: requestBody)
    bytes.append(contentsOf: responseHead)
    bytes.append(contentsOf: responseBody)
    target = ""
    (requestHead, requestBody, responseHead, responseBody) = ([], [], [], [])
  }

  /// Takes its parts from where `moveParts` put them.
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
