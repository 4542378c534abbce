import Domain
import HTTP
import JSON

/// Sandboxes: make, look at, reset, remove, seed.
extension ControlAPI {
  func listSandboxes(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let bodies = try sandboxes.all.map { try body(of: $0, request) }
    return .json(
      200,
      JSONWriter.object { json in
        json.array("sandboxes", bodies) { $0.value(encoded: $1) }
      })
  }

  func createSandbox(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let fields = try request.json
    let name = try fields.optionalString("name") ?? "sandbox-" + sandbox.requestIdentifier("name").prefix(12)
    guard SandboxName(name) != nil else {
      throw fields.mismatch("name", expected: "1 to 64 letters, digits, -, _ or .")
    }
    var origin = Sandbox.Configuration()
    origin.entropySeed = try fields.optionalInt("entropySeed") ?? origin.entropySeed
    origin.seeds = try fields.optionalStrings("seeds") ?? origin.seeds
    if let text = try fields.optionalString("clock") {
      guard let time = Timestamp(iso8601: text) else {
        throw fields.mismatch("clock", expected: Self.timeForm)
      }
      origin.clock = .frozen(time)
    }
    try fields.requireAllRead()
    guard let made = try sandboxes.create(name, origin) else {
      throw ControlProblem(status: 409, message: "there is a sandbox \(name) already")
    }
    return .json(201, try body(of: made, request))
  }

  func fetchSandbox(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    .json(200, try body(of: named(request), request))
  }

  func deleteSandbox(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let doomed = try named(request)
    guard doomed.name != Sandboxes.defaultName else {
      throw ControlProblem(status: 409, message: "the default sandbox stays; reset it instead")
    }
    try sandboxes.remove(doomed)
    return Response(204)
  }

  func resetSandbox(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    .json(200, try body(of: sandboxes.reset(named(request)), request))
  }

  func resetThis(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    .json(200, try body(of: sandboxes.reset(sandbox), request))
  }

  func exportSandbox(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    .json(200, try sandboxes.seeds.export(from: named(request)).encoded())
  }

  func seed(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    try sandboxes.seeds.load(try request.json, into: sandbox)
    return .json(200, JSONWriter.object { $0.member("sandbox", sandbox.name) })
  }

  private func named(_ request: Request) throws(ControlProblem) -> Sandbox {
    let name = request[parameter: "name"]
    guard let sandbox = sandboxes[name] else { throw .notFound("sandbox \(name)") }
    return sandbox
  }

  private func body(of sandbox: Sandbox, _ request: Request) throws -> [UInt8] {
    let base = "\(request.scheme)://\(request.host)"
    let sections = try sandboxes.seeds.sections.map { section in
      (name: section.name, values: try section.credentials(sandbox))
    }
    return JSONWriter.object { json in
      json.member("name", sandbox.name)
      json.member("entropySeed", sandbox.entropy.seed)
      json.object("clock") { write(sandbox.clock, to: &$0) }
      json.object("urls") {
        $0.member("base", base)
        $0.member("prefixed", "\(base)/s/\(sandbox.name)")
      }
      json.object("credentials") { json in
        for section in sections {
          json.object(named: section.name) { json in
            for (name, value) in section.values { json.member(named: name, value) }
          }
        }
      }
    }
  }
}
