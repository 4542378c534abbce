import ProviderKit

// The resource `/v2/verify/templates/{template_id}/template_fragments`. Source: contract 8.

extension VonageProvider {
  static var fragmentRoutes: [Route<Sandbox>] {
    let list: Pattern = "/v2/verify/templates/{template_id}/template_fragments"
    let one: Pattern = "/v2/verify/templates/{template_id}/template_fragments/{fragment_id}"
    return [
      .get(list, as: "listFragments", authenticated(listFragments)),
      .post(list, as: "createFragment", authenticated(createFragment)),
      .get(one, as: "fetchFragment", authenticated(fetchFragment)),
      .on(.patch, one, as: "updateFragment", authenticated(updateFragment)),
      .delete(one, as: "deleteFragment", authenticated(deleteFragment)),
    ]
  }
}

private func listFragments(_ context: RequestContext) throws -> Response {
  let template = try Template.named(by: context)
  let page = try Page(try template.fragments(in: context.sandbox), context)
  return page.response("template_fragments", at: "\(templatesPath)/\(template.id)/template_fragments") {
    write($1, of: template, context, to: &$0)
  }
}

private func createFragment(_ context: RequestContext) throws -> Response {
  try Template.requireManagement(context)
  let template = try Template.named(by: context)
  let faults = Faults()
  let body = Reader(fields: try context.request.json, faults: faults)
  let channel = body.text("channel", "sms or voice", required: true) { Fragment.Kind(rawValue: $0) != nil }
  let locale = body.text("locale", "a locale in lower case, such as en-us", required: true) {
    VerificationForm.isLocale($0) && $0 == $0.lowercased()
  }
  let text = fragmentText(body)
  try faults.check()
  var fragment = Fragment(at: context.sandbox.clock.now)
  fragment.channel = channel.flatMap(Fragment.Kind.init) ?? .sms
  (fragment.locale, fragment.text) = (locale ?? "", text ?? "")
  let known = try template.fragments(in: context.sandbox)
  guard !known.contains(where: { $0.channel == fragment.channel && $0.locale == fragment.locale }) else {
    throw APIError(.fragmentExists)
  }
  guard known.count < Fragment.limit else {
    throw APIError(.conflict).because("a template has at most \(Fragment.limit) fragments")
  }
  fragment.id = UUIDText.version4(context.sandbox.requestIdentifier("vonage fragment"))
  try fragment.save(in: template, context.sandbox)
  return .json(201) { write(fragment, of: template, context, to: &$0) }
}

private func fetchFragment(_ context: RequestContext) throws -> Response {
  let (template, fragment) = try requireFragment(context)
  return .json(200) { write(fragment, of: template, context, to: &$0) }
}

private func updateFragment(_ context: RequestContext) throws -> Response {
  try Template.requireManagement(context)
  let (template, found) = try requireFragment(context)
  var fragment = found
  let faults = Faults()
  let text = fragmentText(Reader(fields: try context.request.json, faults: faults))
  try faults.check()
  fragment.text = text ?? fragment.text
  fragment.updatedAt = context.sandbox.clock.now
  try fragment.save(in: template, context.sandbox)
  return .json(200) { write(fragment, of: template, context, to: &$0) }
}

private func deleteFragment(_ context: RequestContext) throws -> Response {
  try Template.requireManagement(context)
  try requireFragment(context).fragment.delete(in: context.sandbox)
  return Response(204)
}

private func fragmentText(_ body: Reader) -> String? {
  body.text("text", "1 to \(Fragment.textLimit) characters", required: true) {
    (1...Fragment.textLimit).contains($0.unicodeScalars.count)
  }
}

private func requireFragment(_ context: RequestContext) throws -> (template: Template, fragment: Fragment) {
  let template = try Template.named(by: context)
  let id = context.request[parameter: "fragment_id"].lowercased()
  guard let fragment = try template.fragments(in: context.sandbox).first(where: { $0.id == id }) else {
    throw APIError(.fragmentNotFound).because("the template has no fragment \(id)")
  }
  return (template, fragment)
}

private func write(
  _ fragment: Fragment, of template: Template, _ context: RequestContext, to json: inout JSONWriter
) {
  let url = "\(context.request.base)\(templatesPath)/\(template.id)"
  json.member("template_fragment_id", fragment.id)
  json.member("channel", fragment.channel.rawValue)
  json.member("locale", fragment.locale)
  json.member("text", fragment.text)
  json.member("date_created", fragment.createdAt.iso8601Milliseconds)
  json.member("date_updated", fragment.updatedAt.iso8601Milliseconds)
  json.object("_links") { json in
    json.object("self") { $0.member("href", "\(url)/template_fragments/\(fragment.id)") }
    json.object("template") { $0.member("href", url) }
  }
}
