import FCM
import Prelude
package import ProviderKit
import Telesign
import Twilio

/// Every provider of the sandbox. Credentials are listed in this order; the longest are last.
package let catalog: [any Provider.Type] = [
  PreludeProvider.self,
  TelesignProvider.self,
  TwilioProvider.self,
  FCMProvider.self,
]
