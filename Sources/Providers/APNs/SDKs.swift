package import ProviderKit

extension APNsProvider {
  /// No client has a setting for another host. Source: their sources, read 2026-11-22.
  package static let sdks = [
    SDK("aioapns", .python, baseURL: nil, proxy: "proxy_host and proxy_port of APNs()"),
    SDK("apns2-python", .python, baseURL: nil),
    SDK(
      "node-apn", .node, baseURL: "address and port of new apn.Provider()",
      proxy: "proxy of new apn.Provider()"),
    SDK("pushy", .java, baseURL: "setApnsServer() of ApnsClientBuilder", proxy: "setProxyHandlerFactory()"),
  ]
}
