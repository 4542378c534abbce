/// What a receiver answered to a webhook.
package struct WebhookAnswer: Equatable, Sendable {
  package let status: Int
  /// The header fields, in the order of the answer.
  package let fields: [WebhookRequest.Field]
  /// Cut off at the sender's limit.
  package let body: [UInt8]

  package init(status: Int, fields: [WebhookRequest.Field] = [], body: [UInt8]) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// The values of a header field, which is named without regard to case.
  package func values(_ name: String) -> [String] {
    fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }

  /// The beginning of the body, which the attempt keeps.
  var excerpt: String { String(decoding: body.prefix(4096), as: UTF8.self) }
}
