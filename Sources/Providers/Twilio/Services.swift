import Domain
import HTTP
import JSON
import ProviderKit

// The resource `/v2/Services`. Source: contract 3.

func createService(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let caller = try authenticate(request, in: sandbox)
  let form = try request.form
  form.declare(ServiceSetting.names)
  guard form.text("FriendlyName") != nil else { throw Problem.invalid("FriendlyName") }
  let ordinal = sandbox.nextOrdinal()
  let sid = sandbox.entropy.labelledIdentifier("VA", ordinal)
  var service = Service(sid: sid, account: caller.account, at: sandbox.clock.now)
  try service.apply(form)
  try service.keep(in: sandbox, ordinal: ordinal)
  let base = try Settings.current(in: sandbox).base(of: request)
  return .json(201, ServiceBody(Shared(service), base: base).encoded)
}

func fetchService(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let call = try Call(request, in: sandbox)
  return .json(200, ServiceBody(call.sharedService, base: call.base).encoded)
}

func updateService(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let call = try Call(request, in: sandbox)
  var service = call.service
  try service.apply(try request.form)
  service.updatedAt = sandbox.clock.now
  try service.keep(in: sandbox)
  return .json(200, ServiceBody(Shared(service), base: call.base).encoded)
}

func deleteService(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let call = try Call(request, in: sandbox)
  _ = try sandbox.records.delete(call.service.sid, in: Service.section)
  try sandbox.verifications.deleteAll(ofOwner: call.service.sid, provider: TwilioProvider.name)
  return Response(204)
}

func listServices(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let caller = try authenticate(request, in: sandbox)
  let page = try Page(request, key: "services", in: sandbox) { border, limit in
    try sandbox.records.list(Service.section, of: caller.account, from: border, limit: limit)
  }
  let base = try Settings.current(in: sandbox).base(of: request)
  let services = try page.items.map { try Service($0) }
  return .json(
    200,
    page.encoded(base: base) { json in
      json.array("services", services) { json, service in
        json.value { ServiceBody(Shared(service), base: base).write(to: &$0) }
      }
    })
}
