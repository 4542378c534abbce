import HTTP

/// A module that Node loads before a program, by `NODE_OPTIONS`.
enum NodePreload {
  /// `http` and `https` are ports of the loopback.
  static func text(http: UInt16, https: UInt16) -> String {
    """
    const [hosts, http, https] = [/^(?:\(ProviderHosts.all.expression))$/i, \(http), \(https)];

    """ + String(decoding: PackageResources.preload_cjs, as: UTF8.self)
  }

  /// As Node splits `NODE_OPTIONS`: in quotes, a backslash takes the meaning from the next character.
  static func quoted(_ option: String) -> String {
    guard option.contains(where: { $0 == " " || $0 == "\"" }) else { return option }
    return "\"\(option.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }
}
