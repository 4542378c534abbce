/// A webhook as its provider has worded it: the bytes of every attempt.
package struct WebhookRequest: Equatable, Sendable {
  /// One header line.
  package struct Field: Equatable, Sendable {
    /// What stands before the colon.
    package let name: String
    /// What stands behind it.
    package let value: String

    /// A line; control characters in the value are left out, so that none can begin another line.
    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = String(String.UnicodeScalarView(value.unicodeScalars.filter { $0.value >= 0x20 }))
    }
  }

  /// All header lines but `Host`, `Content-Length` and `Connection`, which the sender writes.
  package let fields: [Field]
  /// The body.
  package let body: [UInt8]

  /// A request from its parts; its method is POST.
  package init(fields: [Field], body: [UInt8]) {
    self.fields = fields
    self.body = body
  }

  /// A JSON body with the field that says so, and these fields behind it.
  package static func json(_ body: [UInt8], _ fields: Field...) -> WebhookRequest {
    WebhookRequest(fields: [Field("Content-Type", "application/json")] + fields, body: body)
  }

  /// The column that keeps the fields: a line each.
  var column: String { fields.map { "\($0.name): \($0.value)\n" }.joined() }

  /// The fields of a column.
  init(column: String, body: [UInt8]) {
    let fields = column.split(separator: "\n").map { line in
      let name = line.prefix { $0 != ":" }
      return Field(String(name), String(line.dropFirst(name.count + 2)))
    }
    self.init(fields: fields, body: body)
  }
}
