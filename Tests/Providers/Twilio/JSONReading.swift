import JSON

/// Reading answers; values of other types are nil or empty.
extension JSON {
  var text: String? { if case .string(let text) = self { text } else { nil } }
  var items: [JSON] { if case .array(let items) = self { items } else { [] } }
  var members: [Member] { if case .object(let members) = self { members } else { [] } }
}
