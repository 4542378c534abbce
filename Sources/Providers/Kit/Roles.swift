/// A provider as what it does besides answering requests; nil for what it does not do.
///
/// The compiler finds these. Casts with `as?` find the same, but search all conformances in the program:
/// 220,000 instructions each, and every start asks each provider for all of them.
package protocol Roles {
  static var webhookSender: (any SendsWebhooks.Type)? { get }
  static var eventHandler: (any HandlesEvents.Type)? { get }
  static var faultMatcher: (any MatchesFaults.Type)? { get }
  static var requestSigner: (any SignsRequests.Type)? { get }
  static var testCodeSender: (any SendsTestCodes.Type)? { get }
  static var pushOwner: (any OwnsPushes.Type)? { get }
  static var pushSender: (any PushGateway.Type)? { get }
  static var sdkOwner: (any HasMobileSDK.Type)? { get }
  static var appPreparer: (any SetsUpApps.Type)? { get }
  static var networkReseller: (any ResellsNetworkAPIs.Type)? { get }
}

extension Provider {
  package static var webhookSender: (any SendsWebhooks.Type)? { nil }
  package static var eventHandler: (any HandlesEvents.Type)? { nil }
  package static var faultMatcher: (any MatchesFaults.Type)? { nil }
  package static var requestSigner: (any SignsRequests.Type)? { nil }
  package static var testCodeSender: (any SendsTestCodes.Type)? { nil }
  package static var pushOwner: (any OwnsPushes.Type)? { nil }
  package static var pushSender: (any PushGateway.Type)? { nil }
  package static var sdkOwner: (any HasMobileSDK.Type)? { nil }
  package static var appPreparer: (any SetsUpApps.Type)? { nil }
  package static var networkReseller: (any ResellsNetworkAPIs.Type)? { nil }
}

extension SendsWebhooks {
  package static var webhookSender: (any SendsWebhooks.Type)? { self }
}

extension HandlesEvents {
  package static var eventHandler: (any HandlesEvents.Type)? { self }
}

extension MatchesFaults {
  package static var faultMatcher: (any MatchesFaults.Type)? { self }
}

extension SignsRequests {
  package static var requestSigner: (any SignsRequests.Type)? { self }
}

extension SendsTestCodes {
  package static var testCodeSender: (any SendsTestCodes.Type)? { self }
}

extension OwnsPushes {
  package static var pushOwner: (any OwnsPushes.Type)? { self }
}

extension PushGateway {
  package static var pushSender: (any PushGateway.Type)? { self }
}

extension HasMobileSDK {
  package static var sdkOwner: (any HasMobileSDK.Type)? { self }
}

extension SetsUpApps {
  package static var appPreparer: (any SetsUpApps.Type)? { self }
}

extension ResellsNetworkAPIs {
  package static var networkReseller: (any ResellsNetworkAPIs.Type)? { self }
}
