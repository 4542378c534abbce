import ProviderKit

// Device Swap 1.0.0. Source: contract 6.

extension Scope {
  static let deviceSwap = ["device-swap", "device-swap:check", "device-swap:retrieve-date"]
}

extension CAMARAProvider {
  static var deviceSwapRoutes: [Route<Sandbox>] {
    [
      .post("/device-swap/v1/check", as: "checkDeviceSwap", operation("device-swap:check", checkDeviceSwap)),
      .post(
        "/device-swap/v1/retrieve-date", as: "retrieveDeviceSwapDate",
        operation("device-swap:retrieve-date", retrieveDeviceSwapDate)),
    ]
  }
}

/// `POST /check`: whether the number was used in another device within the last hours.
func checkDeviceSwap(_ context: RequestContext) throws -> Response {
  let body = try context.body
  let number = try body.optionalPhoneNumber()
  let hours = try Swap.maxAge(body, context.settings)
  let swap = try connectedSubscriber(numbered: number, context).lastDeviceSwap(by: context.now)
  return Swap(time: swap, context: context).response(within: hours)
}

/// `POST /retrieve-date`: when the number was first used in its present device.
func retrieveDeviceSwapDate(_ context: RequestContext) throws -> Response {
  let number = try context.body.optionalPhoneNumber()
  let swap = try connectedSubscriber(numbered: number, context).lastDeviceSwap(by: context.now)
  return Swap(time: swap, context: context).response("latestDeviceChange")
}

/// A subscriber whose SIM card has been in a device. Source: contract 6.
private func connectedSubscriber(numbered number: String?, _ context: RequestContext) throws -> Subscriber {
  let subscriber = try Subject.subscriber(numbered: number, context)
  try Subject.requireDevice(of: subscriber)
  return subscriber
}

extension Subscriber {
  /// The first use of the number in a device counts, too. Source: contract 6.
  fileprivate func lastDeviceSwap(by now: Timestamp) -> Timestamp? {
    (deviceSwaps + [activatedAt]).filter { $0 <= now }.max()
  }
}
