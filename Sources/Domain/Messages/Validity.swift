extension DeliveryPlan {
  /// The plan of a message that is worth nothing any more after so long: what would have come later does not,
  /// and the last receipt says why. Source: `carrier.md` 4.3.
  func limited(to validity: Duration) -> DeliveryPlan {
    let inTime = receipts.all.filter { $0.after < validity }
    let isLate = inTime.count < receipts.all.count || (arrivesAfter.map { $0 >= validity } ?? false)
    guard isLate else { return self }
    var limited = DeliveryPlan(
      arrivesAfter: arrivesAfter.flatMap { $0 < validity ? $0 : nil },
      receipts: inTime + [DeliveryReceipt(.expired, after: validity, error: 60)])
    limited.copies = copies
    limited.call = call
    return limited
  }
}
