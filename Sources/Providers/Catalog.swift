/// Every provider the sandbox speaks. A new one: a folder beside this file, a line in this list.
/// Credentials are shown in this order; the longest are last.
package let catalog: [any Provider.Type] = [
  Prelude.self,
  Telesign.self,
  Twilio.self,
  FCM.self,
]
