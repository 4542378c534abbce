import Control
import Markup

/// What a search finds in a sandbox, in groups: actions, pages, phones, verifications, requests.
struct SearchResults {
  /// One line: a link to a page, or a button with an action.
  struct Item {
    let text: String
    /// What it is, in a few words.
    let note: String
    let target: Target
  }

  enum Target {
    case page(String)
    case action(ActionButton)
  }

  private let groups: [(name: String, items: [Item])]

  var isEmpty: Bool { groups.allSatisfy(\.items.isEmpty) }

  private static let perGroup = 6
  /// Of each, the newest ones are searched.
  private static let searchedMessages = 400
  private static let searchedRecords = 1000
  private static let searchedRequests = 500
  private static let searchedVerifications = 200

  /// Searches the requests one by one, because bodies can have megabytes, then all else. Without a text, it
  /// finds the actions and the pages.
  static func search(for entered: String, in sandbox: Sandbox, _ layout: Layout) -> GapFilling {
    let text = entered.trimmed.lowercased()
    let search = CaselessSearch(for: text)
    var requests: [Journal.Exchange] = []
    var (last, left) = (Int.max, text.isEmpty ? 0 : searchedRequests)
    var isAtEnd = false
    return {
      guard !isAtEnd else { return nil }
      guard left > 0, requests.count < perGroup,
        let next = sandbox.journal.exchanges(before: last, limit: 1).first
      else {
        isAtEnd = true
        return try SearchResults(text, requests, in: sandbox, layout).html
      }
      (last, left) = (next.ordinal, left - 1)
      let isNumber = text.isWholeNumber
      if next.contains(search, isNumber: isNumber),
        MaskedExchange(next, in: sandbox).contains(search, isNumber: isNumber)
      {
        requests.append(next)
      }
      return HTML()
    }
  }

  private init(
    _ text: String, _ requests: [Journal.Exchange], in sandbox: Sandbox, _ layout: Layout
  ) throws {
    let commands = Command.all(sandbox, layout)
      .filter { text.isEmpty ? !$0.isFailure : $0.matches(text) }
    var groups = [
      ("Actions", commands.filter { !$0.isPage }.map(\.item)),
      ("Pages", commands.filter(\.isPage).map(\.item)),
    ]
    if !text.isEmpty {
      let verifications = ("Verifications", try Self.verifications(text, requests, sandbox, layout))
      var found = [
        ("Phones", try Self.phones(text, sandbox, layout)), ("Codes", try Self.codes(text, sandbox, layout)),
      ]
      // Whoever enters a whole number wants to know what became of it.
      found.insert(verifications, at: text.isWholeNumber ? 0 : 2)
      groups = found + groups + [("Requests", requests.map { Self.item($0, layout) })]
    }
    self.groups = groups.map { ($0, Array($1.prefix(text.isEmpty ? .max : Self.perGroup))) }
  }

  /// Numbers and email addresses with the text, also if it is written with spaces or brackets.
  private static func phones(_ text: String, _ sandbox: Sandbox, _ layout: Layout) throws -> [Item] {
    let sought = text.soughtInNumbers
    let owners = try sandbox.messages.submitted(.init(), limit: searchedMessages).map(\.destination)
    let records = try sandbox.subscribers.page(after: "", limit: searchedRecords).map(\.number.description)
    var seen: Set<String> = []
    var found = (owners.reversed() + records).filter { $0.contains(sought) && seen.insert($0).inserted }
    if let number = PhoneNumber(text.filter { !" ()-".contains($0) }), !seen.contains(number.description) {
      found.append(number.description)
    }
    return found.map {
      Item(
        text: PhoneNumber($0)?.internationalFormat ?? $0, note: "phone",
        target: .page(layout.url("/console/phones/\(PercentCoding.encode($0))")))
    }
  }

