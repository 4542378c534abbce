/// An attribute of an element. Values are escaped.
package struct Attribute: Sendable {
  private let name: StaticString
  /// Nil for an attribute without a value, such as `hidden`.
  private let value: String?
  /// False leaves the attribute out.
  private let isPresent: Bool

  package init(_ name: StaticString, _ value: String) {
    self.name = name
    self.value = value
    isPresent = true
  }

  /// Left out if the value is nil.
  package init(_ name: StaticString, ifPresent value: String?) {
    self.name = name
    self.value = value ?? ""
    isPresent = value != nil
  }

  /// An attribute without a value, left out if `isPresent` is false.
  package init(flag name: StaticString, _ isPresent: Bool = true) {
    self.name = name
    value = nil
    self.isPresent = isPresent
  }

  func append(to html: inout HTML) {
    guard isPresent else { return }
    html.append(" ")
    html.append(name)
    guard let value else { return }
    html.append("=\"")
    html.appendEscaped(value)
    html.append("\"")
  }
}

extension Attribute {
  package static func `class`(_ names: String) -> Attribute { .init("class", names) }
  package static func id(_ id: String) -> Attribute { .init("id", id) }
  package static func type(_ type: String) -> Attribute { .init("type", type) }
  package static func name(_ name: String) -> Attribute { .init("name", name) }
  package static func value(_ value: String) -> Attribute { .init("value", value) }
  package static func label(_ text: String) -> Attribute { .init("aria-label", text) }
  package static func title(_ text: String) -> Attribute { .init("title", text) }

  /// A link to our own pages or to the web. Another scheme, such as `javascript:`, becomes an empty fragment.
  package static func href(_ url: String) -> Attribute {
    let isSafe = ["/", "#", "?", "https://", "http://"].contains { url.hasPrefix($0) }
    return .init("href", isSafe && !url.hasPrefix("//") ? url : "#")
  }
}
