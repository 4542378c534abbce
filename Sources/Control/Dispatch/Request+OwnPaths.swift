extension Request {
  /// True for the control API, and for what the sandbox defines for devices: errors about the form of such
  /// requests are the control API's.
  var hasPathOfOwnAPI: Bool { hasPath(below: "/control") || hasPathOfDeviceAPI }

  var hasPathOfDeviceAPI: Bool { hasPath(below: "/handset") }

  private func hasPath(below prefix: String) -> Bool {
    target.path.hasPrefix(prefix) && target.path.utf8.dropFirst(prefix.utf8.count).first ?? 0x2F == 0x2F
  }
}
