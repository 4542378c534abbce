/// What only some providers do. Every member has a default for those that do not.
package protocol Capabilities: SendableMetatype {
  // MARK: Codes

  /// False for a provider that sends no codes to phones and email addresses. Default: true.
  static var sendsCodes: Bool { get }
  /// The documented code of one of the provider's test numbers; nil: the sandbox generates codes.
  static func fixedCode(for number: PhoneNumber) -> String?
  /// The limits of a verification, for the console; nil if they are not the core's.
  static func rules(of verification: Verification, in sandbox: Sandbox) throws -> VerificationRules?
  /// Makes the one request by which an app has a code sent, with the sandbox's own credentials, so that
  /// people can try a number out; nil: there is no such request.
  static var testCode: ProviderHooks.TestCode? { get }

  // MARK: Verifications and sign-ins, for the console

  /// The id of a verification in requests and answers; nil if there is none. Needs no query.
  static func id(of verification: Verification, in sandbox: Sandbox) throws -> String?
  /// Further ids of the verification or challenge with an id.
  static func aliases(of id: String, in sandbox: Sandbox) throws -> [String]
  /// True if a phone has sent the request. Paths with `/handset/` and silent hops need no answer.
  static func isFromPhone(_ exchange: Journal.Exchange) -> Bool
  /// The operations that start a sign-in without messages, pushes or the network, such as with a passkey, or
  /// the registration of what a person signs in with.
  static var signInRoutes: Set<String> { get }
  /// Nil if no sign-in or registration has this ordinal.
  static func signIn(_ ordinal: Int, in sandbox: Sandbox) throws -> SignIn?

  // MARK: Events

  /// Nil: the provider sends no webhooks.
  static var webhookSender: (any SendsWebhooks.Type)? { get }
  /// Reacts to an event of the provider's own verifications and messages, or of no provider in particular.
  ///
  /// It runs in the event's transaction. An error is a bug, and rolls the whole transaction back.
  static func handleEvent(_ event: DomainEvent, in sandbox: Sandbox) throws
  /// True if the provider receives texts at this number or name, also from people to whom it has not written.
  static func receivesTexts(at receiver: String, in sandbox: Sandbox) throws -> Bool
  /// All statuses of messages and calls that it can show, for scenarios that ask for one.
  static var deliveryStatuses: [ProviderStatus] { get }

  // MARK: Apps

  /// True if the provider's SDK on the handset handles a push with these data.
  static func ownsPushPayload(_ data: Texts) -> Bool
  /// Sends the pushes of other providers; nil for one that is no gateway.
  static var sendPush: ProviderHooks.SendPush? { get }
  /// What the provider's SDK in apps sends, which the sandbox does on a virtual handset; nil without an SDK.
  static var mobileSDK: MobileSDK? { get }
  /// What its SDK on a real phone needs besides a URL to register here; nil: nothing.
  static var appSetup: AppSetup? { get }
  /// What the person calls the device that has a push token; nil if there is none.
  static func deviceName(ofToken token: String, in sandbox: Sandbox) throws -> String?

  /// Plays an app of the provider in a browser; nil: there is no such page.
  static var consolePage: ConsolePage? { get }

  // MARK: Requests

  /// Signs a request that repeats an earlier one, if its signature is valid only once, or for a short time.
  /// Changes nothing if the signature of that was wrong, or if the credentials differ.
  static func renewSignature(of request: inout Request, like earlier: Request, in sandbox: Sandbox) throws
  /// How a client makes the token or the signature of a request from its credentials, for coding agents; nil
  /// if it sends credentials as they are.
  static var signing: String? { get }
  /// User name and password that the provider accepts instead of a signature, which a copied program cannot
  /// repeat; nil for a request that is not signed.
  static func credentials(
    insteadOfSignature headers: Headers, in sandbox: Sandbox
  ) throws -> BasicAuthentication?
  /// The header fields that only a signed request has, in lower case.
  static var signedFields: Set<String> { get }
  /// True if an injected fault with this error code does not apply to a request, because its sender is
  /// exempt.
  static func skipsFault(code: String, for request: Request, in sandbox: Sandbox) throws -> Bool
  /// True if a request names a phone number in a spelling of the provider's own, besides E.164 and its
  /// digits: injected faults look for numbers.
  static func names(_ number: PhoneNumber, in request: Request) -> Bool
  /// The provider's page about the error in an answer's body; nil if there is none.
  static func documentation(ofError answer: JSON) -> String?
  /// Finds the provider's application with an id; nil for a provider that does not resell the operator's APIs
  /// under its own hosts, so that its applications are no clients of the operator.
  static var findNetworkClient: ProviderHooks.FindNetworkClient? { get }
}

extension Capabilities {
  package static var sendsCodes: Bool { true }
  package static func fixedCode(for number: PhoneNumber) -> String? { nil }
  package static func rules(of verification: Verification, in sandbox: Sandbox) throws -> VerificationRules? {
    nil
  }
  package static var testCode: ProviderHooks.TestCode? { nil }

  package static func id(of verification: Verification, in sandbox: Sandbox) throws -> String? { nil }
  package static func aliases(of id: String, in sandbox: Sandbox) throws -> [String] { [] }
  package static func isFromPhone(_ exchange: Journal.Exchange) -> Bool { false }
  package static var signInRoutes: Set<String> { [] }
  package static func signIn(_ ordinal: Int, in sandbox: Sandbox) throws -> SignIn? { nil }

