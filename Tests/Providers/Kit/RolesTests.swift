import Catalog
import ProviderKit
import Testing

@Suite("Kit · roles of providers")
struct RolesTests {
  @Test("every provider has the roles of the protocols that it adopts", arguments: catalog.map { $0.name })
  func roles(_ name: String) throws {
    let provider = try #require(catalog.first { $0.name == name })

    #expect((provider.webhookSender == nil) == (provider as? any SendsWebhooks.Type == nil))
    #expect((provider.eventHandler == nil) == (provider as? any HandlesEvents.Type == nil))
    #expect((provider.faultMatcher == nil) == (provider as? any MatchesFaults.Type == nil))
    #expect((provider.requestSigner == nil) == (provider as? any SignsRequests.Type == nil))
    #expect((provider.testCodeSender == nil) == (provider as? any SendsTestCodes.Type == nil))
    #expect((provider.pushOwner == nil) == (provider as? any OwnsPushes.Type == nil))
    #expect((provider.pushSender == nil) == (provider as? any PushGateway.Type == nil))
    #expect((provider.sdkOwner == nil) == (provider as? any HasMobileSDK.Type == nil))
    #expect((provider.appPreparer == nil) == (provider as? any SetsUpApps.Type == nil))
  }
}
