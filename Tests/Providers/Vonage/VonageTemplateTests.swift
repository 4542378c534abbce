import Domain
import HTTP
import JSON
import Support
import Testing

/// Checks V29 to V31 of the contract, section 13.
@Suite("Vonage · templates", .contract("vonage-verify.md 8"))
struct VonageTemplateTests {
  let vonage: VonageWorld

  init() throws { vonage = try VonageWorld() }

  private static let path = "/v2/verify/templates"

  private func create(_ name: String, _ more: String = "") throws -> VonageTemplate {
    try vonage.post(Self.path, #"{"name":"\#(name)"\#(more)}"#).decode()
  }

  private func addFragment(
    to template: String, _ channel: String = "sms", _ locale: String = "en-us",
    _ text: String = "Use ${code} for ${brand} within ${time-limit} ${time-limit-unit}. ${other}"
  ) throws -> Exchange {
    try vonage.post(
      "\(Self.path)/\(template)/template_fragments",
      #"{"channel":"\#(channel)","locale":"\#(locale)","text":"\#(text)"}"#)
  }

  @Test("V29: a request with a template gets the text of its fragment")
  func v29() throws {
    let created = try vonage.post(Self.path, #"{"name":"my-template"}"#)
    created.matches(golden: "created")
    let template = try created.decode(VonageTemplate.self)
    let fragment = try addFragment(to: template.id)
    fragment.matches(golden: "created")

    _ = try vonage.start([VonageWorld.channel("sms")], #","template_id":"\#(template.id)""#)
    #expect(
      try vonage.inbox().map(\.text) == ["Use \(try vonage.code()) for Acme within 3 minutes. ${other}"])
  }

  @Test("V29: without a template in the request, the default one is used, for calls too")
  func v29Default() throws {
    let template = try create("spoken", #","is_default":true"#)
    _ = try addFragment(to: template.id, "voice", "en-us", "Your ${brand} code is ${code}")
    _ = try vonage.start([VonageWorld.channel("voice")])
    try vonage.advance(5)

    #expect(try vonage.inbox().last?.text == "Your Acme code is \(try vonage.code())")
    let other = try create("other", #","is_default":true"#)
    #expect(other.isDefault)
    let first = try vonage.get("\(Self.path)/\(template.id)").decode(VonageTemplate.self)
    #expect(!first.isDefault)
  }

  @Test("V30: names, pairs, templates with fragments and the eleventh template are conflicts")
  func v30() throws {
    let template = try create("one")
    _ = try addFragment(to: template.id)
    let again = try vonage.post(Self.path, #"{"name":"one"}"#)
    again.matches(golden: "exists")
    #expect(try again.problem() == "409 template-exists")
    let pair = try addFragment(to: template.id)
    pair.matches(golden: "exists")
    #expect(try pair.problem() == "409 fragment-exists")
    let notEmpty = try vonage.send(.delete, "\(Self.path)/\(template.id)")
    notEmpty.matches(golden: "not-empty")
    #expect(try notEmpty.problem() == "409 not-empty-template")
    for number in 2...10 { _ = try create("t\(number)") }
    #expect(try vonage.post(Self.path, #"{"name":"t11"}"#).problem() == "409 max-templates")
    try vonage.configure(#""templates":"forbidden""#)
    #expect(try vonage.post(Self.path, #"{"name":"t12"}"#).problem() == "403 forbidden")
    let patch = try vonage.send(.patch, "\(Self.path)/\(template.id)", "{}")
    patch.matches(golden: "forbidden")
    #expect(try patch.problem() == "403 forbidden")
    #expect(try vonage.get("\(Self.path)/\(template.id)").answer.hasPrefix("200"))
  }

  @Test("V31: a list has pages with links")
  func v31() throws {
    for name in ["one", "two", "three"] { _ = try create(name) }
    var (next, names, pages) = (Optional("\(Self.path)?page_size=1"), [String](), [Int]())
    while let path = next {
      let exchange = try vonage.get(path)
      if pages.count == 1 { exchange.matches(golden: "second-page") }
      let page = try VonagePage(Fields(Array(exchange.answer.dropFirst(4).utf8)))
      names += page.names
      pages.append(page.page)
      #expect(page.totals == [3, 3])
      next = page.next.map { $0.replacing("http://127.0.0.1:5550", with: "") }
    }

    #expect(names == ["one", "two", "three"])
    #expect(pages == [1, 2, 3])
    let refused = try vonage.get("\(Self.path)?page_size=0")
    refused.matches(golden: "page-size")
    #expect(try refused.problem() == "422 invalid-params page_size")
  }

  @Test(
    "46 B4: a page may have any size", arguments: ["1000", "\(Int.max)", "101&page=\(Int.max)"])
  func anyPageSize(size: String) throws {
    _ = try create("one")
    let exchange = try vonage.get("\(Self.path)?page_size=\(size)")
    let page = try VonagePage(Fields(Array(exchange.answer.dropFirst(4).utf8)))

    #expect(page.names == (size.contains("page=") ? [] : ["one"]))
    #expect(page.totals == [1, 1])
  }

  @Test("V32: a client that takes the number of the next page from its link gets all templates")
  func v32() throws {
    for number in 1...5 { _ = try create("t\(number)") }
    var (page, names) = (Optional("1"), [String]())
    while let number = page {
      let exchange = try vonage.get("\(Self.path)?page_size=2&page=\(number)")
      let found = try VonagePage(Fields(Array(exchange.answer.dropFirst(4).utf8)))
      names += found.names
      let query = found.next?.split(separator: "?").last?.split(separator: "&")
      page = query?.first { $0.hasPrefix("page=") }.map { String($0.dropFirst("page=".count)) }
    }

    #expect(names == ["t1", "t2", "t3", "t4", "t5"])
  }

  @Test("a template is changed and deleted")
  func change() throws {
    let template = try create("one")
    _ = try create("two")
    let path = "\(Self.path)/\(template.id)"
    let fetched = try vonage.get(path)
    fetched.matches(golden: "found")
    let renamed = try vonage.send(.patch, path, #"{"name":"uno","is_default":true}"#)
    renamed.matches(golden: "renamed")
    #expect(try renamed.decode(VonageTemplate.self).name == "uno")
    #expect(try vonage.send(.patch, path, #"{"name":"two"}"#).problem() == "409 template-exists")
    let deleted = try vonage.send(.delete, path)
    deleted.matches(golden: "deleted")
    #expect(deleted.answer == "204")
    let gone = try vonage.get(path)
    gone.matches(golden: "unknown")
    #expect(try gone.problem() == "404 template-not-found")
    #expect(try vonage.post(Self.path, #"{"name":"a b"}"#).problem() == "422 invalid-params name")
  }

  @Test("a fragment is listed, changed and deleted")
  func fragments() throws {
    let template = try create("one")
    let made = try addFragment(to: template.id)
    let fragment = try Fields(Array(made.answer.dropFirst(4).utf8)).string("template_fragment_id")
    let list = "\(Self.path)/\(template.id)/template_fragments"
    let path = "\(list)/\(fragment)"
    try vonage.get(list).matches(golden: "one")
    try vonage.get(path).matches(golden: "found")
    let changed = try vonage.send(.patch, path, #"{"text":"${code}"}"#)
    changed.matches(golden: "changed")
    try vonage.send(.patch, path, "{}").matches(golden: "no-text")
    #expect(try vonage.get("\(list)?page=0").problem() == "422 invalid-params page")
    try vonage.get("\(list)?page=0").matches(golden: "page")
    let deleted = try vonage.send(.delete, path)
    deleted.matches(golden: "deleted")
    #expect(deleted.answer == "204")
    let gone = try vonage.get(path)
    gone.matches(golden: "unknown")
    #expect(try gone.problem() == "404 template-fragment-not-found")
    try vonage.send(.delete, path).matches(golden: "unknown")
    #expect(
      try addFragment(to: template.id, "sms", "EN-us").problem() == "422 invalid-params locale")
  }
}

private struct VonageTemplate: NamedBody {
  static let statuses: Set = [200, 201]

  let id: String
  let name: String
  let isDefault: Bool

  init(_ fields: Fields) throws {
    id = try fields.string("template_id")
    name = try fields.string("name")
    isDefault = try fields.bool("is_default")
    _ = try fields.object("_links").object("self").string("href")
    _ = try fields.object("_links").object("fragments").string("href")
  }
}

private struct VonagePage {
  let page: Int
  let totals: [Int]
  let names: [String]
  let next: String?

  init(_ fields: Fields) throws {
    page = try fields.int("page")
    totals = [try fields.int("total_pages"), try fields.int("total_items")]
    names = try fields.object("_embedded").objects("templates").map { try $0.string("name") }
    next = try fields.object("_links").optionalObject("next")?.string("href")
  }
}
