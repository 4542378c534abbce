import Control
import Markup

/// What is different in two requests of one operation and in their answers.
struct RequestComparison {
  struct Difference {
    let name: String
    let before: String?
    let now: String?
  }

  /// The most lines of a table.
  private static let shown = 200

  private let earlier: MaskedExchange
  private let differences: [Difference]
  /// Those in answers with different statuses, which have hardly a member in common.
  private let otherAnswer: [Difference]

  init(_ earlier: MaskedExchange, _ later: MaskedExchange) {
    self.earlier = earlier
    let (before, now) = (Self.parts(of: earlier), Self.parts(of: later))
    let old = Dictionary(before.map { ($0.name, $0.value) }) { first, _ in first }
    let new = Dictionary(now.map { ($0.name, $0.value) }) { first, _ in first }
    let names = before.map(\.name) + now.map(\.name).filter { old[$0] == nil }
    var all = names.filter { old[$0] != new[$0] }
      .map { Difference(name: $0, before: old[$0], now: new[$0]) }
    all += Self.differenceOfLargeBodies(earlier.exchange, later.exchange)
    let isOtherAnswer = earlier.exchange.status != later.exchange.status
    let isOfOtherAnswer = { (difference: Difference) in isOtherAnswer && difference.name.hasPrefix("answer") }
    otherAnswer = all.filter(isOfOtherAnswer)
    differences = all.filter { !isOfOtherAnswer($0) }
  }

  private typealias Part = (name: String, value: String)

  private static func parts(of exchange: MaskedExchange) -> [Part] {
    let sizes = exchange.exchange.bodySizes
    return [("target", exchange.target), ("status", String(exchange.exchange.status))]
      + fields(exchange.requestHead.dropFirst(), "request header")
      + (isLarge(sizes.request) ? [] : members(exchange.requestBody, "request"))
      + (isLarge(sizes.response) ? [] : members(exchange.responseBody, "answer"))
  }

  /// Large bodies are compared as a whole.
  private static func isLarge(_ size: Int) -> Bool { size > BodyView.sizeLimit }

  private static func differenceOfLargeBodies(
    _ earlier: Journal.Exchange, _ later: Journal.Exchange
  ) -> [Difference] {
    let (before, now) = (earlier.bodySizes, later.bodySizes)
    func difference(_ name: String, _ before: Int, _ now: Int, _ isEqual: () -> Bool) -> [Difference] {
      guard isLarge(before) || isLarge(now), before != now || !isEqual() else { return [] }
      let end = before == now ? ", with another content" : ""
      return [Difference(name: name, before: "\(before) bytes", now: "\(now) bytes\(end)")]
    }
    return difference("request", before.request, now.request) { earlier.requestBody == later.requestBody }
      + difference("answer", before.response, now.response) { earlier.responseBody == later.responseBody }
  }

  /// Header fields, apart from those that are different each time.
  private static func fields(_ lines: ArraySlice<String>, _ place: String) -> [Part] {
    lines.compactMap { line in
      let pair = line.split(separator: ":", maxSplits: 1)
      guard pair.count == 2, pair[0].lowercased() != "date" else { return nil }
      return ("\(place) \(pair[0])", String(pair[1].drop { $0 == " " }))
    }
  }

  /// The members of JSON by their paths, or the fields of a form.
  private static func members(_ body: String, _ place: String) -> [Part] {
    if let json = try? JSON(parsing: Array(body.utf8)) { return leaves(json, place) }
    return body.split(separator: "&").map { field in
      let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { text in
        PercentCoding.decode(Array(text.utf8), plusIsSpace: true) ?? String(text)
      }
      return ("\(place) \(pair[0])", pair.count > 1 ? pair[1] : "")
    }
  }

  private static func leaves(_ json: JSON, _ path: String) -> [Part] {
    switch json {
    case .object(let members) where !members.isEmpty:
      members.flatMap { leaves($0.value, "\(path).\($0.name)") }
    case .array(let items) where !items.isEmpty:
      items.enumerated().flatMap { leaves($1, "\(path)[\($0)]") }
    default: [(path, json.text)]
    }
  }

  func html(_ layout: Layout) -> HTML {
    section(.class("panel"), .id("differences")) {
      h2 {
        "Compared with "
        a(.href(layout.url("/console/requests/\(earlier.exchange.ordinal)"))) {
          "request \(earlier.exchange.ordinal)"
        }
        ", \(earlier.exchange.status)"
      }
      if differences.isEmpty { p(.class("empty")) { "No difference." } }
      if !differences.isEmpty { table(of: differences) }
      if !otherAnswer.isEmpty {
        details(.id("other-answer")) {
          summary { "\(otherAnswer.count) differences in the answer" }
          table(of: otherAnswer)
        }
      }
    }
  }

  private func table(of differences: [Difference]) -> HTML {
    div(.class("table")) {
      Markup.table(.class("compared")) {
        tableHead("Field", "Then", "Now")
        tbody {
          for difference in differences.prefix(Self.shown) {
            tr {
              td { difference.name }
              for value in [difference.before, difference.now] { td { code { value ?? "missing" } } }
            }
          }
        }
      }
      if differences.count > Self.shown { p(.class("help")) { "and \(differences.count - Self.shown) more" } }
    }
  }
}
