/// Where a request that was sent as to a proxy goes on.
package enum ProxyDecision {
  /// It is for us.
  case here
  /// Out, to a host and a port that may be reached; `note` hears of our own answer, nil where the host gives its own.
  case outside(Authority, note: (Response?) -> Void)
  /// Nowhere.
  case refused(Response)
}
