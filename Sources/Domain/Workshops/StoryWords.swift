import JSON
import Numbers

extension StoryTask {
  /// `createVerification with +12025550100, answered with 201`, or the kind of the event.
  func words(for step: StoryStep) -> String {
    guard let request = step.request else { return step.event?.kind.rawValue ?? "" }
    let text = request.contains.map(shown)
    let name = request.route.map { route in route + (text.map { " with \($0)" } ?? "") }
    let status = request.status.map { ", answered with \($0)" }
    return (name ?? [request.method, text].compactMap(\.self).joined(separator: " ")) + (status ?? "")
      + (request.answerContains.map { ", with \($0) in the answer" } ?? "")
  }

  /// Why an accepted request is not the step that comes next: `it was for +12025550111, not for
  /// +12025550100`. Nil if the request may be useful. `destination`: that of its verification.
  func mismatch(
    of exchange: Journal.Exchange, step index: Int, destination: String?, search: JournalFilter.TextSearch
  ) -> String? {
    guard let step = done[safe: index] else { return nil }
    guard let request = step.request else {
      let isLater = done.dropFirst(index + 1).contains { $0.request?.isKind(of: exchange) ?? false }
      return isLater ? "it came too early: the task waits for \(words(for: step)) first" : nil
    }
    guard request.isKind(of: exchange) else { return nil }
    let numbers = phoneNumbers.map(\.description)
    let named = destination ?? Self.firstNumber(of: exchange)
    let text = request.contains.flatMap { search($0, exchange.sentText) ? nil : shown($0) }
    if let named, let wanted = text.map({ numbers.contains($0) ? $0 : nil }) ?? numbers.first,
      named != wanted, text != nil || !numbers.contains(named)
    {
      return "it was for \(named), not for \(wanted)"
    }
    return text.map { "the task waits for one with \($0)" }
  }

  /// A number as the task writes it: requests may have it without the plus sign.
  private func shown(_ text: String) -> String {
    guard text.count >= 7 else { return text }
    return phoneNumbers.map(\.description).first { $0.hasSuffix(text) } ?? text
  }

  /// The first number with a plus sign in path, query or body.
  private static func firstNumber(of exchange: Journal.Exchange) -> String? {
    String(decoding: exchange.sentText.prefix(4096), as: UTF8.self).replacing("%2B", with: "+")
      .phoneNumbers.first?.description
  }
}

extension JournalFilter {
  /// True if the request is to the same route.
  fileprivate func isKind(of exchange: Journal.Exchange) -> Bool {
    route != nil && route == exchange.route && (provider == nil || provider == exchange.owner)
  }
}

extension Journal.Exchange {
  /// What a step's text is searched in.
  fileprivate var sentText: [UInt8] { Array(target.utf8) + [UInt8(ascii: " ")] + requestBody }
}
