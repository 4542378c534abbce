import JSON

/// A body with its fields in other orders than it was sent with. Source: contract 15, what users report.
struct FieldOrders {
  /// All orders of seven fields, and one field at another place.
  private static let countLimit = 5_100
  /// Of a body. More are no request of this API.
  private static let fieldLimit = 40
  /// Of all bodies together, so that comparing a signature with each takes some milliseconds.
  private static let byteLimit = 2_000_000

  /// None for a body that is large or has one field only.
  let bodies: [[UInt8]]

  /// `keyCount`: how often each body is hashed.
  init(of body: [UInt8], hashedBy keyCount: Int) {
    let limit = min(Self.countLimit, Self.byteLimit / (max(body.count, 400) * max(keyCount, 1)))
    guard body.first == UInt8(ascii: "{") else {
      let fields = body.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
      bodies = Self.orders(of: fields.count, atMost: limit).map { order in
        Array(order.map { fields[$0] }.joined(separator: "&".utf8))
      }
      return
    }
    guard case .object(let members)? = try? JSON(parsing: body), members.count <= Self.fieldLimit else {
      bodies = []
      return
    }
    let compact = members.map { JSON.object([$0]).encoded().dropFirst().dropLast() }
    let spaced = compact.map { Array(SigningMistake.withSpaces(Array($0)).utf8)[...] }
    let orders = Self.orders(of: members.count, atMost: limit / 2)
    bodies = [(compact, ","), (spaced, ", ")].flatMap { fields, comma in
      orders.map { order in
        Array("{".utf8) + order.map { fields[$0] }.joined(separator: comma.utf8) + Array("}".utf8)
      }
    }
  }

  /// Backwards, then one field at another place, then all orders of a few fields.
  private static func orders(of count: Int, atMost limit: Int) -> [[Int]] {
    guard (2...fieldLimit).contains(count), limit > 0 else { return [] }
    let sent = Array(0..<count)
    var orders = [Array(sent.reversed())]
    for from in sent {
      for to in sent where to != from {
        guard orders.count < limit else { return orders }
        var order = sent
        order.insert(order.remove(at: from), at: to)
        orders.append(order)
      }
    }
    var order = sent
    while orders.count < limit, advance(&order) { orders.append(order) }
    return orders
  }

  /// The next order by its numbers; false after the last one.
  private static func advance(_ order: inout [Int]) -> Bool {
    guard let pivot = order.indices.dropLast().last(where: { order[$0] < order[$0 + 1] }),
      let next = order.indices.last(where: { order[$0] > order[pivot] })
    else { return false }
    order.swapAt(pivot, next)
    order[(pivot + 1)...].reverse()
    return true
  }
}
