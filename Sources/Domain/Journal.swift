/// The record of requests received and answered: a bounded ring in memory, never in the database.
///
/// A class because it is one sandbox's and is written on every request.
package final class Journal {
  /// One request with its answer.
  package struct Exchange: Sendable {
    /// Its number since the journal was last emptied, from 1.
    package fileprivate(set) var ordinal = 0
    /// When it was answered.
    package let at: Timestamp
    /// Whose route it was: a provider, or ours; empty for nobody's.
    package let owner: String
    /// The route's name; nil when none matched.
    package let route: String?
    /// The request's method.
    package let method: String
    /// Path and query as they came.
    package let target: String
    /// The request's header lines.
    package let requestHead: [UInt8]
    /// The request's body.
    package let requestBody: [UInt8]
    /// The answer's status code.
    package let status: Int
    /// The answer's header lines.
    package let responseHead: [UInt8]
    /// The answer's body.
    package let responseBody: [UInt8]
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

  private var ring: [Exchange] = []
  private var count = 0
  private let capacity: Int

  /// A journal that keeps the newest `capacity` exchanges.
  package init(capacity: Int = 1000) {
    self.capacity = capacity
  }

  /// Writes one exchange down, over the oldest when the ring is full.
  package func record(_ exchange: consuming Exchange) {
    exchange.ordinal = count + 1
    if ring.count < capacity {
      ring.append(exchange)
    } else {
      ring[count % capacity] = exchange
    }
    count += 1
  }

  /// What is kept, oldest first.
  package var exchanges: [Exchange] {
    guard ring.count == capacity else { return ring }
    let oldest = count % capacity
    return Array(ring[oldest...] + ring[..<oldest])
  }

  /// Forgets everything and numbers from 1 again.
  package func clear() {
    ring = []
    count = 0
  }
}
