import FCM
import Prelude
package import ProviderKit
import Telesign
import Twilio

/// Every provider of the sandbox. Credentials are listed in this order; the longest are last.
///
/// A new provider adds its import and its entry here, and its name to `providers` in Package.swift.
/// Nothing else in the repository lists providers.
package let catalog: [any Provider.Type] = [
  PreludeProvider.self,
  TelesignProvider.self,
  TwilioProvider.self,
  FCMProvider.self,
]