  package static var webhookSender: (any SendsWebhooks.Type)? { nil }
  package static func handleEvent(_ event: DomainEvent, in sandbox: Sandbox) throws {}
  package static func receivesTexts(at receiver: String, in sandbox: Sandbox) throws -> Bool { false }
  package static var deliveryStatuses: [ProviderStatus] { [] }

  package static func ownsPushPayload(_ data: Texts) -> Bool { false }
  package static var sendPush: ProviderHooks.SendPush? { nil }
  package static var mobileSDK: MobileSDK? { nil }
  package static var appSetup: AppSetup? { nil }
  package static func deviceName(ofToken token: String, in sandbox: Sandbox) throws -> String? { nil }
  package static var consolePage: ConsolePage? { nil }

  package static func renewSignature(
    of request: inout Request, like earlier: Request, in sandbox: Sandbox
  ) throws {}
  package static var signing: String? { nil }
  package static func credentials(
    insteadOfSignature headers: Headers, in sandbox: Sandbox
  ) throws -> BasicAuthentication? { nil }
  package static var signedFields: Set<String> { [] }
  package static func skipsFault(code: String, for request: Request, in sandbox: Sandbox) throws -> Bool {
    false
  }
  package static func names(_ number: PhoneNumber, in request: Request) -> Bool { false }
  package static func documentation(ofError answer: JSON) -> String? { nil }
  package static var findNetworkClient: ProviderHooks.FindNetworkClient? { nil }
}

/// A sign-in without messages, pushes or the network, or the registration of what a person signs in with.
package struct SignIn {
  package let ordinal: Int
  package let provider: String
  /// The provider's.
  package let id: String
  /// Texts that its requests have, and no others.
  package let marks: [String]
  /// The person at the provider.
  package let person: String
  /// Such as `passkey` or `new passkey`.
  package let way: String
  package let createdAt: Timestamp
  package let expiresAt: Timestamp
  package let state: Challenge.State

  package init(
    ordinal: Int, provider: String, id: String, marks: [String], person: String, way: String,
    createdAt: Timestamp, expiresAt: Timestamp, state: Challenge.State
  ) {
    self.ordinal = ordinal
    self.provider = provider
    self.id = id
    self.marks = marks
    self.person = person
    self.way = way
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.state = state
  }
}

package protocol SendsWebhooks: Provider {
  /// The request of a webhook; nil if the provider sends none for this event. Throws `UnsendableWebhook` for
  /// one that its user made impossible.
  ///
  /// It is called once, when the webhook is due, and every attempt sends the same bytes. Ids and times must
  /// come from the webhook, not from the clock.
  static func request(for webhook: Webhook, in sandbox: Sandbox) throws -> WebhookRequest?
  /// When an unacknowledged webhook is sent again.
  static var retries: RetrySchedule { get }
  /// The same for one webhook. Default: `retries`.
  static func retries(of webhook: Webhook, in sandbox: Sandbox) throws -> RetrySchedule

  /// The kinds of its webhooks.
  static var webhookKinds: [String] { get }
  /// The kinds whose requests have a timestamp, which is `Webhook.timestampAge` older than the truth and
  /// covered by the signature. Default: none.
  static var timestampedKinds: [String] { get }
  /// The header fields with a signature in Base64.
  static var signatureFields: [String] { get }
  /// True if receivers check signatures with the public key of the sandbox's webhooks. Default: false.
  static var signsWithKey: Bool { get }
  /// The member of a body or a query with a signature in digits of base 16. Default: none.
  static var signatureMember: String? { get }
  /// The phone number or email address that a webhook is about; nil if there is none. Default: that of the
  /// verification or message with the ordinal `subject`.
  static func number(of webhook: Webhook, in sandbox: Sandbox) throws -> String?
  /// A webhook with a body of the sender's choice: its URL, which may have a signature in its query, and its
  /// request, signed with the sandbox's key.
  static func request(
    sending body: JSON, of kind: String, to url: String, in sandbox: Sandbox
  ) throws -> (url: String, request: WebhookRequest)
}

extension SendsWebhooks {
  package static var webhookSender: (any SendsWebhooks.Type)? { self }

  package static var timestampedKinds: [String] { [] }

  package static var signsWithKey: Bool { false }

  package static var signatureMember: String? { nil }

  package static func retries(of webhook: Webhook, in sandbox: Sandbox) throws -> RetrySchedule { retries }

  package static func number(of webhook: Webhook, in sandbox: Sandbox) throws -> String? {
    try subject(of: webhook, in: sandbox)
  }

  /// The phone number or address of the verification or message that a webhook is about.
  package static func subject(of webhook: Webhook, in sandbox: Sandbox) throws -> String? {
    let ordinal = webhook.draft.subject
    return try sandbox.verifications.find(ordinal)?.claim.destination
      ?? sandbox.messages.find(ordinal)?.destination
  }
}

/// A webhook that the provider does not send because of what its user has asked for.
package struct UnsendableWebhook: Error {
  package let why: String

  package init(why: String) { self.why = why }
}
