/// Where a request that was sent as to a proxy goes on.
package enum Passage {
  /// It is for us.
  case here
  /// Nowhere.
  case refused(Response)
}