  private static func codes(_ text: String, _ sandbox: Sandbox, _ layout: Layout) throws -> [Item] {
    guard text.count >= 3 else { return [] }
    return try sandbox.messages.submitted(.init(), limit: searchedMessages)
      .filter { $0.code?.lowercased().contains(text) == true }.reversed()
      .map {
        Item(
          text: $0.code ?? "", note: "\(ProviderMark.title(of: $0.provider)) to \($0.destination)",
          target: .page(layout.url("/console/phones/\(PercentCoding.encode($0.destination))")))
      }
  }

  /// Those of numbers with the text, and those that the found requests are about.
  private static func verifications(
    _ text: String, _ requests: [Journal.Exchange], _ sandbox: Sandbox, _ layout: Layout
  ) throws -> [Item] {
    let sought = text.soughtInNumbers
    let named = try sandbox.verifications.newest(searchedVerifications, of: nil).filter {
      $0.claim.destination.lowercased().contains(sought)
    }
    var seen = Set(named.map(\.ordinal))
    let others = try requests.compactMap(\.effects.verification).filter { seen.insert($0).inserted }
      .compactMap(sandbox.verifications.find)
    return (named + others).map { verification in
      let state = verification.state(at: sandbox.clock.now).rawValue
      return Item(
        text: Subject(.verification(verification)).shownDestination,
        note:
          "\(ProviderMark.title(of: verification.claim.provider)) \(verification.channel.title), \(state)",
        target: .page(layout.url("/console/verifications/\(verification.ordinal)")))
    }
  }

  private static func item(_ exchange: Journal.Exchange, _ layout: Layout) -> Item {
    Item(
      text: [
        ProviderMark.title(of: exchange.owner),
        exchange.route ?? "\(exchange.method) \(exchange.shownTarget)",
      ].filter { !$0.isEmpty }.joined(separator: " "),
      note: "\(exchange.status) · \(exchange.at.timeOfDay)",
      target: .page(layout.url("/console/requests/\(exchange.ordinal)")))
  }

  var html: HTML {
    div(.id("found"), .class("found")) {
      if isEmpty {
        p(.class("empty")) {
          "Nothing found. Numbers, codes, ids, operations, pages and actions are searched."
        }
      }
      for (name, items) in groups where !items.isEmpty {
        h2 { name }
        ul(.class("plain")) { for item in items { li { item.html } } }
      }
    }
  }
}

extension SearchResults.Item {
  fileprivate var html: HTML {
    switch target {
    case .page(let url):
      a(.href(url)) {
        text
        small { note }
      }
    case .action(let button): button.html
    }
  }
}

extension Journal.Exchange {
  /// True if the text may be in its operation, target, status or bodies: so SIDs are found, too. Secrets are
  /// not masked.
  fileprivate func contains(_ text: CaselessSearch, isNumber: Bool) -> Bool {
    [owner, route ?? "", target, String(status)].contains(where: text.isFound)
      || text.isFound(in: requestBody)
      || !hasExample(of: isNumber) && (text.isFound(in: why ?? "") || text.isFound(in: responseBody))
  }

  /// True if the answer may name a number only as an example of what was expected.
  fileprivate func hasExample(of isNumber: Bool) -> Bool { isNumber && isRefused }
}

extension MaskedExchange {
  /// True if the text is in what people see.
  fileprivate func contains(_ text: CaselessSearch, isNumber: Bool) -> Bool {
    [exchange.owner, exchange.route ?? "", target, String(exchange.status), requestBody]
      .contains(where: text.isFound)
      || !exchange.hasExample(of: isNumber)
        && [exchange.why ?? "", responseBody].contains(where: text.isFound)
  }
}

extension String {
  /// What to look for in numbers: only the digits of a number such as `(202) 555-0100`, else the text itself.
  var soughtInNumbers: String {
    let digits = filter(\.isNumber)
    return digits.count >= 3 && !contains { $0.isLetter } ? digits : self
  }

  /// True for `+12025550100` and `(202) 555-0100`.
  fileprivate var isWholeNumber: Bool {
    filter(\.isNumber).count >= 7 && allSatisfy { $0.isNumber || " ()-+.".contains($0) }
  }

  fileprivate var trimmed: String {
    var rest = self[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
