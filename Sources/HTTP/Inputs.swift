import JSON

/// What a client sent in query and body, parsed when first asked for; knows what nobody read.
package final class Inputs {
  private var query: Form?
  private var form: Form?
  private var json: Fields?

  /// Nothing parsed yet.
  package init() {}

  /// Names of all fields that were parsed and never asked for, in the order they came.
  package var unread: [String] {
    var names: [String] = []
    if let query { names += query.unread }
    if let form { names += form.unread }
    if let json { names += json.unread }
    return names
  }

  func query(of text: String) throws(FormError) -> Form {
    if let query { return query }
    let parsed = try Form(parsing: Array(text.utf8))
    query = parsed
    return parsed
  }

  func form(of body: [UInt8]) throws(FormError) -> Form {
    if let form { return form }
    let parsed = try Form(parsing: body)
    form = parsed
    return parsed
  }

  func json(of body: [UInt8]) throws(FieldError) -> Fields {
    if let json { return json }
    let parsed = body.isEmpty ? try Fields(.object([])) : try Fields(body)
    json = parsed
    return parsed
  }
}
