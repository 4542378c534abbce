package import ProviderKit

extension APNsProvider {
  /// The operation of the contract.
  package static var routes: [Route<Sandbox>] {
    [.post("/3/device/{token}", as: "sendNotification", recordingAttempt(sendNotification))]
  }
}
