import APNs
import CAMARA
import FCM
import Hyphen
import Prelude
import Prove
package import ProviderKit
import Sinch
import Telesign
import Twilio
import Vonage

/// Every provider of the sandbox. Credentials are listed in this order; the longest are last.
///
/// A new provider is its folder, its name in `providers` of Package.swift, and its import and its entry here.
/// Nothing else in the repository lists providers by hand.
package let catalog: [any Provider.Type] = [
  PreludeProvider.self,
  TelesignProvider.self,
  TwilioProvider.self,
  ProveProvider.self,
  VonageProvider.self,
  HyphenProvider.self,
  SinchProvider.self,
  CAMARAProvider.self,
  FCMProvider.self,
  APNsProvider.self,
]
