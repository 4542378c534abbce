import ArgumentParser
import HTTP
import JSON

/// `ringfence journal [ID]`
struct JournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal", abstract: "Show the requests of clients, and why they were refused.",
    discussion: "With an id, shows one request with its answer. Secrets are masked.")

  @Argument(help: "A request's id, or latest.") var id: String?
  @Flag(help: "Keep running and show new requests as they arrive.") var follow = false
  @Option(help: "Only requests to this provider.", completion: .providers) var provider: String?
  @Option(help: "Only requests to the route of this name, such as createVerification.") var route: String?
  @Option(help: "Only requests with this method.") var method: String?
  @Option(help: "Only requests answered with this status.") var status: Int?
  @Option(help: "Only requests with this text in path, query or body, such as a number.")
  var contains: String?
  @OptionGroup(title: "Server") var server: ServerOption

  private var filter: String {
    query([
      ("provider", provider), ("route", route), ("method", method), ("status", status.map(String.init)),
      ("contains", contains),
    ])
  }

  func validate() throws {
    guard id == nil || (filter.isEmpty && !follow) else {
      throw ValidationError("an id chooses one request; filters and --follow have no effect then")
    }
  }

  func run() throws {
    let client = try server.client
    if let id {
      return try server.show(client.getJSON("/control/journal/\(PercentCoding.encode(id))"), Self.details)
    }
    guard follow else {
      let requests = try client.entries("requests", of: "/control/journal?\(filter)")
      return try server.show(.object([.init(name: "requests", value: .array(requests))])) { _ in
        requests.isEmpty ? ["There are no requests."] : try Self.table(requests).lines()
      }
    }
    try FollowedList(path: "/control/journal", waiting: "/control/journal/wait", name: "requests", filter)
      .follow(client) { requests, isFirst in
        if server.json { return requests.forEach(Output.json) }
        Output.lines(try Self.table(requests).lines(withHeader: isFirst))
      }
  }

  private static func table(_ requests: [JSON]) throws -> Table {
    var table = Table(["ID", "TIME", "PROVIDER", "STATUS", "REQUEST"], minimums: [7, 19, 8])
    for fields in try requests.map({ try Fields($0) }) {
      let request = try fields.object("request")
      let status = try fields.object("response").int("status")
      table.add([
        try fields.string("id"), try fields.string("at").asTime, try fields.optionalString("provider") ?? "-",
        status == 0 ? "-" : String(status),
        try fields.optionalString("route")
          ?? "\(try request.string("method")) \(try request.string("target"))",
      ])
      if let why = try fields.optionalString("why") { table.note(why) }
      let unread = try fields.strings("unread")
      if !unread.isEmpty { table.note("ignored fields: \(unread.joined(separator: ", "))") }
    }
    return table
  }

  /// The request and its answer, whole.
  private static func details(of fields: Fields) throws -> [String] {
    let (request, response) = (try fields.object("request"), try fields.object("response"))
    var lines = [
      "\(try fields.string("id"))  \(try fields.string("at").asTime)  "
        + "\(try fields.optionalString("provider") ?? "-") \(try fields.optionalString("route") ?? "-")"
    ]
    if let why = try fields.optionalString("why") { lines += why.wrapped(to: Terminal.width) }
    for similar in try fields.optionalStrings("nearest") ?? [] { lines.append("similar: \(similar)") }
    lines += ["", "\(try request.string("method")) \(try request.string("target"))"]
    lines += try message(request)
    lines += ["", "\(try response.int("status"))"]
    return lines + (try message(response))
  }

  private static func message(_ message: Fields) throws -> [String] {
    let body = try message.string("body")
    return try message.strings("headers") + (body.isEmpty ? [] : ["", body])
  }
}
