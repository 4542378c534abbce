import Domain
import HTTP
import JSON
import Support
import Testing

/// Members need a description where people read it: in OpenAPI, which has the schema of seeds and settings,
/// and in the schema of workshops. Schemas of records that are only stored have none.
@Suite("Control · descriptions of members")
struct DescriptionTests {
  @Test("every member of a schema that is shown has a description, however deep it is")
  func documents() throws {
    let desk = try Desk()
    let openAPI = try JSON(parsing: desk.respond("GET /control/openapi.json").body)
    let story = try JSON(parsing: SeedSchema.storyDocument)

    for document in [openAPI, story] {
      let members = members(of: document, at: "")
      #expect(members.count > 50)
      #expect(members.filter { !$0.isDescribed }.map(\.path) == [])
    }
  }

  @Test("a member without a description is found")
  func missing() throws {
    let schema = Schema<Int>([.readOnly("limit", .integer) { $0 }])
    let document = JSONWriter.object { json in
      json.object("items") { schema.object.write(to: &$0, for: .response) { _ in nil } }
    }

    #expect(members(of: try JSON(parsing: document), at: "").map(\.path) == ["/items/limit"])
    #expect(members(of: try JSON(parsing: document), at: "").allSatisfy { !$0.isDescribed })
  }

  /// The members of all objects that a document describes. Conditions between members describe none.
  private func members(of node: JSON, at path: String) -> [(path: String, isDescribed: Bool)] {
    let properties = node["properties"]
    let own = (properties?.names ?? []).flatMap { name in
      let (member, path) = (properties?[name] ?? .null, "\(path)/\(name)")
      return [(path, member["description"]?.text?.isEmpty == false)] + members(of: member, at: path)
    }
    let conditions = ["properties", "allOf", "oneOf"] + (properties == nil ? [] : ["anyOf"])
    return own
      + node.names.filter { !conditions.contains($0) }.flatMap { name in
        members(of: node[name] ?? .null, at: "\(path)/\(name)")
      } + node.items.flatMap { members(of: $0, at: path) }
  }
}
