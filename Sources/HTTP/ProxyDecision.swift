/// What to do with a request that was sent to the server as a proxy.
package enum ProxyDecision {
  /// Answer it here.
  case local
  /// Connect to this host. `onResponse` receives the response that the server itself sends: 200 for an open
  /// tunnel, an error, or nil if the remote host answers.
  case forward(to: Authority, onResponse: (Response?) -> Void)
  case denied(Response)
}
