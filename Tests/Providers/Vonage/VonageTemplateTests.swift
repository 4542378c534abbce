import Domain
import HTTP
import JSON
import Support
import Testing

/// Checks V29 and V30 of the contract, section 13. The others are in `Checks/Templates.http`.
@Suite("Vonage · templates", .contract("vonage-verify.md 8"))
struct VonageTemplateTests {
  let vonage: VonageWorld

  init() throws { vonage = try VonageWorld() }

  private static let path = "/v2/verify/templates"

  /// Creates a template and returns its id.
  private func create(_ name: String) throws -> String {
    try id(of: vonage.post(Self.path, #"{"name":"\#(name)"}"#))
  }

  private func id(of created: Exchange, _ member: String = "template_id") throws -> String {
    try Fields(Array(created.answer.dropFirst(4).utf8)).string(member)
  }

  private func addFragment(to template: String, locale: String = "en-us") throws -> Exchange {
    let text = "Use ${code} for ${brand} within ${time-limit} ${time-limit-unit}. ${other}"
    return try vonage.post(
      "\(Self.path)/\(template)/template_fragments",
      #"{"channel":"sms","locale":"\#(locale)","text":"\#(text)"}"#)
  }

  @Test("V29: a request with a template gets the text of its fragment")
  func v29() throws {
    let created = try vonage.post(Self.path, #"{"name":"my-template"}"#)
    created.matches(golden: "created")
    let template = try id(of: created)
    try addFragment(to: template).matches(golden: "created")

    _ = try vonage.start([VonageWorld.channel("sms")], #","template_id":"\#(template)""#)
    #expect(
      try vonage.inbox().map(\.text) == ["Use \(try vonage.code()) for Acme within 3 minutes. ${other}"])
  }

  @Test("V30: names, pairs, templates with fragments and the eleventh template are conflicts")
  func v30() throws {
    let template = try create("one")
    _ = try addFragment(to: template)
    try vonage.post(Self.path, #"{"name":"one"}"#).matches(golden: "exists")
    try addFragment(to: template).matches(golden: "exists")
    try vonage.send(.delete, "\(Self.path)/\(template)").matches(golden: "not-empty")
    for number in 2...10 { _ = try create("t\(number)") }
    #expect(try vonage.post(Self.path, #"{"name":"t11"}"#).problem() == "409 max-templates")
    try vonage.configure(#""templates":"forbidden""#)
    #expect(try vonage.post(Self.path, #"{"name":"t12"}"#).problem() == "403 forbidden")
    try vonage.send(.patch, "\(Self.path)/\(template)", "{}").matches(golden: "forbidden")
    #expect(try vonage.get("\(Self.path)/\(template)").answer.hasPrefix("200"))
  }

  @Test("a fragment is listed, changed and deleted")
  func fragments() throws {
    let template = try create("one")
    let made = try addFragment(to: template)
    let fragment = try id(of: made, "template_fragment_id")
    let list = "\(Self.path)/\(template)/template_fragments"
    let path = "\(list)/\(fragment)"
    try vonage.get(list).matches(golden: "one")
    try vonage.get(path).matches(golden: "found")
    try vonage.send(.patch, path, #"{"text":"${code}"}"#).matches(golden: "changed")
    try vonage.send(.patch, path, "{}").matches(golden: "no-text")
    #expect(try vonage.get("\(list)?page=0").problem() == "422 invalid-params page")
    try vonage.get("\(list)?page=0").matches(golden: "page")
    try vonage.send(.delete, path).matches(golden: "deleted")
    try vonage.get(path).matches(golden: "unknown")
    try vonage.send(.delete, path).matches(golden: "unknown")
    #expect(
      try addFragment(to: template, locale: "EN-us").problem() == "422 invalid-params locale")
  }
}
