import HTTP

/// A module that Node loads before a program, by `NODE_OPTIONS`.
enum NodePreload {
  /// `http` and `https` are ports of the loopback.
  static func text(http: UInt16, https: UInt16) -> String {
    """
    const [hosts, http, https] = [/^(?:\(ProviderHosts.all.expression))$/i, \(http), \(https)];

    """ + String(decoding: PackageResources.preload_cjs, as: UTF8.self)
  }
}
