import Domain
import HTTP
import JSON

/// The resource `/v2/Services`. Source: contract 3.
extension Twilio {
  static func createService(_ request: Request, in sandbox: Sandbox) throws -> Response {
    let caller = try authenticate(request, in: sandbox)
    let form = try request.form
    form.declare(ServiceSetting.all.map(\.parameter))
    guard let name = form["FriendlyName"], !name.isEmpty else { throw Problem.invalid("FriendlyName") }
    let ordinal = sandbox.nextOrdinal()
    let sid = "VA" + sandbox.entropy.identifier("VA", ordinal)
    var service = Service(sid: sid, account: caller.account, at: sandbox.clock.now)
    try service.apply(form)
    try service.keep(in: sandbox, ordinal: ordinal)
    return .json(201, ServiceBody(service: service, base: try base(request, in: sandbox)).encoded)
  }

  static func fetchService(_ request: Request, in sandbox: Sandbox) throws -> Response {
    let (_, service) = try service(request, in: sandbox)
    return .json(200, ServiceBody(service: service, base: try base(request, in: sandbox)).encoded)
  }

  static func updateService(_ request: Request, in sandbox: Sandbox) throws -> Response {
    var (_, service) = try service(request, in: sandbox)
    try service.apply(try request.form)
    service.updatedAt = sandbox.clock.now
    try service.keep(in: sandbox)
    return .json(200, ServiceBody(service: service, base: try base(request, in: sandbox)).encoded)
  }

  static func deleteService(_ request: Request, in sandbox: Sandbox) throws -> Response {
    let (_, service) = try service(request, in: sandbox)
    _ = try sandbox.shelf.forget(service.sid, in: Service.section)
    return Response(204)
  }

  static func listServices(_ request: Request, in sandbox: Sandbox) throws -> Response {
    let caller = try authenticate(request, in: sandbox)
    let page = try Page(request, key: "services", in: sandbox) { border, limit in
      try sandbox.shelf.list(Service.section, of: caller.account, from: border, limit: limit)
    }
    let base = try base(request, in: sandbox)
    let services = try page.items.map { try Service($0) }
    return .json(
      200,
      page.encoded(base: base) { json in
        json.array("services", services) { json, service in
          json.value { ServiceBody(service: service, base: base).write(to: &$0) }
        }
      })
  }

  /// Proves who calls and finds the Service of the path; another account's is as if it were not there.
  static func service(_ request: Request, in sandbox: Sandbox) throws -> (caller: Caller, service: Service) {
    let caller = try authenticate(request, in: sandbox)
    let sid = request[parameter: "service"]
    guard let service = try Service.find(sid, for: caller, in: sandbox) else {
      let path = try Knobs.current(in: sandbox).shown(request.target.path)
      throw Problem.notFound(path).because("there is no Service \(sid) that \(caller.account) may see")
    }
    return (caller, service)
  }

  /// Scheme and authority of links: as the client reached us, unless a knob says so.
  static func base(_ request: Request, in sandbox: Sandbox) throws -> String {
    try Knobs.current(in: sandbox).publicBaseURL ?? request.base
  }
}
