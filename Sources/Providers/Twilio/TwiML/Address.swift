import ProviderKit

/// An address of the app, and how it is called.
struct Address: Equatable, Sendable {
  enum Method: String, CaseIterable, Sendable {
    case post = "POST"
    case get = "GET"
  }

  /// Empty: nothing is called.
  var url = ""
  var method = Method.post

  static let schema = Schema<Address>([
    .required("url", \.url, .string),
    .required("method", \.method, .word),
  ])

  /// The address of a reference in a document that came from here.
  func resolving(_ reference: String, _ method: Method) -> Address? {
    if Twimlet.document(at: reference) != nil { return Address(url: reference, method: method) }
    let url = AbsoluteURL(reference) == nil ? AbsoluteURL(url)?.resolving(reference)?.description : reference
    return url.map { Address(url: $0, method: method) }
  }
}

extension FieldType where Value == Address {
  static var address: FieldType { .object(Address.schema) { Address() } }
}
