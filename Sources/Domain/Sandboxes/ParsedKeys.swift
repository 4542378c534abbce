/// Keys as the library that uses them has them. Reading a text takes longer than a signature with a key that
/// was used before.
///
/// A class because all sandboxes share one: most have the keys of the same seed.
package final class ParsedKeys {
  private struct Name: Hashable {
    let type: ObjectIdentifier
    let text: String
  }

  private var keys: [Name: Any] = [:]

  private static let limit = 64

  /// Nil for a text that is no such key.
  package func key<Key>(in text: String, parse: (String) -> Key?) -> Key? {
    let name = Name(type: ObjectIdentifier(Key.self), text: text)
    if let known = keys[name] as? Key { return known }
    guard let key = parse(text) else { return nil }
    if keys.count >= Self.limit { keys.removeAll() }
    keys[name] = key
    return key
  }
}
