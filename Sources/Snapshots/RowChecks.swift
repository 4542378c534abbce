import Database
import Domain
import JSON
import Numbers
import Silent

/// Reads all rows of a sandbox as requests, due work and the start of the server do. A damaged row is an
/// error with the path of its table.
struct RowChecks {
  private static let rowsPerStep = 100

  private let sandbox: Sandbox
  private let seeds: SeedLibrary

  init(of sandbox: Sandbox, _ seeds: SeedLibrary) {
    self.sandbox = sandbox
    self.seeds = seeds
  }

  var steps: Steps {
    var steps = Steps()
    addTables(to: &steps)
    for (table, body) in wholeTables { steps.add { try read(table, body) } }
    for section in seeds.sections {
      steps.add {
        try read("records") {
          _ = try section.seed.export(from: sandbox)
          _ = try section.credentials(of: sandbox)
        }
      }
    }
    steps.add { try sandbox.checkLimits() }
    return steps
  }

  /// Tables with as many rows as there is history, page by page.
  private func addTables(to steps: inout Steps) {
    let sandbox = sandbox
    add("verifications", to: &steps) { after, limit in
      try sandbox.verifications.all(after: after, limit: limit).map(\.ordinal)
    }
    add("messages", to: &steps) { after, limit in
      var filter = Messages.Filter()
      filter.after = after
      return try sandbox.messages.page(filter, onHandsets: false, limit: limit).map(\.ordinal)
    }
    add("webhooks", to: &steps) { after, limit in
      var filter = Webhooks.Filter()
      filter.after = after
      return try sandbox.webhooks.all(filter, limit: limit).map(\.ordinal)
    }
    add("events", to: &steps) { try sandbox.events.after($0, limit: $1).map(\.ordinal) }
    add("devices", to: &steps) { try sandbox.devices.page(after: $0, limit: $1).map(\.ordinal) }
    add("pushes", to: &steps) { after, limit in
      try sandbox.pushes.page(after: after, limit: limit).map { push in
        _ = try push.content
        return push.ordinal
      }
    }
    add("push_attempts", to: &steps) { try sandbox.pushAttempts.page(after: $0, limit: $1).map(\.ordinal) }
    add("challenges", to: &steps) { try sandbox.challenges.page(after: $0, limit: $1).map(\.ordinal) }
    add("silent_sessions", to: &steps) { after, limit in
      try sandbox.silentSessions.page(after: after, limit: limit).map(\.ordinal)
    }
    add("calls", to: &steps) { try sandbox.calls.page(after: $0, limit: $1).map(\.ordinal) }
    add("steps", to: &steps) { after, limit in
      try sandbox.fallbacks.page(after: after, limit: limit).map(\.verification)
    }
    addSubscribers(to: &steps)
  }

  /// Small tables.
  private var wholeTables: [(table: String, read: () throws -> Void)] {
    [
      ("agenda", { try sandbox.agenda.check() }),
      ("agenda", { try sandbox.reloadDerived() }),
      ("rules", { try checkRules() }),
      ("gateways", { _ = try sandbox.gateway.settings }),
    ]
  }

  private func checkRules() throws {
    for kind in RuleKinds.all {
      let count = try kind.count(in: sandbox)
      guard count > RuleLimits.perList else { continue }
      throw FieldError(
        path: "$.tables.rules", expected: "at most \(RuleLimits.perList) of a kind", found: "\(count)")
    }
  }

  /// Adds a step that reads a table page by page. `page` returns the ordinals of the rows that it has read.
  private func add(
    _ table: String, to steps: inout Steps, _ page: @escaping (_ after: Int, _ limit: Int) throws -> [Int]
  ) {
    var last = 0
    steps.addRepeated {
      var count = 0
      try read(table) {
        let ordinals = try page(last, Self.rowsPerStep)
        count = ordinals.count
        last = ordinals.last ?? last
      }
      return count >= Self.rowsPerStep
    }
  }

  private func addSubscribers(to steps: inout Steps) {
    var last = ""
    steps.addRepeated {
      var count = 0
      try read("subscribers") {
        let page = try sandbox.subscribers.page(after: last, limit: Self.rowsPerStep)
        count = page.count
        last = page.last?.number.description ?? last
      }
      return count == Self.rowsPerStep
    }
  }

  private func read(_ table: String, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as DatabaseError where error.isDamage {
      throw FieldError(
        path: "$.tables.\(table)", expected: "rows that this server wrote", found: error.message)
    } catch let error as FieldError where error.path.hasPrefix("$.tables.") {
      throw error
    } catch let error where !(error is DatabaseError) {
      throw FieldError(path: "$.tables.\(table)", expected: "rows that this server wrote", found: "\(error)")
    }
  }
}
