import ProviderKit

// The resource `/v2/Services`. Source: contract 3.

func createService(_ context: RequestContext) throws -> Response {
  let form = try context.request.form
  form.declare(Service.parameterNames)
  guard form.text("FriendlyName") != nil else {
    throw APIError.invalidParameter("FriendlyName", expected: "the name of the Service")
  }
  try context.sandbox.records.requireRoom(in: Service.section, limit: SandboxLimits.services)
  let ordinal = context.sandbox.nextOrdinal()
  let sid = context.sandbox.entropy.labelledIdentifier("VA", ordinal)
  var service = Service(sid: sid, account: context.caller.account, at: context.sandbox.clock.now)
  try service.apply(form)
  try requireDefaultTemplate(in: form, context.sandbox)
  try context.settings.restrictions.check(service.friendlyName, of: "FriendlyName")
  if context.settings.restrictions.hasUniqueServiceNames { try requireUniqueName(service, context.sandbox) }
  try service.keep(in: context.sandbox, ordinal: ordinal)
  return .json(201, Shared(service).body(in: context))
}

func fetchService(_ context: RequestContext) throws -> Response {
  let service = context.sharedService
  let body = context.sandbox.records.body(
    of: service, with: context.sharedSettings, for: context.caller.account, at: context.baseURL
  ) { service.body(in: context) }
  return .json(200, body)
}

func updateService(_ context: RequestContext) throws -> Response {
  var service = context.service
  let form = try context.request.form
  try service.apply(form)
  try requireDefaultTemplate(in: form, context.sandbox)
  try context.settings.restrictions.check(service.friendlyName, of: "FriendlyName")
  service.updatedAt = context.sandbox.clock.now
  try service.keep(in: context.sandbox)
  return .json(200, Shared(service).body(in: context))
}

/// What belongs to the Service goes with it.
func deleteService(_ context: RequestContext) throws -> Response {
  let sid = context.service.sid
  _ = try context.sandbox.records.delete(sid, in: Service.section)
  try ServiceWebhook.table.deleteGroup(sid, in: context.sandbox)
  try context.sandbox.verifications.deleteAll(ofOwner: sid, provider: TwilioProvider.name)
  try RateLimit.deleteAll(of: sid, in: context.sandbox)
  try MessagingConfiguration.deleteAll(of: sid, in: context.sandbox)
  try Entity.deleteAll(of: sid, in: context.sandbox)
  return Response(204)
}

func listServices(_ context: RequestContext) throws -> Response {
  let page = try Page(of: context) { border, limit in
    try context.sandbox.records.list(Service.section, of: context.caller.account, from: border, limit: limit)
      .map { (position: $0.ordinal, record: Shared(try Service($0))) }
  }
  return page.response(key: "services", baseURL: context.baseURL) { $0.write(to: &$1, in: context) }
}

/// Fails with 60228 if a form names a default template that does not exist.
private func requireDefaultTemplate(in form: Form, _ sandbox: Sandbox) throws {
  guard let sid = form.text("DefaultTemplateSid"), try Template.find(sid, in: sandbox) == nil else { return }
  throw APIError.unknownTemplate(sid)
}

/// Fails with 60246 if the account has a Service of this name.
private func requireUniqueName(_ service: Service, _ sandbox: Sandbox) throws {
  let others = try sandbox.records.list(Service.section, of: service.account).map { try Service($0) }
  guard others.contains(where: { $0.friendlyName == service.friendlyName }) else { return }
  throw APIError(code: 60246).because("FriendlyName: another Service has this name")
}
