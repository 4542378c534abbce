/// The line cannot take texts: what follows from a landline's record, and no scenario's outcome.
enum NotSupported {
  /// Refused at once with error 011, teleservice not provisioned. Source: `carrier.md` 1.2.
  static let plan = DeliveryPlan(ending: .rejected, after: .zero, error: 11)
}
