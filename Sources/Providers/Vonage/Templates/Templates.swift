import ProviderKit

// The resource `/v2/verify/templates`. Source: contract 8.

extension VonageProvider {
  static var templateRoutes: [Route<Sandbox>] {
    let list: Pattern = "/v2/verify/templates"
    let one: Pattern = "/v2/verify/templates/{template_id}"
    return [
      .get(list, as: "listTemplates", authenticated(listTemplates)),
      .post(list, as: "createTemplate", authenticated(createTemplate)),
      .get(one, as: "fetchTemplate", authenticated(fetchTemplate)),
      .on(.patch, one, as: "updateTemplate", authenticated(updateTemplate)),
      .delete(one, as: "deleteTemplate", authenticated(deleteTemplate)),
    ] + fragmentRoutes
  }
}

private func listTemplates(_ context: RequestContext) throws -> Response {
  let page = try Page(try Template.all(in: context.sandbox), context)
  return page.response("templates", at: templatesPath) { json, template in
    write(template, context, to: &json)
  }
}

private func createTemplate(_ context: RequestContext) throws -> Response {
  try Template.requireManagement(context)
  let faults = Faults()
  let body = Reader(fields: try context.request.json, faults: faults)
  let name = templateName(body, required: true)
  let isDefault = body.flag("is_default")
  try faults.check()
  let known = try Template.all(in: context.sandbox)
  guard !known.contains(where: { $0.name == name }) else { throw APIError(.templateExists) }
  guard known.count < Template.limit else { throw APIError(.maxTemplates) }
  let template = Template(
    id: UUIDText.version4(context.sandbox.requestIdentifier("vonage template")), name: name ?? "",
    isDefault: isDefault ?? false)
  try template.save(in: context.sandbox)
  return .json(201) { write(template, context, to: &$0) }
}

private func fetchTemplate(_ context: RequestContext) throws -> Response {
  let template = try Template.named(by: context)
  return .json(200) { write(template, context, to: &$0) }
}

private func updateTemplate(_ context: RequestContext) throws -> Response {
  try Template.requireManagement(context)
  var template = try Template.named(by: context)
  let faults = Faults()
  let body = Reader(fields: try context.request.json, faults: faults)
  let (name, isDefault) = (templateName(body, required: false), body.flag("is_default"))
  try faults.check()
  if let name,
    try Template.all(in: context.sandbox).contains(where: { $0.name == name && $0.id != template.id })
  {
    throw APIError(.templateExists)
  }
  template.name = name ?? template.name
  template.isDefault = isDefault ?? template.isDefault
  try template.save(in: context.sandbox)
  return .json(200) { write(template, context, to: &$0) }
}

private func deleteTemplate(_ context: RequestContext) throws -> Response {
  try Template.requireManagement(context)
  let template = try Template.named(by: context)
  guard try template.fragments(in: context.sandbox).isEmpty else { throw APIError(.notEmptyTemplate) }
  try template.delete(in: context.sandbox)
  return Response(204)
}

let templatesPath = "/v2/verify/templates"

private func templateName(_ body: Reader, required: Bool) -> String? {
  body.text("name", "1 to 64 letters, digits, _ and -", required: required, where: Template.isName)
}

private func write(_ template: Template, _ context: RequestContext, to json: inout JSONWriter) {
  let url = "\(context.request.base)\(templatesPath)/\(template.id)"
  json.member("template_id", template.id)
  json.member("name", template.name)
  json.member("is_default", template.isDefault)
  json.object("_links") { json in
    json.object("self") { $0.member("href", url) }
    json.object("fragments") { $0.member("href", "\(url)/template_fragments") }
  }
}

/// One page of a list, in HAL. Source: contract 8.
struct Page<Record> {
  private let records: [Record]
  private let number: Int
  private let size: Int
  private let total: Int
  private let context: RequestContext

  init(_ all: [Record], _ context: RequestContext) throws {
    let faults = Faults()
    // The provider names no maximum.
    func positive(_ name: String, default fallback: Int) throws -> Int {
      guard let text = try context.request.query[name] else { return fallback }
      guard let value = Int(text), value > 0 else {
        faults.note(name, "expected an integer of at least 1")
        return fallback
      }
      return value
    }
    size = try positive("page_size", default: 10)
    number = try positive("page", default: 1)
    try faults.check()
    total = all.count
    let (skipped, isPastEnd) = (number - 1).multipliedReportingOverflow(by: size)
    records = isPastEnd ? [] : Array(all.dropFirst(skipped).prefix(size))
    self.context = context
  }

  private var pages: Int { max(1, total / size + (total.isMultiple(of: size) ? 0 : 1)) }

  func response(
    _ name: StaticString, at path: String, _ write: (inout JSONWriter, Record) -> Void
  ) -> Response {
    func url(_ page: Int) -> String { "\(context.request.base)\(path)?page=\(page)&page_size=\(size)" }
    var links: [(name: String, url: String)] = [("self", url(number))]
    if number > 1 { links += [("first", url(1)), ("prev", url(number - 1))] }
    if number < pages { links.append(("next", url(number + 1))) }
    links.append(("last", url(pages)))
    return .json(200) { json in
      json.member("page_size", size)
      json.member("page", number)
      json.member("total_pages", pages)
      json.member("total_items", total)
      json.object("_embedded") { json in
        json.array(name, records) { json, record in json.value { write(&$0, record) } }
      }
      json.object("_links") { json in
        for link in links { json.object(named: link.name) { $0.member("href", link.url) } }
      }
    }
  }
}
