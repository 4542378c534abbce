import Catalog
import HTTP
import ProviderKit
import Testing

@Suite("Kit · lists in queries")
struct FormValuesTests {
  enum Colour: String, CaseIterable { case red, green }

  private func form(_ text: String) throws -> Form { try Form(parsing: Array(text.utf8)) }

  @Test(
    "a list may have commas, be repeated, or have brackets",
    arguments: [
      "c=red,green", "c=red%2Cgreen", "c=red&c=green", "c[]=red&c[]=green", "c%5B%5D=red&c%5B%5D=green",
      "c=red&c[]=green", "c=,red,,+green,",
    ])
  func forms(query: String) throws {
    let form = try form(query)

    #expect(try form.words("c", of: Colour.self) == [.red, .green])
    #expect(form.unread == [])
  }

  @Test("an empty list counts as absent", arguments: ["", "c=", "c[]=", "c=,"])
  func empty(query: String) throws {
    #expect(try form(query).words("c", of: Colour.self) == [])
    #expect(try form(query).optionalWord("d", of: Colour.self) == nil)
  }

  @Test("the error of an unknown word lists the known ones")
  func unknown() throws {
    let form = try form("c=red,blue&d=blue")

    #expect(throws: FormError(field: "c", expected: "one of red, green")) {
      try form.words("c", of: Colour.self)
    }
    #expect(throws: FormError(field: "d", expected: "one of red, green")) {
      try form.optionalWord("d", of: Colour.self)
    }
  }
}
