// Written by Tests/Tools/javascript_types.py: run make docs.
/** The failures of `GET /control/failures` that a request produces. */
export type FailureId =
  | "api-500" | "api-503" | "api-429" | "api-401" | "api-slow" | "api-500-after" | "api-once" | "api-reset"
  | "api-reset-before" | "api-truncated" | "api-garbled" | "api-html" | "text-late" | "text-too-late"
  | "text-lost" | "text-network-error" | "text-busy" | "text-expired" | "text-no-receipt"
  | "text-false-receipt" | "text-receipt-first" | "text-twice" | "text-out-of-order" | "text-garbled"
  | "text-truncated" | "text-wrong-encoding" | "text-segment-lost" | "text-old-code" | "text-filtered"
  | "text-memory-full" | "text-blocked" | "text-not-provisioned" | "text-throttled" | "text-queue-full"
  | "text-carrier-fault" | "text-bad-destination" | "text-refused" | "text-delivery-failure"
  | "text-network-down" | "text-handset-off" | "text-landline" | "text-deactivated" | "text-suspended"
  | "text-barred" | "text-opted-out" | "app-not-capable" | "app-failed" | "app-lost" | "app-late"
  | "app-no-receipt" | "app-blocked" | "app-offline" | "call-busy" | "call-no-answer" | "call-declined"
  | "call-voicemail" | "call-hung-up" | "call-unreachable" | "call-no-key" | "call-lost" | "call-blocked"
  | "call-refused" | "call-barred" | "code-expired" | "webhook-lost" | "webhook-twice"
  | "webhook-reordered" | "webhook-late" | "webhook-wrong-signature" | "webhook-no-signature"
  | "webhook-old-timestamp" | "webhook-content-type" | "webhook-forged" | "silent-mismatch"
  | "silent-not-mobile" | "silent-no-coverage" | "silent-carrier-error" | "silent-timeout"
  | "silent-garbage" | "silent-loop" | "silent-user-denied" | "silent-wifi" | "silent-vpn"
  | "silent-no-data" | "push-lost" | "push-late" | "push-twice" | "push-expired" | "push-offline"
  | "push-denied" | "push-ignored" | "push-wrong-key" | "push-wrong-clock" | "push-no-biometrics"
  | "passkey-expired" | "line-sim-swapped" | "line-ported" | "line-recycled" | "line-deactivated"
  | "line-roaming" | "line-forwarding" | "line-device-changed" | "line-landline" | "line-voip"
  | "line-toll-free" | "line-prepaid" | "line-risky" | "line-other-person";

/** A sandbox with the URLs and credentials of its clients. */
export interface Sandbox {
  /** The name. */
  name: string;
  /** The random seed of ids, codes and keys. */
  entropySeed: number;
  /** The clock. */
  clock: Clock;
  /** The sandbox's URLs. */
  urls: {
    /** The server's URL, for clients that send X-Sandbox or credentials. */
    base: string;
    /** The URL that selects this sandbox by its path. */
    prefixed: string;
    /** The server's HTTPS URL; absent if HTTPS is off. */
    https?: string;
    /** The URL of the cellular gateway's listener; absent if it is off. */
    gateway?: string;
  };
  /** The credentials of clients, by provider. */
  credentials: Record<string, Record<string, string>>;
  /** How long after its last request the sandbox is removed. */
  ttl?: string;
  /** When it is removed if no request arrives, on the server's clock. */
  removedAt?: string;
  /** How much it uses of each of its limits: used, limit. */
  use?: Record<string, Record<string, number>>;
  /** Opens this sandbox's control API. Only in the answer to its creation. */
  token?: string;
}

/** The sandbox's clock. */
export interface Clock {
  /** The mode: running, frozen, or running with an offset. */
  mode: "real" | "frozen" | "offset";
  /** The time now. */
  now: string;
  /** The time that the clock is advancing to. */
  towards?: string;
}

/** A token that opens one sandbox. */
export interface SandboxToken {
  /** The sandbox's name. */
  sandbox: string;
  /** Send it as: Authorization: Bearer TOKEN. */
  token: string;
}

/** The sandbox that was seeded. */
export interface SeededSandbox {
  /** The sandbox's name. */
  sandbox: string;
}

/** The random seed. */
export interface Entropy {
  /** The random seed of later ids, codes and keys. */
  entropySeed: number;
}

/** The operators' gateway to mobile data. */
export interface Gateway {
  /**
   * How requests without a handset are treated. magic: as from the claimed number. strict: as from no
   * handset.
   */
  mode: "magic" | "strict";
  /** The number of additional redirects from the gateway to itself. */
  hops: number;
  /** True if a chain stays on the listener on which it started. */
  tls: boolean;
  /** The gateway's URL for handsets. */
  url: string | null;
}

/** A phone number in the numbering plan of the sandbox. */
export interface Number {
  /** The number. */
  number: string;
  /** True if the number can exist. Providers refuse numbers that cannot. */
  valid: boolean;
  /** Why the number cannot exist. */
  problem?: "valid" | "invalidCountryCode" | "tooShort" | "tooLong" | "invalidLength" | "invalidPrefix";
  /** The same for people, and how to accept the number. */
  why?: string;
  /** True if the number is reserved for fiction and tests. */
  fictional: boolean;
  /** True if the number has a record. */
  recorded: boolean;
  /** ISO 3166-1 alpha-2; absent for codes of no country. */
  country?: string;
  /** The number as people in its country write it. */
  nationalFormat: string;
  /** The country code; absent if it is not assigned. */
  callingCode?: string;
}

/** The holder of a line. The last digits of the number choose the defaults, and a record overrides them. */
export interface Subscriber {
  /** E.164: + and 7 to 15 digits, the first not zero. */
  number: string;
  /** A fixed code for every verification of this number; null if codes come from the entropy. */
  code: string | null;
  /** The kind of line; by default that of the numbering plan. */
  lineType: "mobile" | "landline" | "fixed_voip" | "non_fixed_voip" | "toll_free" | "premium" | "shared_cost" | "personal" | "pager" | "voicemail" | "uan" | "unknown";
  /** The network's name; Sandpiper Mobile by default. */
  operator: string;
  /** ISO 3166-1 alpha-2; derived from the number by default. */
  country: string | null;
  /** Mobile country code; 001, the test network, by default. */
  mcc: string;
  /** Mobile network code; 01 by default. */
  mnc: string;
  /** True if the network supports silent verification; false by default. */
  coversSilent: boolean;
  /** The mobile country code of the number's first network; mcc by default. */
  originalMcc: string;
  /** The mobile network code of the number's first network; mnc by default. */
  originalMnc: string;
  /** True if the number came from another network; true by default if portedAt is set. */
  ported: boolean;
  /** When the number was ported; null if unknown. */
  portedAt: string | null;
  /** How the line is paid: prepaid, monthly, or by a company; PAYM by default. */
  contract: "PAYG" | "PAYM" | "Business";
  /** When the contract began; three years before the start of the sandbox's clock by default. */
  activatedAt: string;
  /** The number's holders, oldest first; by default one person since activatedAt. */
  subscriberPeriods: Array<{
    /** When the period began. */
    from: string;
    /** When the period ended; null if it has not ended. */
    to: string | null;
  }>;
  /** When the number went out of service; null if it is in service. */
  deactivatedAt: string | null;
  /** True if the network has suspended the line; false by default. */
  suspended: boolean;
  /** Services that are switched off. */
  barring: Array<"smsIn" | "smsOut" | "voiceIn" | "voiceOut" | "data">;
  /** When calls are forwarded. */
  forwarding: Array<"unconditional" | "busy" | "noAnswer" | "unreachable">;
  /** True if the network slows the line's data down; false by default. */
  throttled: boolean;
  /** True if the network blocks some content for the line; null if unknown. */
  contentLock: boolean | null;
  /** True if the line has a parental control; null if unknown. */
  parentalControl: boolean | null;
  /** The SIM card's identity; derived from mcc, mnc and number by default. */
  imsi: string | null;
  /** The handset's identity; derived from the number by default. */
  imei: string | null;
  /** The SIM card's number; derived from mcc, mnc and number by default. */
  iccid: string | null;
  /**
   * Whether a network has seen the number's SIM card: connected, neverConnected, or none for a number without
   * one; connected by default. Without it, nothing reaches a handset.
   */
  simCard: "connected" | "neverConnected" | "none";
  /** The handset's model and software. */
  handset: {
    /** Who makes it. */
    manufacturer: string | null;
    /** The name of its model. */
    model: string | null;
    /** The last two digits of its IMEISV, such as 01. */
    softwareVersion: string | null;
  };
  /** When the SIM card was changed. */
  simSwaps: string[];
  /** When the handset was changed. */
  deviceSwaps: string[];
  /** Which traffic reaches the handset now. */
  reach: {
    /** True if texts reach it. */
    sms: boolean;
    /** True if data reaches it. */
    data: boolean;
  };
  /** The network that the handset visits. */
  roaming: {
    /** True if the handset is in another country's network. */
    on: boolean;
    /** The mobile country code of the visited network. */
    mcc: string | null;
    /** The visited countries, ISO 3166-1 alpha-2. */
    countries: string[];
  };
  /** The handset's data connection through its own network. */
  session: {
    /** True if the handset has a data connection. */
    on: boolean;
    /** The handset's own address, such as 127.10.1.1. Requests from this address are from this handset. */
    ip: string | null;
    /** The handset's own port. */
    port: number | null;
    /** The handset's public address. */
    natIp: string | null;
    /** The handset's public port. */
    natPort: number | null;
    /** The handset's IPv6 address, in eight groups; all of its first 64 bits is this handset. */
    ipv6: string | null;
  };
  /** Why the handset's traffic does not come from its own network; none by default. */
  interference: "none" | "wifi" | "vpn" | "tether" | "relay";
  /**
   * Answers to requests for consent, by purpose, such as dpv:FraudPreventionAndDetection; * means all other
   * purposes. Granted by default; null forgets an answer.
   */
  consent: Record<string, "granted" | "denied" | "unknown" | null>;
  /** The risk of misuse; null if it was not assessed. */
  risk: {
    /** From 0, harmless, to 1000. */
    score: number;
    /** The reasons for the score. */
    reasons: string[];
  } | null;
  /** True if the number has WhatsApp; true by default. */
  whatsapp: boolean;
  /** True if the handset supports RCS; true by default. */
  rcs: boolean;
  /** The person's automatic answer to challenges; null if challenges wait for an answer. */
  pushes: "approve" | "deny" | "ignore" | "manual" | null;
  /** The person's preferred channel; null if there is none. */
  preferredChannel: "sms" | "call" | "whatsapp" | "email" | "rcs" | "viber" | "telegram" | "zalo" | "silent" | "push" | null;
  /** The person's email address; null if unknown. */
  email: string | null;
  /** The fictional person, for match scores. */
  kyc: {
    /** The number of an identity document. */
    idDocument?: string;
    /** The kind of the identity document. */
    idDocumentType?: "passport" | "national_id_card" | "residence_permit" | "diplomatic_id" | "driver_licence" | "social_security_id" | "other";
    /** The last day of the identity document, such as 2030-01-31. */
    idDocumentExpiryDate?: string;
    /** The full name. */
    name?: string;
    /** The given name. */
    givenName?: string;
    /** The family name. */
    familyName?: string;
    /** The name in half-width kana. */
    nameKanaHankaku?: string;
    /** The name in full-width kana. */
    nameKanaZenkaku?: string;
    /** The middle names. */
    middleNames?: string;
    /** The family name at birth. */
    familyNameAtBirth?: string;
    /** The full address. */
    address?: string;
    /** The street. */
    streetName?: string;
    /** The house number. */
    streetNumber?: string;
    /** The postal code. */
    postalCode?: string;
    /** The region. */
    region?: string;
    /** The town. */
    locality?: string;
    /** ISO 3166-1 alpha-2. */
    country?: string;
    /** The addition to the house number. */
    houseNumberExtension?: string;
    /** The date of birth, such as 1990-01-31. */
    birthdate?: string;
    /** The email address. */
    email?: string;
    /** MALE, FEMALE or OTHER. */
    gender?: string;
    /** The town of birth. */
    cityOfBirth?: string;
    /** The country of birth, ISO 3166-1 alpha-2. */
    countryOfBirth?: string;
    /** The nationality, ISO 3166-1 alpha-2. */
    nationality?: string;
  };
  /** Senders whose texts are blocked; * means all. */
  optOut: string[];
  /** Outcomes of messages to this number; the sandbox's scenarios win over them. */
  scenarios: Scenario[];
}

/** A rule about the outcome of messages. The first rule that matches and applies wins. */
export interface Scenario {
  /** The messages that the rule is about; all by default. */
  match: {
    /** Only messages to this phone number or email address. */
    number: string | null;
    /** Only messages of this channel. */
    channel: "sms" | "call" | "whatsapp" | "email" | "rcs" | "viber" | "telegram" | "zalo" | "silent" | "push" | null;
    /** Only messages from this sender. */
    sender: string | null;
    /** Only messages of this provider. */
    provider: string | null;
    /** Only messages to numbers of this country: two letters of ISO 3166-1. */
    country?: string;
    /** Only messages to numbers that begin so, such as +3363. */
    prefix?: string;
    /** Only messages to numbers of this operator, by the name in their records. */
    operator?: string;
    /** true: only messages to handsets that roam; false: only to those that do not. */
    roaming?: boolean;
    /** The first match to which the rule applies, counted from 1. */
    nth: number | null;
    /** The rule applies to one of so many matches: 3 is the third, the sixth, and so on. */
    every?: number;
    /**
     * The rule applies to this share of its matches: 0.2 is 20 %. Chosen by the sandbox's entropy, so it is
     * the same for the same seed.
     */
    rate?: number;
  };
  /** The outcome of the message, call or silent verification; one that match.channel can have. */
  outcome?: "absent" | "answer" | "answerHangup" | "busy" | "decline" | "deliver" | "duplicate" | "fail" | "filtered" | "garbled" | "lostButDelivrd" | "memoryFull" | "networkDown" | "noAnswer" | "noReceipt" | "notCapable" | "oldCode" | "outOfOrder" | "read" | "receiptFirst" | "reject" | "segmentLost" | "shownExpired" | "slow" | "submitFail:systemError" | "submitFail:invalidDestination" | "submitFail:queueFull" | "submitFail:refused" | "submitFail:throttled" | "submitFail:deliveryFailure" | "truncated" | "undeliverable" | "unreachable" | "voicemail" | "wrongEncoding" | "match" | "mismatch" | "notMobile" | "noCoverage" | "carrierError" | "timeout" | "garbage" | "loop" | "userDenied" | "expired";
  /** The status that providers show in the end: one of the statuses in GET /control/faults/options. */
  providerStatus?: Record<string, string | number>;
  /** The delay in milliseconds until the arrival, the last receipt if nothing arrives, or a call's result. */
  afterMs: number | null;
  /** The carrier's error number in the receipt of a failure. */
  err: number | null;
  /**
   * The keys that the person presses during a call; by default the key asked for (1 if any), then the menu's
   * first answer. Empty: no key.
   */
  keys?: string;
  /** The number of messages to which the rule applies; one by default if only nth is set, else all. */
  times: number | null;
  /**
   * The number of matches so far. A rule that is sent back with it goes on counting; without it, it begins
   * again.
   */
  hits?: number;
  /** The number of times that the rule acted; ignored in requests. */
  applied?: number;
  /** Who added the rule; ignored in requests. */
  origin?: "control" | "trainer" | "task" | "chaos";
}

/** A temporary token of a SIM card (GSMA TS.43). It can be used once. */
export interface SIMToken {
  /** What the app sends to its back end. */
  token: string;
  /** When it ends, if the number does not get another SIM card before. */
  expiresAt: string;
}

/** A handset with its apps. */
export interface Handset {
  /** The handset's number, or a token if there is no number. */
  id: string;
  /** The same as id. */
  number: string;
  /** The network's name. */
  operator: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  /** The person's automatic reaction to challenges. */
  pushes: "approve" | "deny" | "ignore" | "manual" | null;
  /** The registered apps. */
  apps: Device[];
}

/** An app that is registered on a handset. */
export interface Device {
  /** The id. */
  id: string;
  /** The handset's number, or a token if there is no number. */
  number: string;
  /** The provider that the app is registered with. */
  provider: string;
  /** The app's name. */
  app: string;
  /** The handset's operating system. */
  platform: "android" | "ios";
  /** The token for pushes to the app; null if it gets no pushes. */
  pushToken: string | null;
  /** The app's token at Apple's gateway; null on Android. */
  apnsToken: string | null;
  /** The state of the tokens. */
  state: string;
  /** False if the handset is offline. */
  online: boolean;
  /** The person's automatic answer; null: that of the number's record. */
  behaviour: "approve" | "deny" | "ignore" | "manual" | null;
  /** How long the person needs for an automatic answer. */
  answerAfterMs: number;
  /** The state of the handset. */
  condition: "ready" | "locked" | "batteryEmpty" | "biometricsFailed" | "appDeleted";
  /** How far the handset's clock is ahead of the sandbox's. */
  clockOffsetSeconds: number;
  /** SubjectPublicKeyInfo in base64. */
  publicKey: string;
  /** The time of the registration. */
  registeredAt: string;
}

/** A request for a person's approval on a device. */
export interface Challenge {
  /** The provider. */
  provider: string;
  /** The provider's id of the request that needs approval. */
  reference: string;
  /** The phone number, or another id of the person at the provider. */
  number: string;
  /** The state. */
  state: "pending" | "approved" | "denied" | "expired";
  /** When the challenge was created. */
  askedAt: string;
  /** When it expires. */
  expiresAt: string;
  /** When the person answered. */
  answeredAt: string | null;
}

/** The hops of a silent chain, and how it ended. */
export interface WalkResult {
  /** How the chain ended. */
  ending: "code" | "text" | "redirect" | "failure";
  /** The code for the app's back end. */
  code?: string;
  /** The URL of the app to which the last hop redirects, with its fragment. */
  url?: string;
  /** The text of the last answer. */
  text?: string;
  /** Why the chain failed, or the error in the URL of the app. */
  why?: string;
  /** The requests, in order. */
  hops: Array<{
    /** The URL. */
    url: string;
    /** The status of the answer. */
    status: number;
  }>;
}

/** A credential, as navigator.credentials returns it. */
export interface PasskeyCredential {
  /** The id of the passkey, in base64url. */
  id: string;
  /** The same. */
  rawId: string;
  /** public-key */
  type: string;
  /** platform */
  authenticatorAttachment: string;
  /** The authenticator's answer, in base64url. */
  response: Record<string, string>;
}

/** A notification to an app. */
export interface Push {
  /** The id of the push and of its message. */
  id: string;
  /** The phone number; null for other holders. */
  number: string | null;
  /** The provider whose SDK reads the data, else the sender. */
  provider: string;
  /** The provider's id. */
  reference: string;
  /** The text of the notification. */
  text: string;
  /** When the push was accepted. */
  acceptedAt: string;
  /** The status of the delivery. */
  status: "sent" | "delivered" | "replaced" | "expired" | "failed";
  /** The push token. */
  to: string;
  /** The target that the sender named: kind and value. */
  target?: Record<string, string>;
  /** The sender's project at the gateway. */
  project?: string;
  /** The gateway's API. */
  via?: string;
  /** The origin of the push. */
  source?: string;
  /** The number of requests until the push was accepted. */
  attempts?: number;
  /** The priority. */
  priority?: string;
  /** The lifetime. */
  ttlSeconds?: number;
  /** True if the handset shows a notification. */
  visible?: boolean;
  /** The data for the app. */
  data?: Record<string, unknown>;
  /** Data values that contain JSON, decoded. */
  decoded?: Record<string, unknown>;
  /** The title and text of the notification. */
  notification?: Record<string, unknown> | null;
  /** The headers and payload for iOS. */
  apns?: Record<string, unknown> | null;
  /** The sender's message. */
  raw?: Record<string, unknown>;
  /** The device's id. */
  device: string | null;
  /** The app's name. */
  app: string | null;
  /** The handset's operating system. */
  platform: "android" | "ios" | null;
  /** When the push was delivered. */
  deliveredAt: string | null;
  /** When the person opened the notification. */
  readAt: string | null;
  /** The id of the newer push that took its place. */
  replacedBy?: string;
  /** The state of the challenge in the push. */
  state?: "pending" | "approved" | "denied" | "expired";
  /** When the challenge was created. */
  askedAt?: string;
  /** When the challenge expires. */
  expiresAt?: string;
  /** When the person answered the challenge. */
  answeredAt?: string | null;
}

/** A request for a push, accepted or rejected. */
export interface PushAttempt {
  /** When the request arrived. */
  at: string;
  /** The provider. */
  provider: string;
  /** The target; its members are null if the request has no valid target. */
  target: {
    /** The kind of target, by the provider's name. */
    kind: string | null;
    /** The token or topic. */
    value: string | null;
  };
  /** The HTTP status of the answer. */
  status: number;
  /** The provider's error code. */
  error: string | null;
  /** True if the request only asked for validation. */
  dryRun: boolean;
  /** The provider's id of the push. */
  reference: string | null;
}

/** What an app with a provider's mobile SDK needs to register here. */
export interface PhoneSetup {
  /** The provider. */
  provider: string;
  /** The base URL that replaces the provider's, for SDKs that take one. */
  url: string;
  /** The HTTP proxy for SDKs with a fixed host. */
  proxy?: string;
  /** The configuration profile for iOS. */
  profile: string;
  /** The authority's certificate for Android. */
  certificate: string;
  /** Where the app polls for pushes: add token, after and wait. */
  pushes: string;
  /** What the SDK takes, such as an access token. */
  values: Record<string, string>;
}

/** A verification with its attempts, silent sessions and webhooks. */
export interface Verification {
  /** The verification's ordinal in the sandbox. */
  id: number;
  /** The provider. */
  provider: string;
  /** The provider's account or service. */
  owner: string;
  /** The phone number or email address. */
  to: string;
  /** The state. */
  state: "pending" | "approved" | "denied" | "canceled" | "expired" | "exhausted";
  /** The latest code; empty if no code is valid. */
  code: string;
  /** The number of checks so far. */
  checks: number;
  /** When it was started. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
  /** When it expires. */
  expiresAt: string;
  /** The messages with its code, oldest first. */
  attempts: Array<{
    /** The attempt, counted from 1. */
    number: number;
    /** The channel. */
    channel: "sms" | "call" | "whatsapp" | "email" | "rcs" | "viber" | "telegram" | "zalo" | "silent" | "push";
    /** When the code was sent. */
    sentAt: string;
    /** The attempt's own code, for providers with a code per attempt. */
    code: string | null;
    /** True if this attempt's code approved the verification. */
    isAnswered: boolean;
  }>;
  /** The channels that are tried one after another. */
  steps: Array<{
    /** The channel. */
    channel: "sms" | "call" | "whatsapp" | "email" | "rcs" | "viber" | "telegram" | "zalo" | "silent" | "push";
    /** The state. */
    state: "waiting" | "offered" | "ongoing" | "failed" | "verified" | "skipped" | "rejected" | "canceled";
    /** When the step started. */
    begunAt: string | null;
    /** When the step times out. */
    endsAt: string | null;
    /** Why the step failed. */
    failure: "timeOver" | "undelivered" | "unreachable" | "mismatched" | "denied" | "passedOver" | null;
  }>;
  /** The silent sessions. */
  silentSessions: Array<{
    /** The token in its URLs. */
    token: string;
    /** The attempt of the verification, counted from 1. */
    attempt: number;
    /** When it was created. */
    createdAt: string;
    /** When it expires. */
    expiresAt: string;
    /** When a handset opened its URL first. */
    openedAt: string | null;
    /** The result that the provider got. */
    verdict: "matched" | "mismatched" | "notMobile" | "noCoverage" | "carrierError" | "denied" | "expired" | "used" | "unknown" | null;
  }>;
  /** The ids of its webhooks. */
  webhooks: string[];
  /** The provider's data, with secrets masked. */
  details: unknown;
}

/** A record that a provider keeps, such as a template. */
export interface ProviderRecord {
  /** The kind, by the provider's name for it. */
  kind: string;
  /** The provider's id of the record. */
  key: string;
  /** The account or service that the record belongs to. */
  owner: string;
  /** The provider's data, with secrets masked. */
  record: unknown;
}

/** A verification that was canceled or locked. */
export interface EndedVerification {
  /** The verification's ordinal in the sandbox. */
  id: number;
  /** The provider. */
  provider: string;
  /** The phone number or email address. */
  to: string;
  /** The state. */
  state: "pending" | "approved" | "denied" | "canceled" | "expired" | "exhausted";
  /** When it ended. */
  at: string;
}

/** A message to a handset, or from one. */
export interface Message {
  /** The id. */
  id: string;
  /** The channel. */
  channel: "sms" | "call" | "whatsapp" | "email" | "rcs" | "viber" | "telegram" | "zalo" | "silent" | "push";
  /** The phone number or email address. */
  to: string;
  /** The sender: a number, a short code or a name. */
  from: string;
  /** The provider; empty for a text to no provider. */
  provider: string;
  /** The provider's id of the verification. */
  verificationId: string;
  /** The text, as the handset shows it or as the call reads it. */
  text: string;
  /** The code in the text. */
  code: string | null;
  /** The text's encoding. */
  encoding: "gsm7" | "ucs2";
  /** The number of charged parts. */
  segments: number;
  /** When the provider submitted the message. */
  submittedAt: string;
  /** When the handset showed it; null if it does not. */
  arrivedAt: string | null;
  /** Who has the message: whoever had the phone number when it arrived. */
  holder?: Holder;
  /** The state of the latest receipt. */
  state: "ACCEPTD" | "ENROUTE" | "DELIVRD" | "EXPIRED" | "UNDELIV" | "REJECTD" | "READ" | "REFUSED";
  /** The carrier's receipts so far. */
  receipts: Array<{
    /** The state. */
    state: "ACCEPTD" | "ENROUTE" | "DELIVRD" | "EXPIRED" | "UNDELIV" | "REJECTD" | "READ" | "REFUSED";
    /** Milliseconds since the submission. */
    atMs: number;
    /** The carrier's error number. */
    err?: number;
  }>;
  /** The call, for the channel call. */
  call?: Call;
  /** The push, for the channel push. */
  push?: MessagePush;
}

/** Who has a message. */
export interface Holder {
  /** The person: the place in the record's subscriberPeriods, counted from 1. */
  subscriber: number;
  /** The number of their SIM card, for the channels sms, call and rcs. */
  iccid?: string;
  /** True if they have the phone number now. */
  present: boolean;
}

/** A call that reads a text out. */
export interface Call {
  /** How the call ends. */
  result: "answered" | "hungUp" | "busy" | "noAnswer" | "declined" | "voicemail" | "unreachable";
  /** The language, by the provider's name for it. */
  language: string;
  /** How often the text is read out. */
  repeats: number;
  /** Whether the call asked for a key, and whether one was pressed. */
  key: "notAsked" | "pressed" | "none";
  /** The keys that were pressed. */
  keys: string;
  /** The transcript so far. */
  transcript: Array<{
    /** Milliseconds since the call's start. */
    atMs: number;
    /** The speaker. */
    who: "network" | "caller" | "person" | "machine";
    /** The words or the sound. */
    text: string;
  }>;
}

/** The notification of a message of the channel push. */
export interface MessagePush {
  /** The push token. */
  to: string;
  /** The target that the sender named: kind and value. */
  target?: Record<string, string>;
  /** The sender's project at the gateway. */
  project?: string;
  /** The gateway's API. */
  via?: string;
  /** The origin of the push. */
  source?: string;
  /** The number of requests until the push was accepted. */
  attempts?: number;
  /** The priority. */
  priority?: string;
  /** The lifetime. */
  ttlSeconds?: number;
  /** True if the handset shows a notification. */
  visible?: boolean;
  /** The data for the app. */
  data?: Record<string, unknown>;
  /** Data values that contain JSON, decoded. */
  decoded?: Record<string, unknown>;
  /** The title and text of the notification. */
  notification?: Record<string, unknown> | null;
  /** The headers and payload for iOS. */
  apns?: Record<string, unknown> | null;
  /** The sender's message. */
  raw?: Record<string, unknown>;
  /** The device's id. */
  device: string | null;
  /** The app's name. */
  app: string | null;
  /** The handset's operating system. */
  platform: "android" | "ios" | null;
  /** When the push was delivered. */
  deliveredAt: string | null;
  /** When the person opened the notification. */
  readAt: string | null;
  /** The id of the newer push that took its place. */
  replacedBy?: string;
  /** The state of the challenge in the push. */
  state?: "pending" | "approved" | "denied" | "expired";
  /** When the challenge was created. */
  askedAt?: string;
  /** When the challenge expires. */
  expiresAt?: string;
  /** When the person answered the challenge. */
  answeredAt?: string | null;
}

/** A rule about the outcome of messages. The first rule that matches and applies wins. */
export interface CountedScenario {
  /** The messages that the rule is about; all by default. */
  match: {
    /** Only messages to this phone number or email address. */
    number: string | null;
    /** Only messages of this channel. */
    channel: "sms" | "call" | "whatsapp" | "email" | "rcs" | "viber" | "telegram" | "zalo" | "silent" | "push" | null;
    /** Only messages from this sender. */
    sender: string | null;
    /** Only messages of this provider. */
    provider: string | null;
    /** Only messages to numbers of this country: two letters of ISO 3166-1. */
    country?: string;
    /** Only messages to numbers that begin so, such as +3363. */
    prefix?: string;
    /** Only messages to numbers of this operator, by the name in their records. */
    operator?: string;
    /** true: only messages to handsets that roam; false: only to those that do not. */
    roaming?: boolean;
    /** The first match to which the rule applies, counted from 1. */
    nth: number | null;
    /** The rule applies to one of so many matches: 3 is the third, the sixth, and so on. */
    every?: number;
    /**
     * The rule applies to this share of its matches: 0.2 is 20 %. Chosen by the sandbox's entropy, so it is
     * the same for the same seed.
     */
    rate?: number;
  };
  /** The outcome of the message, call or silent verification; one that match.channel can have. */
  outcome?: "absent" | "answer" | "answerHangup" | "busy" | "decline" | "deliver" | "duplicate" | "fail" | "filtered" | "garbled" | "lostButDelivrd" | "memoryFull" | "networkDown" | "noAnswer" | "noReceipt" | "notCapable" | "oldCode" | "outOfOrder" | "read" | "receiptFirst" | "reject" | "segmentLost" | "shownExpired" | "slow" | "submitFail:systemError" | "submitFail:invalidDestination" | "submitFail:queueFull" | "submitFail:refused" | "submitFail:throttled" | "submitFail:deliveryFailure" | "truncated" | "undeliverable" | "unreachable" | "voicemail" | "wrongEncoding" | "match" | "mismatch" | "notMobile" | "noCoverage" | "carrierError" | "timeout" | "garbage" | "loop" | "userDenied" | "expired";
  /** The status that providers show in the end: one of the statuses in GET /control/faults/options. */
  providerStatus?: Record<string, string | number>;
  /** The delay in milliseconds until the arrival, the last receipt if nothing arrives, or a call's result. */
  afterMs: number | null;
  /** The carrier's error number in the receipt of a failure. */
  err: number | null;
  /**
   * The keys that the person presses during a call; by default the key asked for (1 if any), then the menu's
   * first answer. Empty: no key.
   */
  keys?: string;
  /** The number of messages to which the rule applies; one by default if only nth is set, else all. */
  times: number | null;
  /** The number of matches so far. */
  hits: number;
  /** The number of times that the rule acted. */
  applied: number;
  /** Who added the rule: a program or Break (control), the trainer, or the current task of a workshop. */
  origin: "control" | "trainer" | "task" | "chaos";
}

/** A rule about requests that fail on purpose. Of the matching rules that apply, the first one wins. */
export interface CountedFault {
  /** Only requests to this provider. */
  provider: string | null;
  /** Only requests to the route of this name, such as createVerification. */
  route: string | null;
  /**
   * Only requests with this phone number or email address in path, query or body, in any spelling that the
   * provider reads.
   */
  number: string | null;
  /** Only requests with this text in path, query or body, such as an id. */
  contains?: string;
  /** The first match to which the rule applies, counted from 1. */
  nth: number | null;
  /** The number of requests to which the rule applies; one by default if nth is set, else all. */
  times: number | null;
  /** The status of the answer, in the provider's error format. */
  status: number | null;
  /** The provider's own error code, such as 60203, for the answer. */
  code: string | number | null;
  /** Seconds in the answer's Retry-After. */
  retryAfter: number | null;
  /**
   * The delay of the answer in real time, up to an hour. It ends early if the sandbox's clock is moved past
   * it.
   */
  latencyMs: number | null;
  /**
   * Damage to the answer on its way: the connection is reset, half of the body is sent, the body is not JSON,
   * or a proxy's page in HTML replaces it, with status or 502.
   */
  damage: "reset" | "truncate" | "garble" | "html" | null;
  /**
   * If the request fails before its work, which is then not done, or after it. By default before with status
   * or code, and after with damage alone.
   */
  when?: "before" | "after";
  /** The number of matches so far. */
  hits: number;
  /** The number of times that the rule acted. */
  applied: number;
  /** Who added the rule: a program or Break (control), the trainer, or the current task of a workshop. */
  origin: "control" | "trainer" | "task" | "chaos";
}

/** A rule about webhooks that go wrong on their way. Of the matching rules that apply, the first one wins. */
export interface CountedWebhookFault {
  /** Only webhooks of this provider. */
  provider: string | null;
  /** Only webhooks of this kind, by the provider's name for it. */
  kind: string | null;
  /** Only webhooks about this phone number or email address. */
  number: string | null;
  /** The first match to which the rule applies, counted from 1. */
  nth: number | null;
  /** The number of webhooks to which the rule applies; one by default if nth is set, else all. */
  times: number | null;
  /** The webhook is never sent, sent twice, or sent after the next one to the same receiver. */
  delivery: "lost" | "duplicate" | "reorder" | null;
  /**
   * How much later it is sent, on the sandbox's clock. With reorder: how long it waits for the next webhook;
   * a minute by default.
   */
  delayMs: number | null;
  /** A wrong signature of the right form, or no signature at all. */
  signature: "wrong" | "missing" | null;
  /**
   * How much older the webhook's timestamp is, with a valid signature; for providers whose webhooks have one.
   */
  timestampAgeMs: number | null;
  /** Another content type, such as text/plain. */
  contentType: string | null;
  /** The number of matches so far. */
  hits: number;
  /** The number of times that the rule acted. */
  applied: number;
  /** Who added the rule: a program or Break (control), the trainer, or the current task of a workshop. */
  origin: "control" | "trainer" | "task" | "chaos";
}

/** A rule about how long answers take, in real time. Of the matching rules, the first one wins. */
export interface CountedLatency {
  /** Only requests to this provider. */
  provider: string | null;
  /** Only requests to the route of this name, such as createVerification. */
  route: string | null;
  /** Half of the answers take longer, up to an hour. */
  medianMs: number;
  /** One answer of a hundred takes longer. Without it, all take medianMs. */
  p99Ms: number | null;
  /** The number of matches so far. */
  hits: number;
  /** The number of times that the rule acted. */
  applied: number;
  /** Who added the rule: a program or Break (control), the trainer, or the current task of a workshop. */
  origin: "control" | "trainer" | "task" | "chaos";
}

/**
 * A rule about how many requests a second a provider accepts. Those beyond get its 429. Each counts for every
 * limit that it matches.
 */
export interface CountedRequestLimit {
  /** Only requests to this provider. Without it, each has such a limit. */
  provider: string | null;
  /** Only requests to the route of this name. Without it, all routes of a provider count together. */
  route: string | null;
  /** The number of requests per second, on the sandbox's clock. */
  requestsPerSecond: number;
  /** The number of matches so far. */
  hits: number;
  /** The number of times that the rule acted. */
  applied: number;
  /** Who added the rule: a program or Break (control), the trainer, or the current task of a workshop. */
  origin: "control" | "trainer" | "task" | "chaos";
}

/** What faults can name. */
export interface FaultOptions {
  /** The providers, and the mobile network. */
  providers: ProviderFaultOptions[];
  /** The kinds of damage. */
  damage: Array<"reset" | "truncate" | "garble" | "html">;
  /** When a request fails. */
  when: Array<"before" | "after">;
  /** What can happen to a webhook. */
  delivery: Array<"lost" | "duplicate" | "reorder">;
  /** What can be wrong with a webhook's signature. */
  signature: Array<"wrong" | "missing">;
}

/** The routes and codes of one provider. */
export interface ProviderFaultOptions {
  /** The provider. */
  name: string;
  /** Its routes. */
  routes: Array<{
    /** The name for route. */
    name: string;
    /** The method. */
    method: string;
    /** The path, with captures in braces. */
    path: string;
  }>;
  /** Its error codes. */
  codes: string[];
  /** The kinds of its webhooks. */
  webhookKinds: string[];
  /** The kinds of webhooks whose timestamp can be set back. */
  timestampedKinds: string[];
  /** The statuses of messages and calls that a scenario's providerStatus can name. */
  statuses: Array<{
    /** The name for providerStatus. */
    name: string;
    /** The provider's text. */
    text: string;
    /** The channels whose messages can have it. */
    channels: Array<"sms" | "call" | "whatsapp" | "email" | "rcs" | "viber" | "telegram" | "zalo" | "silent" | "push">;
  }>;
}

/** An error of a provider, and how to produce it. */
export interface ProviderError {
  /** The provider. */
  provider: string;
  /** The provider's code, as faults name it. */
  code: string;
  /** The status of the answer. */
  status: number;
  /** The provider's text; empty if it is not documented. */
  text: string;
  /** Which of the provider's formats has the error. */
  format?: string;
  /** The names of the routes that can answer it; all: every route. */
  routes: string[];
  /** How it is produced; empty if the commands say it all. */
  explanation: string;
  /**
   * Commands for a shell that produce it in this sandbox, or, if only a fault can, the one that sets the
   * fault. Absent if a request has to be signed by a device.
   */
  commands?: string;
  /** True if no request gets it without an injected fault. */
  onlyByFault: boolean;
  /** The numbered check of the contract about it, or a conformance test. */
  check?: string;
}

/** The kinds of failure that an app can meet. */
export interface Failures {
  /** The parts of the system that fail. */
  groups: Array<{
    /** The part of the system. */
    name: string;
    /** What an app does when it meets the failures. */
    flow: "sms" | "whatsapp" | "call" | "check" | "request" | "webhook" | "silent" | "push" | "passkey" | "lookup";
    /** Its failures. */
    failures: Failure[];
  }>;
}

/** A kind of failure. */
export interface Failure {
  /** Its id. */
  id: string;
  /** Its name. */
  name: string;
  /** What happens. */
  effect: string;
  /** The request that produces it. */
  request?: {
    /** The method. */
    method: string;
    /** The path; {number} stands for a phone number. */
    path: string;
    /** The body. */
    body: Record<string, unknown>;
  };
  /** The request that undoes it. */
  repair?: {
    /** The method. */
    method: string;
    /** The path; {number} stands for a phone number. */
    path: string;
    /** The body. */
    body: Record<string, unknown>;
  };
  /** Steps for a person or an app, without a request. */
  manual?: string;
  /** A number whose last digits have the same effect. */
  number?: string;
}

/** The chaos and what it has done. Before the first one, the rate is 0. */
export interface ChaosRun {
  /** False before the first chaos, and after its end. */
  on: boolean;
  /** The share that fails. */
  rate: number;
  /** The seed of the choices. */
  seed: number;
  /** How often something could fail. */
  chances: number;
  /** The failures so far. */
  failures: Array<{
    /** The id in GET /control/failures. */
    id: string;
    /** Its name. */
    name: string;
    /** How often. */
    count: number;
  }>;
}

/** A story for workshops. */
export interface StorySummary {
  /** The name. */
  name: string;
  /** The title. */
  title: string;
  /** What participants learn. */
  summary: string;
  /** The names of its flavours. */
  flavours: string[];
}

/** A set of sandboxes whose participants solve the tasks of a story. */
export interface Workshop {
  /** The name. */
  name: string;
  /** The story's name. */
  story: string;
  /** The story's flavour. */
  flavour: string;
  /** When it was created. */
  createdAt: string;
  /** The number of participants. */
  participants: number;
  /** The number of participants who have done all tasks. */
  finished: number;
}

/** A workshop with its participants and their results. */
export interface Board {
  /** The name. */
  name: string;
  /** The story's name. */
  story: string;
  /** The story's flavour. */
  flavour: string;
  /** When it was created. */
  createdAt: string;
  /** The titles of the tasks. */
  tasks: string[];
  /** The time of the board: that of the default sandbox. */
  now: string;
  /** The participants, in order. */
  participants: Participant[];
  /** Pass this to the stream as after, to follow what changes next. */
  cursor: number;
  /** The participants for whom an action failed, with the reason. It was done for the others. */
  failed?: Array<{
    /** The participant's name. */
    participant: string;
    /** Why it failed. */
    why: string;
  }>;
}

/** Someone with a sandbox in a workshop. */
export interface Participant {
  /** The name. */
  name: string;
  /** The sandbox's name. */
  sandbox: string;
  /** Opens the sandbox at /join. */
  phrase: string;
  /** The sandbox's token; absent if the server requires none. */
  token?: string;
  /** The trainer's note; empty if there is none. */
  note: string;
  /**
   * The last request to a provider, or to the control API if it was refused or counted; null if there was
   * none.
   */
  activeAt: string | null;
  /** What is broken on purpose, except by the current task. */
  failures: Array<{
    /** What it does, for people. */
    effect: string;
    /** Break on the board (trainer), or anything else (control). */
    origin: "trainer" | "control";
  }>;
  /** One result for each task. */
  results: TaskResult[];
}

/** How far a participant is with a task. */
export interface TaskResult {
  /** How far the task is. */
  state: "untouched" | "started" | "tried" | "done";
  /** When the participant could begin; null before. */
  openedAt: string | null;
  /** When the task was done; else null. */
  doneAt: string | null;
  /** How long the task has been open, or was open until it was done; null before. */
  minutes: number | null;
  /** The reason of the last refusal; null if a step of the task or an accepted request came later. */
  why: string | null;
  /** True if the reason is a failure that somebody injected, not a mistake. */
  onPurpose: boolean;
}

/** The tasks of a participant. */
export interface Tasks {
  /** The workshop's name. */
  workshop: string;
  /** The participant's name. */
  participant: string;
  /** The trainer's note; empty if there is none. */
  note: string;
  /** The tasks, in order. */
  tasks: Task[];
}

/** A task with its result. */
export interface Task {
  /** The title. */
  title: string;
  /** What to do. */
  text: string;
  /** Help for those who are stuck; null if there is none. */
  hint: string | null;
  /** How far the task is. */
  state: "untouched" | "started" | "tried" | "done";
  /** When the participant could begin; null before. */
  openedAt: string | null;
  /** When the task was done; else null. */
  doneAt: string | null;
  /** How long the task has been open, or was open until it was done; null before. */
  minutes: number | null;
  /** The reason of the last refusal; null if a step of the task or an accepted request came later. */
  why: string | null;
  /** True if the reason is a failure that somebody injected, not a mistake. */
  onPurpose: boolean;
}

/** A request with its answer, secrets masked. */
export interface Exchange {
  /** The id. */
  id: string;
  /** When it was answered. */
  at: string;
  /** The owner of the route; null for an unknown path. */
  provider: string | null;
  /** The route's name; null if no route matched. */
  route: string | null;
  /** The request. */
  request: {
    /** The method. */
    method: string;
    /** Path and query. */
    target: string;
    /** The header lines. */
    headers: string[];
    /** The body. */
    body: string;
  };
  /** The answer. */
  response: {
    /** The status. */
    status: number;
    /** The header lines. */
    headers: string[];
    /** The body. */
    body: string;
  };
  /** For an error: the reason, in plain words. */
  why: string | null;
  /** Fields that the client sent and no handler read. */
  unread: string[];
  /** How long the answer was held back: by latency, a fault, or the route itself. */
  delayMs?: number;
  /** For an unknown path: the most similar routes. */
  nearest?: string[];
}

/** The result of a claim. */
export interface JournalResult {
  /** True if the claim is right. */
  verified: boolean;
  /** The number of matching requests. */
  count: number;
}

/** Something that happened in the sandbox. */
export interface Event {
  /** The event's ordinal in the sandbox. */
  id: number;
  /** When it happened. */
  at: string;
  /** The kind. */
  kind: "verification.started" | "message.sent" | "verification.approved" | "verification.denied" | "verification.canceled" | "verification.expired" | "verification.exhausted" | "message.arrived" | "subscriber.simSwapped" | "subscriber.deviceSwapped" | "subscriber.ported" | "subscriber.recycled" | "subscriber.deactivated" | "subscriber.roamed" | "subscriber.attached" | "subscriber.detached" | "webhook.enqueued" | "webhook.delivered" | "webhook.unanswered" | "webhook.failed" | "webhook.refused" | "webhook.dropped" | "webhook.lost" | "webhook.faultInjected" | "webhook.forged" | "silent.opened" | "silent.matched" | "silent.failed" | "device.registered" | "device.replaced" | "device.removed" | "device.refused" | "challenge.asked" | "challenge.scanned" | "challenge.approved" | "challenge.denied" | "challenge.refused" | "push.delivered" | "push.read";
  /** The provider; null for events of the network. */
  provider: string | null;
  /** The phone number, email address or URL. */
  to: string;
}

/** A webhook with its attempts. */
export interface Webhook {
  /** The id. */
  id: string;
  /** The provider. */
  provider: string;
  /** The kind, by the provider's name for it. */
  kind: string;
  /** The URL, with secrets masked. */
  url: string;
  /** The state. */
  state: "pending" | "delivered" | "failed" | "refused" | "dropped" | "lost";
  /** The why if it ended without delivery. */
  why: string | null;
  /** What is wrong with it on purpose: a webhook fault, or a forgery. */
  fault?: string;
  /** When it was enqueued. */
  createdAt: string;
  /** When the next attempt is due. */
  nextAttemptAt: string | null;
  /** True if an attempt is due or in progress. */
  underWay: boolean;
  /** The request of every attempt; from the first one on. */
  request?: {
    /** The header lines, with secrets masked. */
    headers: string[];
    /** The body, with secrets masked. */
    body: string;
  };
  /** The attempts, oldest first. */
  attempts: Array<{
    /** The attempt, counted from 1. */
    number: number;
    /** When it was made. */
    at: string;
    /** The status of the receiver's answer. */
    status: number | null;
    /** Why there was no answer. */
    error: string | null;
    /** The beginning of the receiver's answer, with secrets masked. */
    answer?: string;
  }>;
}

/** An error: the field, the problem, and the expected value. */
export interface Error {
  /** The problem, for people. */
  error: string;
  /** The member, query parameter or header with the problem. */
  field?: string;
}

/** A sandbox to create. */
export interface NewSandbox {
  /** The name; generated by default. */
  name?: string | null;
  /**
   * The random seed of ids, codes and keys. Default: 1; where a token is required, one that nobody can guess.
   */
  entropySeed?: number | null;
  /** Freezes the clock at this time, 1970 to 9998; by default it runs. */
  clock?: string | null;
  /** The seeds to load: default, and subfolders of --seeds. */
  seeds?: string[] | null;
  /**
   * Removes the sandbox this long after its last request, on the server's clock; never by default, or after
   * the server's --sandbox-ttl.
   */
  ttl?: string | null;
  /**
   * What the sandbox may use. A request beyond it gets 429 or 507; on providers' paths, the provider's error.
   */
  limits?: Limits | null;
}

/** What the sandbox may use. */
export interface Limits {
  /** The number of messages that it holds, also those in emptied inboxes. A reset deletes them. */
  messages?: number | null;
  /** The number of requests per second. */
  requestsPerSecond?: number | null;
  /** The size of its data in the database. Its journal, in memory, gets the same size at most. */
  storedBytes?: number | null;
}

/** A change of a sandbox's limits. */
export interface SandboxChange {
  /**
   * Removes the sandbox this long after its last request; null: never, or after the server's --sandbox-ttl.
   */
  ttl?: string | null;
  /** The limits to change; null removes one, or all. */
  limits?: Limits | null;
}

/**
 * The content of a sandbox: the body of POST /control/seed, and every file in Seeds/<story>/. A member that
 * is null is ignored, except for optional members of a subscriber, which null clears. Exports have this form
 * too.
 */
export interface Seed {
  /** The URL of this schema, for editors; ignored. */
  $schema?: string | null;
  /**
   * True in exports: what clients sign in with is left out if another sandbox has it. In other seeds, that is
   * an error.
   */
  isExport?: boolean | null;
  /** Numbers with their records. A record changes the members that it names. */
  subscribers?: SeedSubscriber[] | null;
  /** Apps that are registered on handsets. An app replaces one of the same name. */
  devices?: SeedDevice[] | null;
  /** Rules about the outcome of messages. They replace the present ones. */
  scenarios?: ScenarioInput[] | null;
  /** Rules about requests that fail on purpose. They replace the present ones. */
  faults?: Fault[] | null;
  /** Rules about webhooks that go wrong on purpose. They replace the present ones. */
  webhookFaults?: WebhookFault[] | null;
  /** Rules about how long providers take to answer. They replace the present ones. */
  latency?: Latency[] | null;
  /** Rules about how many requests a second providers accept. They replace the present ones. */
  limits?: RequestLimit[] | null;
  /**
   * Phone numbers that are valid in addition to those of the public numbering plan. They replace the present
   * ones.
   */
  numberPrefixes?: NumberPrefix[] | null;
  /** Private keys. They protect nothing real. */
  keys?: {
    /**
     * The key that signs webhooks: RSA, 2048 to 4096 bits, in PEM without a password; ******** keeps the
     * present key.
     */
    webhooks?: string | null;
    /**
     * The key of service accounts: RSA, 2048 to 4096 bits, in PEM without a password; ******** keeps the
     * present key.
     */
    accounts?: string | null;
  } | null;
  /** Prelude's part of a seed. */
  prelude?: PreludeSeed | null;
  /** Telesign's part of a seed. */
  telesign?: TelesignSeed | null;
  /** Twilio's part of a seed. */
  twilio?: TwilioSeed | null;
  /** Prove's part of a seed. */
  prove?: ProveSeed | null;
  /** Vonage's part of a seed. */
  vonage?: VonageSeed | null;
  /** Hyphen's part of a seed. */
  hyphen?: HyphenSeed | null;
  /** Sinch's part of a seed. */
  sinch?: SinchSeed | null;
  /** CAMARA's part of a seed. */
  camara?: CAMARASeed | null;
  /** FCM's part of a seed. */
  fcm?: FCMSeed | null;
  /** APNs' part of a seed. */
  apns?: APNsSeed | null;
}

/** The holder of a line. The last digits of the number choose the defaults, and a record overrides them. */
export interface SeedSubscriber {
  /** E.164: + and 7 to 15 digits, the first not zero. */
  number: string;
  /** A fixed code for every verification of this number; null if codes come from the entropy. */
  code?: string | null;
  /** The kind of line; by default that of the numbering plan. */
  lineType?: "mobile" | "landline" | "fixed_voip" | "non_fixed_voip" | "toll_free" | "premium" | "shared_cost" | "personal" | "pager" | "voicemail" | "uan" | "unknown" | null;
  /** The network's name; Sandpiper Mobile by default. */
  operator?: string | null;
  /** ISO 3166-1 alpha-2; derived from the number by default. */
  country?: string | null;
  /** Mobile country code; 001, the test network, by default. */
  mcc?: string | null;
  /** Mobile network code; 01 by default. */
  mnc?: string | null;
  /** True if the network supports silent verification; false by default. */
  coversSilent?: boolean | null;
  /** The mobile country code of the number's first network; mcc by default. */
  originalMcc?: string | null;
  /** The mobile network code of the number's first network; mnc by default. */
  originalMnc?: string | null;
  /** True if the number came from another network; true by default if portedAt is set. */
  ported?: boolean | null;
  /** When the number was ported; null if unknown. */
  portedAt?: string | null;
  /** How the line is paid: prepaid, monthly, or by a company; PAYM by default. */
  contract?: "PAYG" | "PAYM" | "Business" | null;
  /** When the contract began; three years before the start of the sandbox's clock by default. */
  activatedAt?: string | null;
  /** The number's holders, oldest first; by default one person since activatedAt. */
  subscriberPeriods?: Array<{
    /** When the period began. */
    from: string;
    /** When the period ended; null if it has not ended. */
    to?: string | null;
  }> | null;
  /** When the number went out of service; null if it is in service. */
  deactivatedAt?: string | null;
  /** True if the network has suspended the line; false by default. */
  suspended?: boolean | null;
  /** Services that are switched off. */
  barring?: Array<"smsIn" | "smsOut" | "voiceIn" | "voiceOut" | "data"> | null;
  /** When calls are forwarded. */
  forwarding?: Array<"unconditional" | "busy" | "noAnswer" | "unreachable"> | null;
  /** True if the network slows the line's data down; false by default. */
  throttled?: boolean | null;
  /** True if the network blocks some content for the line; null if unknown. */
  contentLock?: boolean | null;
  /** True if the line has a parental control; null if unknown. */
  parentalControl?: boolean | null;
  /** The SIM card's identity; derived from mcc, mnc and number by default. */
  imsi?: string | null;
  /** The handset's identity; derived from the number by default. */
  imei?: string | null;
  /** The SIM card's number; derived from mcc, mnc and number by default. */
  iccid?: string | null;
  /**
   * Whether a network has seen the number's SIM card: connected, neverConnected, or none for a number without
   * one; connected by default. Without it, nothing reaches a handset.
   */
  simCard?: "connected" | "neverConnected" | "none" | null;
  /** The handset's model and software. */
  handset?: {
    /** Who makes it. */
    manufacturer?: string | null;
    /** The name of its model. */
    model?: string | null;
    /** The last two digits of its IMEISV, such as 01. */
    softwareVersion?: string | null;
  } | null;
  /** When the SIM card was changed. */
  simSwaps?: string[] | null;
  /** When the handset was changed. */
  deviceSwaps?: string[] | null;
  /** Which traffic reaches the handset now. */
  reach?: {
    /** True if texts reach it. */
    sms?: boolean | null;
    /** True if data reaches it. */
    data?: boolean | null;
  } | null;
  /** The network that the handset visits. */
  roaming?: {
    /** True if the handset is in another country's network. */
    on?: boolean | null;
    /** The mobile country code of the visited network. */
    mcc?: string | null;
    /** The visited countries, ISO 3166-1 alpha-2. */
    countries?: string[] | null;
  } | null;
  /** The handset's data connection through its own network. */
  session?: {
    /** True if the handset has a data connection. */
    on?: boolean | null;
    /** The handset's own address, such as 127.10.1.1. Requests from this address are from this handset. */
    ip?: string | null;
    /** The handset's own port. */
    port?: number | null;
    /** The handset's public address. */
    natIp?: string | null;
    /** The handset's public port. */
    natPort?: number | null;
    /** The handset's IPv6 address, in eight groups; all of its first 64 bits is this handset. */
    ipv6?: string | null;
  } | null;
  /** Why the handset's traffic does not come from its own network; none by default. */
  interference?: "none" | "wifi" | "vpn" | "tether" | "relay" | null;
  /**
   * Answers to requests for consent, by purpose, such as dpv:FraudPreventionAndDetection; * means all other
   * purposes. Granted by default; null forgets an answer.
   */
  consent?: Record<string, "granted" | "denied" | "unknown" | null> | null;
  /** The risk of misuse; null if it was not assessed. */
  risk?: {
    /** From 0, harmless, to 1000. */
    score?: number | null;
    /** The reasons for the score. */
    reasons?: string[] | null;
  } | null;
  /** True if the number has WhatsApp; true by default. */
  whatsapp?: boolean | null;
  /** True if the handset supports RCS; true by default. */
  rcs?: boolean | null;
  /** The person's automatic answer to challenges; null if challenges wait for an answer. */
  pushes?: "approve" | "deny" | "ignore" | "manual" | null;
  /** The person's preferred channel; null if there is none. */
  preferredChannel?: "sms" | "call" | "whatsapp" | "email" | "rcs" | "viber" | "telegram" | "zalo" | "silent" | "push" | null;
  /** The person's email address; null if unknown. */
  email?: string | null;
  /** The fictional person, for match scores. */
  kyc?: {
    /** The number of an identity document. */
    idDocument?: string | null;
    /** The kind of the identity document. */
    idDocumentType?: "passport" | "national_id_card" | "residence_permit" | "diplomatic_id" | "driver_licence" | "social_security_id" | "other" | null;
    /** The last day of the identity document, such as 2030-01-31. */
    idDocumentExpiryDate?: string | null;
    /** The full name. */
    name?: string | null;
    /** The given name. */
    givenName?: string | null;
    /** The family name. */
    familyName?: string | null;
    /** The name in half-width kana. */
    nameKanaHankaku?: string | null;
    /** The name in full-width kana. */
    nameKanaZenkaku?: string | null;
    /** The middle names. */
    middleNames?: string | null;
    /** The family name at birth. */
    familyNameAtBirth?: string | null;
    /** The full address. */
    address?: string | null;
    /** The street. */
    streetName?: string | null;
    /** The house number. */
    streetNumber?: string | null;
    /** The postal code. */
    postalCode?: string | null;
    /** The region. */
    region?: string | null;
    /** The town. */
    locality?: string | null;
    /** ISO 3166-1 alpha-2. */
    country?: string | null;
    /** The addition to the house number. */
    houseNumberExtension?: string | null;
    /** The date of birth, such as 1990-01-31. */
    birthdate?: string | null;
    /** The email address. */
    email?: string | null;
    /** MALE, FEMALE or OTHER. */
    gender?: string | null;
    /** The town of birth. */
    cityOfBirth?: string | null;
    /** The country of birth, ISO 3166-1 alpha-2. */
    countryOfBirth?: string | null;
    /** The nationality, ISO 3166-1 alpha-2. */
    nationality?: string | null;
  } | null;
  /** Senders whose texts are blocked; * means all. */
  optOut?: string[] | null;
  /** Outcomes of messages to this number; the sandbox's scenarios win over them. */
  scenarios?: ScenarioInput[] | null;
}

/** A rule about the outcome of messages. The first rule that matches and applies wins. */
export interface ScenarioInput {
  /** The messages that the rule is about; all by default. */
  match?: {
    /** Only messages to this phone number or email address. */
    number?: string | null;
    /** Only messages of this channel. */
    channel?: "sms" | "call" | "whatsapp" | "email" | "rcs" | "viber" | "telegram" | "zalo" | "silent" | "push" | null;
    /** Only messages from this sender. */
    sender?: string | null;
    /** Only messages of this provider. */
    provider?: string | null;
    /** Only messages to numbers of this country: two letters of ISO 3166-1. */
    country?: string | null;
    /** Only messages to numbers that begin so, such as +3363. */
    prefix?: string | null;
    /** Only messages to numbers of this operator, by the name in their records. */
    operator?: string | null;
    /** true: only messages to handsets that roam; false: only to those that do not. */
    roaming?: boolean | null;
    /** The first match to which the rule applies, counted from 1. */
    nth?: number | null;
    /** The rule applies to one of so many matches: 3 is the third, the sixth, and so on. */
    every?: number | null;
    /**
     * The rule applies to this share of its matches: 0.2 is 20 %. Chosen by the sandbox's entropy, so it is
     * the same for the same seed.
     */
    rate?: number | null;
  } | null;
  /** The outcome of the message, call or silent verification; one that match.channel can have. */
  outcome?: "absent" | "answer" | "answerHangup" | "busy" | "decline" | "deliver" | "duplicate" | "fail" | "filtered" | "garbled" | "lostButDelivrd" | "memoryFull" | "networkDown" | "noAnswer" | "noReceipt" | "notCapable" | "oldCode" | "outOfOrder" | "read" | "receiptFirst" | "reject" | "segmentLost" | "shownExpired" | "slow" | "submitFail:systemError" | "submitFail:invalidDestination" | "submitFail:queueFull" | "submitFail:refused" | "submitFail:throttled" | "submitFail:deliveryFailure" | "truncated" | "undeliverable" | "unreachable" | "voicemail" | "wrongEncoding" | "match" | "mismatch" | "notMobile" | "noCoverage" | "carrierError" | "timeout" | "garbage" | "loop" | "userDenied" | "expired" | null;
  /** The status that providers show in the end: one of the statuses in GET /control/faults/options. */
  providerStatus?: Record<string, string | number> | null;
  /** The delay in milliseconds until the arrival, the last receipt if nothing arrives, or a call's result. */
  afterMs?: number | null;
  /** The carrier's error number in the receipt of a failure. */
  err?: number | null;
  /**
   * The keys that the person presses during a call; by default the key asked for (1 if any), then the menu's
   * first answer. Empty: no key.
   */
  keys?: string | null;
  /** The number of messages to which the rule applies; one by default if only nth is set, else all. */
  times?: number | null;
  /**
   * The number of matches so far. A rule that is sent back with it goes on counting; without it, it begins
   * again.
   */
  hits?: number | null;
  /** The number of times that the rule acted; ignored in requests. */
  applied?: number | null;
  /** Who added the rule; ignored in requests. */
  origin?: "control" | "trainer" | "task" | "chaos" | null;
}

/** An app on the handset of a number, or on a handset that is known only by a token. */
export interface SeedDevice {
  /** The number of a mobile line. */
  number?: string | null;
  /** The provider that the app registers with. */
  provider: string;
  /** The app's name; com.example.app:1.0.0 by default. */
  app?: string | null;
  /** The handset's operating system; android by default. */
  platform?: "android" | "ios" | null;
  /** The token for pushes to the app; generated by default. */
  pushToken?: string | null;
  /** The app's token at Apple's gateway, on iOS only; generated by default. */
  apnsToken?: string | null;
  /** The state of the push token; by default the token's name decides. */
  state?: string | null;
  /** True if pushes reach the app; others are held until they expire. True by default. */
  online?: boolean | null;
  /** SubjectPublicKeyInfo in base64; by default the sandbox generates a key pair. */
  publicKey?: string | null;
  /** The person's automatic answer to challenges; by default that of the number's record. manual: none. */
  behaviour?: "approve" | "deny" | "ignore" | "manual" | null;
  /** How long the person needs for an automatic answer; 0 by default. */
  answerAfterMs?: number | null;
  /** The state of the handset; ready by default. */
  condition?: "ready" | "locked" | "batteryEmpty" | "biometricsFailed" | "appDeleted" | null;
  /** How far the handset's clock is ahead of the sandbox's; for apps that sign times. 0 by default. */
  clockOffsetSeconds?: number | null;
}

/** A rule about requests that fail on purpose. Of the matching rules that apply, the first one wins. */
export interface Fault {
  /** Only requests to this provider. */
  provider?: string | null;
  /** Only requests to the route of this name, such as createVerification. */
  route?: string | null;
  /**
   * Only requests with this phone number or email address in path, query or body, in any spelling that the
   * provider reads.
   */
  number?: string | null;
  /** Only requests with this text in path, query or body, such as an id. */
  contains?: string | null;
  /** The first match to which the rule applies, counted from 1. */
  nth?: number | null;
  /** The number of requests to which the rule applies; one by default if nth is set, else all. */
  times?: number | null;
  /** The status of the answer, in the provider's error format. */
  status?: number | null;
  /** The provider's own error code, such as 60203, for the answer. */
  code?: string | number | null;
  /** Seconds in the answer's Retry-After. */
  retryAfter?: number | null;
  /**
   * The delay of the answer in real time, up to an hour. It ends early if the sandbox's clock is moved past
   * it.
   */
  latencyMs?: number | null;
  /**
   * Damage to the answer on its way: the connection is reset, half of the body is sent, the body is not JSON,
   * or a proxy's page in HTML replaces it, with status or 502.
   */
  damage?: "reset" | "truncate" | "garble" | "html" | null;
  /**
   * If the request fails before its work, which is then not done, or after it. By default before with status
   * or code, and after with damage alone.
   */
  when?: "before" | "after" | null;
  /**
   * The number of matches so far. A rule that is sent back with it goes on counting; without it, it begins
   * again.
   */
  hits?: number | null;
  /** The number of times that the rule acted; ignored in requests. */
  applied?: number | null;
  /** Who added the rule; ignored in requests. */
  origin?: "control" | "trainer" | "task" | "chaos" | null;
}

/** A rule about webhooks that go wrong on their way. Of the matching rules that apply, the first one wins. */
export interface WebhookFault {
  /** Only webhooks of this provider. */
  provider?: string | null;
  /** Only webhooks of this kind, by the provider's name for it. */
  kind?: string | null;
  /** Only webhooks about this phone number or email address. */
  number?: string | null;
  /** The first match to which the rule applies, counted from 1. */
  nth?: number | null;
  /** The number of webhooks to which the rule applies; one by default if nth is set, else all. */
  times?: number | null;
  /** The webhook is never sent, sent twice, or sent after the next one to the same receiver. */
  delivery?: "lost" | "duplicate" | "reorder" | null;
  /**
   * How much later it is sent, on the sandbox's clock. With reorder: how long it waits for the next webhook;
   * a minute by default.
   */
  delayMs?: number | null;
  /** A wrong signature of the right form, or no signature at all. */
  signature?: "wrong" | "missing" | null;
  /**
   * How much older the webhook's timestamp is, with a valid signature; for providers whose webhooks have one.
   */
  timestampAgeMs?: number | null;
  /** Another content type, such as text/plain. */
  contentType?: string | null;
  /**
   * The number of matches so far. A rule that is sent back with it goes on counting; without it, it begins
   * again.
   */
  hits?: number | null;
  /** The number of times that the rule acted; ignored in requests. */
  applied?: number | null;
  /** Who added the rule; ignored in requests. */
  origin?: "control" | "trainer" | "task" | "chaos" | null;
}

/** A rule about how long answers take, in real time. Of the matching rules, the first one wins. */
export interface Latency {
  /** Only requests to this provider. */
  provider?: string | null;
  /** Only requests to the route of this name, such as createVerification. */
  route?: string | null;
  /** Half of the answers take longer, up to an hour. */
  medianMs: number;
  /** One answer of a hundred takes longer. Without it, all take medianMs. */
  p99Ms?: number | null;
  /**
   * The number of matches so far. A rule that is sent back with it goes on counting; without it, it begins
   * again.
   */
  hits?: number | null;
  /** The number of times that the rule acted; ignored in requests. */
  applied?: number | null;
  /** Who added the rule; ignored in requests. */
  origin?: "control" | "trainer" | "task" | "chaos" | null;
}

/**
 * A rule about how many requests a second a provider accepts. Those beyond get its 429. Each counts for every
 * limit that it matches.
 */
export interface RequestLimit {
  /** Only requests to this provider. Without it, each has such a limit. */
  provider?: string | null;
  /** Only requests to the route of this name. Without it, all routes of a provider count together. */
  route?: string | null;
  /** The number of requests per second, on the sandbox's clock. */
  requestsPerSecond: number;
  /**
   * The number of matches so far. A rule that is sent back with it goes on counting; without it, it begins
   * again.
   */
  hits?: number | null;
  /** The number of times that the rule acted; ignored in requests. */
  applied?: number | null;
  /** Who added the rule; ignored in requests. */
  origin?: "control" | "trainer" | "task" | "chaos" | null;
}

/** Phone numbers that are valid in addition to those of the public numbering plan. */
export interface NumberPrefix {
  /** The first digits of the numbers, with + and country code. */
  prefix: string;
  /** The possible numbers of digits, with the country code; any by default. */
  digits?: number[] | null;
}

/** Prelude's part of a seed. */
export interface PreludeSeed {
  /** The keys that clients sign in with. A masked key, as in exports, changes nothing. */
  account?: {
    /** The key of servers: any text without spaces. */
    apiToken?: string | null;
    /** The key of apps: begins with sdk_. */
    sdkKey?: string | null;
  } | null;
  /**
   * Settings that the live service has in its dashboard, on which sources about it disagree, or that tests
   * need.
   */
  settings?: PreludeSettings | null;
  /** Scenarios of single numbers. They override those of the last two digits. */
  numbers?: Array<{
    /** E.164: + and 7 to 15 digits, the first not zero. */
    number: string;
    /** The scenario, as in the header X-Sandbox-Scenario. */
    outcome: "success" | "silent" | "blocked_suspicious" | "blocked_in_block_list" | "blocked_invalid_phone_line" | "blocked_invalid_phone_number" | "blocked_repeated_attempts" | "blocked_expired_signature" | "blocked_invalid_signature" | "shadow_blocked" | "challenged" | "err_unsupported_country" | "err_insufficient_balance" | "err_too_many_attempts" | "err_internal" | "flaky_before" | "flaky_after" | "undeliverable" | "delivery_unknown" | "silent_mismatch" | "silent_carrier_down" | "silent_carrier_hang" | "silent_garbage" | "silent_loop";
  }> | null;
  /** Numbers that the fraud rules do not apply to. */
  allowList?: string[] | null;
  /** Numbers to which nothing is sent. */
  blockList?: string[] | null;
  /** Numbers that nothing is sent to and that have one valid code. */
  testNumbers?: Array<{
    /** E.164: + and 7 to 15 digits, the first not zero. */
    number: string;
    /** The valid code. */
    attemptCode: string;
  }> | null;
  /** Names that messages may come from, with their approval status. */
  senderIds?: Array<{
    /** Up to 11 letters, digits and separators, or a phone number. */
    name: string;
    /** Approval status. */
    status?: "approved" | "pending" | "rejected" | null;
  }> | null;
  /**
   * Message templates of Notify. Unknown templates take any variables, unless the setting templates is
   * seeded.
   */
  templates?: Array<{
    /** The id in requests. */
    id: string;
    /** What it may be used for. Marketing is not sent to numbers that have unsubscribed. */
    category?: "transactional" | "marketing" | null;
    /** The text with {{variables}}; without it messages contain the id and the variables. */
    text?: string | null;
    /** Countries of allowed receivers, ISO 3166-1 alpha-2; empty: all. */
    countries?: string[] | null;
  }> | null;
  /** Messages that people have sent. WhatsApp messages can be replied to for a day, RCS messages forever. */
  inboundMessages?: Array<{
    /** The id in replies. */
    id: string;
    /** How it was sent. */
    channel?: "whatsapp" | "rcs" | null;
    /** The sender in E.164. */
    from: string;
    /** The account's number or agent. Replies come from it. */
    to?: string | null;
    /** The text. */
    text?: string | null;
    /** When it arrived, RFC 3339; without it: now. */
    receivedAt?: string | null;
  }> | null;
  /** Configurations of marketing subscriptions, with their phone numbers. */
  subscriptions?: PreludeSubscription[] | null;
}

/**
 * Settings that the live service has in its dashboard, on which sources about it disagree, or that tests
 * need.
 */
export interface PreludeSettings {
  /** How long a verification is pending, in seconds. */
  windowSeconds?: number | null;
  /** How often the code of one verification may be sent. */
  maxAttempts?: number | null;
  /** How many checks of one verification are evaluated. */
  maxChecks?: number | null;
  /** The response to further checks: an ordinary failure, or the error 429 too_many_checks. */
  checkLimit?: "silent_failure" | "error" | null;
  /** Digits of a code if the request does not say. */
  codeSize?: number | null;
  /**
   * How codes are chosen: random (the same in every run), the first digits of fixedCode, or the last digits
   * of the number.
   */
  codePolicy?: "random" | "fixed" | "derived" | null;
  /** The digits for fixed codes. */
  fixedCode?: string | null;
  /** A new code for each attempt, or one code for all attempts of a verification. */
  codes?: "per_attempt" | "same_for_window" | null;
  /** The response to a check with text that cannot be a code: a failure, or the error 400 impossible_code. */
  impossibleCode?: "failure" | "error" | null;
  /** Callers may choose codes. */
  customCodes?: boolean | null;
  /** Callers may request a challenge. */
  forceChallenge?: boolean | null;
  /** Email addresses can be verified. */
  emailTargets?: boolean | null;
  /** The account may manage number lists, sender IDs and test numbers. */
  management?: boolean | null;
  /** Lookups may return the name that a handset shows for a caller. */
  callerNames?: boolean | null;
  /** Countries whose operators support KYC match, ISO 3166-1 alpha-2; empty: the account has no KYC match. */
  kycCountries?: string[] | null;
  /** Templates that requests may name: all, or only those of seeds. */
  templates?: "open" | "seeded" | null;
  /** Inbound messages that may be replied to: all, or only known ones. */
  inboundMessages?: "open" | "seeded" | null;
  /** Where inbound WhatsApp and RCS messages are reported; empty: nowhere. */
  inboundCallbackUrl?: string | null;
  /**
   * Automatic retries on other channels after a lost message if the request does not say; 0: none, and
   * max_auto_fallbacks has no effect.
   */
  autoFallbacks?: number | null;
  /** The channels of the region, in the order in which attempts use them. */
  channels?: Array<"sms" | "rcs" | "whatsapp" | "viber" | "zalo" | "telegram"> | null;
  /** Verifications of one number within an hour after which it is blocked for repeated_attempts; 0: never. */
  repeatedAttempts?: number | null;
  /** Names of risk factors: the newest, or those before 2026. */
  riskFactors?: "newest" | "previous" | null;
  /** SDKs may retry requests that were rate limited. */
  retryRateLimits?: boolean | null;
  /** How long signals are valid, in seconds. */
  signalsSeconds?: number | null;
  /** The platform of the SDK key. */
  sdkKeyPlatform?: "any" | "ios" | "android" | "web" | null;
  /** Silent verification needs a dispatch of signals. */
  silentNeedsDispatch?: boolean | null;
  /** The dispatch must also have come over the cellular interface. */
  silentNeedsCellular?: boolean | null;
  /** Prefixes of source addresses that count as mobile data, such as 10.20. */
  cellularSources?: string[] | null;
  /** How long a silent URL is valid, in seconds. */
  silentSeconds?: number | null;
  /** The status of its first redirect. */
  silentRedirect?: 301 | 302 | 303 | 307 | 308 | null;
  /** How long each hop of a silent verification waits, in milliseconds. */
  silentDelayMs?: number | null;
  /** Header fields for SDKs on the first redirect, such as X-SDK-Quirk-TLS: host="*";version="1.2". */
  silentQuirks?: string[] | null;
  /** Webhooks are signed. */
  signsWebhooks?: boolean | null;
  /** The encoding of signatures. */
  signatureAlphabet?: "base64url" | "base64" | null;
  /** Signatures are padded with =. */
  signaturePadding?: boolean | null;
}

/** A marketing subscription. */
export interface PreludeSubscription {
  /** The id in paths. */
  id: string;
  /** The display name. */
  name: string;
  /** Where events go. */
  callbackUrl: string;
  /** Replies to keywords. */
  messages?: {
    /** The reply to HELP. */
    help_message?: string | null;
    /** The reply to START. */
    start_message?: string | null;
    /** The reply to STOP. */
    stop_message?: string | null;
  } | null;
  /** Numbers that people write to. */
  lines?: Array<{
    /** ISO 3166-1 alpha-2. */
    country: string;
    /** A number in E.164, or a short code. */
    number: string;
  }> | null;
  /** RFC 3339; without it: now. */
  createdAt?: string | null;
  /** RFC 3339; without it: createdAt. */
  updatedAt?: string | null;
  /**
   * Changes of phone numbers, oldest first; the last one is the number's state. They replace all earlier
   * ones.
   */
  members?: Array<{
    /** E.164: + and 7 to 15 digits, the first not zero. */
    number: string;
    /** Subscribed or unsubscribed. */
    state: "SUB" | "UNSUB";
    /** Who made the change. */
    source: "MO_KEYWORD" | "API" | "CSV_IMPORT" | "CARRIER_DISCONNECT";
    /** Further details: the keyword. */
    reason?: string | null;
    /** When it changed, RFC 3339; without it: now. */
    at?: string | null;
  }> | null;
}

/** Telesign's part of a seed. */
export interface TelesignSeed {
  /** The customers that may use the API. */
  accounts?: Array<{
    /** The customer id. */
    customerId: string;
    /** API keys in base64; any of them can sign. Masked keys, as in exports, change nothing. */
    apiKeys: string[];
  }> | null;
  /** Settings that differ from the defaults. */
  settings?: TelesignSettings | null;
}

/**
 * The state of the account, values that the provider does not publish, and behaviour on which sources
 * disagree.
 */
export interface TelesignSettings {
  /**
   * Codes for a wrong code of the Verify API: live is 3909 to try again and 3904 when rejected, openapi the
   * reverse.
   */
  "verify.wrong_code"?: "live" | "openapi" | null;
  /** HTTP status for an unknown reference id of the Verify API. */
  "verify.unknown_reference_http"?: 400 | 404 | null;
  /** HTTP status if a code of the Verify API comes too late. */
  "verify.expired_http"?: 200 | 400 | null;
  /** True if a denied push falls back to the next method. */
  "verify.push_deny_fallback"?: boolean | null;
  /** Number of digits of a Verify API code. */
  "verify.code_length"?: number | null;
  /** How long a Verify API code is valid, in seconds. */
  "verify.code_ttl_s"?: number | null;
  /** How often a Verify API code can be submitted. */
  "verify.attempts"?: number | null;
  /** Seconds between the submission of a message and its delivery status. */
  "verify.delivered_after_s"?: number | null;
  /** True if a request may contain a callback_url. */
  "verify.callback_allowed"?: boolean | null;
  /** True if a PATCH may have its JSON body in the query, as the Python client sends it. */
  "compat.python_patch_query"?: boolean | null;
  /** True if only signatures of the documented string are accepted, not the variants of official SDKs. */
  "auth.strict"?: boolean | null;
  /** True if the Verify API and omnichannel answer failed authentication with exact codes instead of 3400. */
  "auth.fine_grained_34xx"?: boolean | null;
  /** How far the date of a signed request may be off, in seconds; 0: any date. */
  "auth.date_tolerance_s"?: number | null;
  /**
   * True if signatures are dated by the sandbox's clock, even if it is frozen or moved; else the machine's is
   * right too.
   */
  "auth.strict_dates"?: boolean | null;
  /** How long a nonce cannot be used again, in seconds. */
  "auth.nonce_window_s"?: number | null;
  /** Minimum length of a nonce. */
  "auth.nonce_min"?: number | null;
  /** Maximum length of a nonce. */
  "auth.nonce_max"?: number | null;
  /** Number of digits of an SMS Verify code. */
  "sms_verify.code_length"?: number | null;
  /** How long an SMS or Voice Verify code is valid, in seconds. */
  "sms_verify.ttl_s"?: number | null;
  /** Number of wrong submissions of an SMS or Voice Verify code. */
  "sms_verify.attempts"?: number | null;
  /** Number of digits of a Voice Verify code. */
  "voice_verify.code_length"?: number | null;
  /** Facts about the number in the first response of SMS and Voice Verify. */
  "sms_verify.features"?: Array<"score" | "number_deactivation"> | null;
  /** HTTP status for an accepted message. */
  "messaging.http_success"?: 200 | 201 | null;
  /** True if the status of a message includes its parts, network and price. */
  "messaging.additional_info"?: boolean | null;
  /** How long reference ids can be queried, in hours. */
  "reference.retention_h"?: number | null;
  /** PhoneID add-ons that are not enabled for the account. */
  "phoneid.disabled_addons"?: Array<"contact" | "contact_plus" | "contact_match" | "sim_swap" | "porting_status" | "porting_history" | "number_deactivation" | "subscriber_status" | "call_forward_detection" | "breached_number_check" | "active_call_status" | "age_verify" | "device_info"> | null;
  /**
   * Numbers with a higher risk score get no code: 233 in SMS Verify, 3072 in the Verify API and omnichannel.
   */
  "score.maximum"?: number | null;
  /** The names of the five risk levels, lowest first, separated by commas. */
  "score.level_names"?: string | null;
  /** Whether the account can be used. */
  "account.state"?: "active" | "suspended" | "not_activated" | null;
  /** False if the prepaid account has no money. */
  "account.funds"?: boolean | null;
  /** The only client address from which requests are accepted; empty: any. */
  "account.source_ip"?: string | null;
  /** The only host name of the provider that the account may use; empty: any. */
  "account.host"?: string | null;
  /** The URL for callbacks of requests that name none; empty: no callbacks. */
  "account.callback_url"?: string | null;
  /** Products that are not enabled for the account. */
  "account.disabled_products"?: Array<"verify" | "silent" | "sms_verify" | "voice_verify" | "smart_verify" | "app_verify" | "push" | "messaging" | "omnichannel" | "voice" | "phoneid" | "intelligence" | "telebureau"> | null;
  /** Numbers that the customer has asked to block: 229, 129 for calls, 2429, 3052. */
  "account.blocked_numbers"?: string[] | null;
  /** Countries to which nothing is sent: 237, 130 for calls, 2430, 3037, 10034 for Voice. */
  "account.blocked_countries"?: string[] | null;
  /** Beginnings of numbers to which nothing is sent: 238, 130 for calls, 2430, 3038. */
  "account.blocked_prefixes"?: string[] | null;
  /** True if a phone number may begin with +. */
  "phone.lenient"?: boolean | null;
  /** Requests per second for this product; 0: unlimited. */
  "rate.verify"?: number | null;
  /** Requests per second for this product; 0: unlimited. */
  "rate.silent"?: number | null;
  /** Requests per second for this product; 0: unlimited. */
  "rate.sms_verify"?: number | null;
  /** Requests per second for this product; 0: unlimited. */
  "rate.voice_verify"?: number | null;
  /** Requests per second for this product; 0: unlimited. */
  "rate.smart_verify"?: number | null;
  /** Requests per second for this product; 0: unlimited. */
  "rate.app_verify"?: number | null;
  /** Requests per second for this product; 0: unlimited. */
  "rate.push"?: number | null;
  /** Requests per second for this product; 0: unlimited. */
  "rate.messaging"?: number | null;
  /** Requests per second for this product; 0: unlimited. */
  "rate.omnichannel"?: number | null;
  /** Requests per second for this product; 0: unlimited. */
  "rate.voice"?: number | null;
  /** Requests per second for this product; 0: unlimited. */
  "rate.phoneid"?: number | null;
  /** Requests per second for this product; 0: unlimited. */
  "rate.intelligence"?: number | null;
  /** Requests per second for this product; 0: unlimited. */
  "rate.telebureau"?: number | null;
}

/** Twilio's part of a seed. */
export interface TwilioSeed {
  /** The account that clients sign in with. A masked secret, as exports have it, changes nothing. */
  account?: TwilioAccount | null;
  /** Verify Services. */
  services?: TwilioService[] | null;
  /** Message templates beside the built-in ones. */
  templates?: TwilioTemplate[] | null;
  /** Settings of the Twilio provider. The defaults are the live service's. */
  settings?: TwilioSettings | null;
}

/** An account with its API key and its OAuth client. */
export interface TwilioAccount {
  /** AC and 32 hex digits. */
  accountSid: string;
  /** The account's secret. */
  authToken: string;
  /** An API key of the account: SK and 32 hex digits. Needs apiKeySecret. */
  apiKeySid?: string | null;
  /** The API key's secret. Needs apiKeySid. */
  apiKeySecret?: string | null;
  /** An OAuth client of the account. */
  oauthClient?: TwilioOAuthClient | null;
  /** The account SID of the test credentials, which Verify refuses with 20008. Needs testAuthToken. */
  testAccountSid?: string | null;
  /** The test credentials' secret. Needs testAccountSid. */
  testAuthToken?: string | null;
}

/** An OAuth client of an account. */
export interface TwilioOAuthClient {
  /** OQ and 32 hex digits. */
  id: string;
  /** Its secret. */
  secret: string;
}

/** A Verify Service. One that exists keeps the parameters that are not named. */
export interface TwilioService {
  /** VA and 32 hex digits. */
  sid: string;
  /** Its parameters. */
  settings: TwilioServiceSettings;
}

/** Parameters of a Service, named as in requests. An empty text clears one, except FriendlyName. */
export interface TwilioServiceSettings {
  /**
   * The name in messages: 1 to 30 letters, digits, spaces, - and _, at most four digits. A new Service needs
   * one.
   */
  FriendlyName?: string | number | null;
  /** Number of digits of codes; 6 by default. */
  CodeLength?: number | "4" | "5" | "6" | "7" | "8" | "9" | "10" | "" | null;
  /** Responses show the destination's carrier. */
  LookupEnabled?: boolean | string | null;
  /** Reject texts to landlines; needs LookupEnabled. */
  SkipSmsToLandlines?: boolean | string | null;
  /** Calls ask for a key before they read the code; true when absent. */
  DtmfInputRequired?: boolean | string | null;
  /** The name that calls speak. */
  TtsName?: string | number | boolean | null;
  /** Verifications are for payments, with Amount and Payee. */
  Psd2Enabled?: boolean | string | null;
  /** Messages warn against sharing the code. */
  DoNotShareWarningEnabled?: boolean | string | null;
  /** Clients may choose codes themselves. */
  CustomCodeEnabled?: boolean | string | null;
  /** Push challenges have a date. */
  "Push.IncludeDate"?: boolean | string | null;
  /** The APNs credential. */
  "Push.ApnCredentialSid"?: string | null;
  /** The FCM credential. */
  "Push.FcmCredentialSid"?: string | null;
  /** The issuer that authenticator apps show. */
  "Totp.Issuer"?: string | number | boolean | null;
  /** Time step of TOTP codes, in seconds. */
  "Totp.TimeStep"?: number | "20" | "21" | "22" | "23" | "24" | "25" | "26" | "27" | "28" | "29" | "30" | "31" | "32" | "33" | "34" | "35" | "36" | "37" | "38" | "39" | "40" | "41" | "42" | "43" | "44" | "45" | "46" | "47" | "48" | "49" | "50" | "51" | "52" | "53" | "54" | "55" | "56" | "57" | "58" | "59" | "60" | "" | null;
  /** Number of digits of TOTP codes. */
  "Totp.CodeLength"?: number | "3" | "4" | "5" | "6" | "7" | "8" | "" | null;
  /** How many time steps a TOTP code may be early or late. */
  "Totp.Skew"?: number | "0" | "1" | "2" | "" | null;
  /** The default template of messages. */
  DefaultTemplateSid?: string | null;
  /** The messaging service that sends WhatsApp messages. */
  "Whatsapp.MsgServiceSid"?: string | null;
  /** The sender of WhatsApp messages. */
  "Whatsapp.From"?: string | number | boolean | null;
  /** The relying party's domain. */
  "Passkeys.RelyingParty.Id"?: string | number | boolean | null;
  /** The relying party's name. */
  "Passkeys.RelyingParty.Name"?: string | number | boolean | null;
  /** The origins that passkeys are accepted from: an array, or one text separated by commas. */
  "Passkeys.RelyingParty.Origins"?: string[] | string | null;
  /** The kind of authenticator that may hold a passkey. */
  "Passkeys.AuthenticatorAttachment"?: "platform" | "cross-platform" | "any" | "" | null;
  /** Whether passkeys can be found without a user name. */
  "Passkeys.DiscoverableCredentials"?: "required" | "preferred" | "discouraged" | "" | null;
  /** Whether the authenticator verifies its user. */
  "Passkeys.UserVerification"?: "required" | "preferred" | "discouraged" | "" | null;
  /** Emit events about verifications. */
  VerifyEventSubscriptionEnabled?: boolean | string | null;
}

/** A message template of the account. */
export interface TwilioTemplate {
  /** HJ and 32 hex digits. */
  sid: string;
  /** The name. */
  friendlyName: string;
  /** The channels that it can be used for. */
  channels?: Array<"sms" | "voice"> | null;
  /** Its texts, one per language. */
  translations: Array<{
    /** The language tag. */
    locale: string;
    /** The text, with {{code}}, {{friendly_name}} and other variables. */
    text: string;
    /** Whether the provider has approved the text; only approved ones can be sent. */
    status?: "approved" | "pending" | "rejected" | null;
    /** True for the text of languages that the template does not have. */
    default?: boolean | null;
  }>;
}

/** Settings of the Twilio provider. The defaults are the live service's. */
export interface TwilioSettings {
  /** Scheme and authority of links, without a slash at the end; null: as the client called. */
  publicBaseURL?: string | null;
  /** Status of an answered check: 200, or 201 as in Twilio's OpenAPI document. */
  checkStatusCode?: 200 | 201 | null;
  /** The path in the text of error 20404; without /v2 as before September 2025. */
  notFoundPathStyle?: "/v2/Services/..." | "/Services/..." | null;
  /** How long a verification is pending, in seconds. */
  ttlSeconds?: number | null;
  /** How many checks a verification allows; the next one gets error 60202. */
  maxChecks?: number | null;
  /** How many sends a verification allows within the send window; the next one gets error 60203. */
  maxSends?: number | null;
  /** The window in which sends are counted, in seconds. */
  sendWindowSeconds?: number | null;
  /** A CustomCode for a Service with CustomCodeEnabled off: error 60204, or ignored. */
  customCodeWhenDisabled?: "error60204" | "ignore" | null;
  /** The error of a check without a pending verification. */
  checkWithoutPending?: "20404" | "60200" | null;
  /** Whether a verification can still be fetched after too many checks, until it expires. */
  fetchAfterMaxAttempts?: "readable" | "deleted" | null;
  /** The letter case of channels in send_code_attempts. */
  attemptChannelCase?: "lower" | "upper" | null;
  /** The member lookup for a Service with LookupEnabled off: a null carrier, or an empty object. */
  lookupWhenDisabled?: "carrierNull" | "empty" | null;
  /** How long an OAuth access token is valid, in seconds. */
  oauthTokenSeconds?: number | null;
  /** The account's own senders: messages from others get error 21606. Empty: any sender. */
  senders?: string[] | null;
  /** Countries to which messages may be sent; others get error 21408. Empty: all countries. */
  messagingCountries?: string[] | null;
  /** Errors of Lookup's packages, such as 60606 for one that is not enabled. */
  lookupErrors?: TwilioLookupError[] | null;
  /**
   * Push.IncludeDate of a Service that does not set it: true in a recorded answer, false in the SDKs'
   * comments.
   */
  pushIncludeDate?: boolean | null;
  /** How many rate limits a Service can have; the next one gets error 60207. */
  maxRateLimits?: number | null;
  /** How many buckets a rate limit can have; the next one gets error 60210. */
  maxBuckets?: number | null;
  /** The body of webhooks about factors and challenges: a form, or JSON with its hash in the URL. */
  webhookBody?: "form" | "json" | null;
  /** The URL that gets the events of Services with VerifyEventSubscriptionEnabled; null: nobody gets them. */
  eventSink?: string | null;
  /** A Locale that the provider has no text for: status 404, or the text in English. */
  unsupportedLocale?: "404" | "english" | null;
  /** The members of a challenge that a device signs; empty: no Twilio-Verify-Signature-Fields header. */
  signatureFields?: string | null;
  /** Whether a push token needs at least 32 characters. */
  strictPushTokenLength?: boolean | null;
  /** How long a factor stays unverified until it is removed, in hours. */
  unverifiedFactorHours?: number | null;
  /**
   * Numbers that are reserved for fiction, such as +447700900123, and have no record: accepted, or error
   * 60200.
   */
  fictionalNumbers?: "accept" | "refuse" | null;
  /** The kind of account. A trial sends to verifiedNumbers only (21608); trialWithoutVerify gets 575001. */
  accountType?: "full" | "trial" | "trialWithoutVerify" | null;
  /**
   * The status of the account. If it is not active, all operations but the fetch of the account get 20005.
   */
  accountStatus?: "active" | "suspended" | "closed" | null;
  /** The numbers to which a trial account can send. */
  verifiedNumbers?: string[] | null;
  /** Channels that are switched off: error 60223. */
  disabledChannels?: Array<"sms" | "call" | "email" | "whatsapp" | "rcs" | "sna"> | null;
  /** Countries that Geo-Permissions block, by calling code: error 60605. */
  blockedCountries?: string[] | null;
  /** Beginnings of numbers that are blocked for fraud: error 60410, unless the SafeList has the number. */
  blockedPrefixes?: string[] | null;
  /**
   * Numbers, or beginnings of them, that the provider blocks: error 60238, unless the SafeList has the
   * number.
   */
  blockedNumbers?: string[] | null;
  /** Numbers, or beginnings of them, that Fraudulent Signup Prevention blocks: error 60412. */
  blockedSignups?: string[] | null;
  /**
   * What the account lacks: mailer (60217), mailerTemplate (60218), mailerPlaceholders (60219), mailerSender
   * (60222), mailerCredits (60603), mailerUser (60604), chinaUseCase (60220), chinaFriendlyName (60226),
   * whatsappTemplate (60242), customMessages (60243), australianSender (60250), whatsappSender (68008).
   */
  missingSetup?: Array<"mailer" | "mailerTemplate" | "mailerPlaceholders" | "mailerSender" | "mailerCredits" | "mailerUser" | "chinaUseCase" | "chinaFriendlyName" | "whatsappTemplate" | "customMessages" | "australianSender" | "whatsappSender"> | null;
  /** Words that no friendly name may have, in any letter case: error 60248. */
  restrictedWords?: string[] | null;
  /** A new Service cannot have the name of another one of its account: error 60246. */
  uniqueServiceNames?: boolean | null;
  /** Creations for one destination within this time count as concurrent: error 60212. 0: none do. */
  concurrencyWindowMs?: number | null;
  /**
   * How many messages an account can send within 24 hours; the next one gets error 60245. Null: any number.
   */
  sendsPerDay?: number | null;
}

/** The error of a package of Lookup. */
export interface TwilioLookupError {
  /** The package. */
  package: "caller_name" | "sim_swap" | "call_forwarding" | "line_status" | "line_type_intelligence" | "identity_match" | "reassigned_number" | "sms_pumping_risk" | "phone_number_quality_score" | "pre_fill";
  /** The error code in its object. */
  code: number;
}

/** Prove's part of a seed. */
export interface ProveSeed {
  /** Credentials of back ends, which no other sandbox may have. */
  clients?: ProveClient[] | null;
  /** Test users besides the provider's own. One with the same number replaces the provider's. */
  testUsers?: ProveTestUser[] | null;
  /** Customers of clients. A client has one for each number. */
  identities?: ProveIdentity[] | null;
  /** What clients are for other clients. A client without one gets a domain of its own name. */
  domains?: ProveDomain[] | null;
  /** Links of domains, and requests for them. */
  domainLinks?: ProveDomainLink[] | null;
  /** Settings of Prove. */
  settings?: ProveSettings | null;
}

/** Credentials of a back end, and what they may use. */
export interface ProveClient {
  /** The id. */
  clientId: string;
  /** The secret. A masked secret, as in exports, keeps the present one. */
  clientSecret: string;
  /** The products whose test users it may use. */
  solutions?: Array<"unify" | "identity" | "verify" | "identityManager"> | null;
  /** Whether Mobile Auth is attempted. */
  mobileAuth?: boolean | null;
  /** Whether people may enter another number. */
  phoneNumberChange?: boolean | null;
  /** Whether apps on handsets may use Instant Link. */
  instantLinkMobile?: boolean | null;
  /** Whether a device that lost its key may recover it. */
  deviceContext?: boolean | null;
  /** Whether start begins Pre-Fill. False: the Identity flow, which has no challenge. */
  preFill?: boolean | null;
  /** Whether results of Pre-Fill contain idv and kyc. */
  kyc?: boolean | null;
}

/** A test user: a person, and what happens to them. */
export interface ProveTestUser {
  /** E.164: + and 7 to 15 digits, the first not zero. */
  number: string;
  /** The products that know the test user. */
  solutions?: Array<"unify" | "identity" | "verify" | "identityManager"> | null;
  /** Whose number it is. */
  person?: ProvePerson | null;
  /** How checks of possession turn out. */
  possession?: ProvePossession | null;
  /** How verify turns out. */
  verify?: ProveVerify | null;
  /** Which step of Pre-Fill fails. The setting `preFillFailures` switches this on. */
  preFillFailure?: "none" | "challenge" | "complete" | null;
}

/** A person. */
export interface ProvePerson {
  /** First name. */
  firstName?: string | null;
  /** Last name. */
  lastName?: string | null;
  /** Date of birth. */
  dob?: string | null;
  /** Social security number, nine digits. */
  ssn?: string | null;
  /** Email address. */
  emailAddress?: string | null;
  /** Postal addresses, the current one first. */
  addresses?: ProveAddress[] | null;
}

/** A postal address. */
export interface ProveAddress {
  /** Street and house number. */
  address?: string | null;
  /** The city. */
  city?: string | null;
  /** The state, such as CO. */
  region?: string | null;
  /** ZIP code, with four more digits or not. */
  postalCode?: string | null;
}

/** How the checks of a number's possession turn out. */
export interface ProvePossession {
  /** Whether the number passes without a device. Such devices get no key. */
  skipsDevice?: boolean | null;
  /** How Mobile Auth ends. */
  mobileAuth?: "notOffered" | "passes" | "fails" | null;
  /** Whether 1234 is the right code, no code is right, or the message cannot be sent. */
  otp?: "passes" | "fails" | "notSent" | null;
  /** Whether an Instant Link works or expires at once. */
  instantLink?: "passes" | "expires" | null;
  /** Whether the reputation check passes. */
  passesReputation?: boolean | null;
  /** Whether the first call succeeds, fails with 500, or gets 429 once. */
  start?: "succeeds" | "internalError" | "rateLimitedOnce" | null;
}

/** How verify turns out. */
export interface ProveVerify {
  /** Whether verify succeeds. */
  passes?: boolean | null;
  /** How sure the provider is of the identity. */
  assurance?: ProveAssurance | null;
  /** Codes of the Global Fraud Policy. Each makes its category fail. */
  failureReasons?: Array<9001 | 9003 | 9004 | 9005 | 9011 | 9012 | 9013 | 9014 | 9015 | 9081 | 9082 | 9083 | 9100 | 9101 | 9131 | 9132 | 9133 | 9134 | 9135 | 9136 | 9137 | 9161 | 9162 | 9163 | 9171 | 9180> | null;
  /** Other people with the same number. */
  additionalIdentities?: ProveVerifiedPerson[] | null;
  /** Businesses of the person. */
  businesses?: ProveBusiness[] | null;
}

/** How sure the provider is of an identity. */
export interface ProveAssurance {
  /** The assurance level. */
  level?: "AL-1" | "AL0" | "AL1" | "AL2" | "AL3" | null;
  /** Reasons of the level, such as AL2a. */
  reasons?: string[] | null;
}

/** Another person with the same number. */
export interface ProveVerifiedPerson {
  /** First name. */
  firstName: string;
  /** Last name. */
  lastName: string;
  /** The assurance level. */
  level?: "AL-1" | "AL0" | "AL1" | "AL2" | "AL3" | null;
  /** Reasons of the level, such as AL2a. */
  reasons?: string[] | null;
}

/** A business. */
export interface ProveBusiness {
  /** Its name. */
  businessName: string;
  /** The name that it trades under. */
  tradeName?: string | null;
  /** Its tax id, nine digits. */
  taxId?: string | null;
  /** Its address; at most one. */
  businessAddress?: ProveAddress[] | null;
}

/** A customer of a client. */
export interface ProveIdentity {
  /** The client whose customer it is. */
  clientId: string;
  /** The number, as responses repeat it. */
  phoneNumber: string;
  /** The provider's id; a new one if absent. */
  proveId?: string | null;
  /** Whether Identity Manager lists it. Possession checks also give ids to numbers that are not enrolled. */
  enrolled?: boolean | null;
  /** Whether it is active. */
  active?: boolean | null;
  /** The client's id of the customer. */
  clientCustomerId?: string | null;
  /** The client's id of the person. */
  clientHumanId?: string | null;
  /** The id of a device. */
  deviceId?: string | null;
  /** What other systems know about it. */
  attributes?: ProveAttribute[] | null;
  /** When it was first known. */
  createdAt?: string | null;
}

/** An attribute of an identity. */
export interface ProveAttribute {
  /** The id. */
  attributeId: string;
  /** What it is, such as walletId. */
  attributeType: string;
  /** The value. */
  attributeValue: string;
}

/** A client as other clients see it. */
export interface ProveDomain {
  /** The client. */
  clientId: string;
  /** The domain's id. */
  pcid: string;
  /** The domain's name. */
  name: string;
  /** Who issues the attributes of its identities. */
  issuerId: string;
}

/** A link of two domains, or a request for one. */
export interface ProveDomainLink {
  /** The pcid of the domain that asked. */
  from: string;
  /** The pcid of the domain that was asked. */
  to: string;
  /** What the link is for. */
  scopes?: string[] | null;
  /** When it was requested. */
  requestedAt?: string | null;
  /** When it was accepted; absent for a request. */
  acceptedAt?: string | null;
}

/** Settings of Prove. */
export interface ProveSettings {
  /** Numbers of errors: the current ones from 8000, or those of older responses where they differ. */
  errorCodes?: "current" | "legacy" | null;
  /** What happens to numbers that are not a test user's: an error, or a test user who passes everything. */
  unknownNumbers?: "reject" | "accept" | null;
  /** Requests per second and client beyond which calls get 429; 0: no limit. The provider's limit is 25. */
  rateLimit?: number | null;
  /** How long an access token is valid, in seconds. */
  accessTokenSeconds?: number | null;
  /** How long a correlation id and an auth token are valid, in seconds. */
  sessionSeconds?: number | null;
  /** How long a one-time code is valid after it was sent, in seconds. */
  otpSeconds?: number | null;
  /** How many codes or links one flow may send. */
  maxSends?: number | null;
  /** How long an Instant Link is valid after it was sent, in seconds. */
  linkSeconds?: number | null;
  /** How long a desktop browser waits for the click on an Instant Link, in seconds. */
  desktopSeconds?: number | null;
  /** After how many days without an authentication a Prove Key is inactive. */
  keyInactivityDays?: number | null;
  /**
   * Whether Nevin Chattey fails challenge and Agretha Chene fails complete, and other test users as they say.
   */
  preFillFailures?: boolean | null;
}

/** Vonage's part of a seed. */
export interface VonageSeed {
  /** The key and the secrets of the account. Masked ones, as in exports, change nothing. */
  account?: {
    /** The key: text without spaces. */
    apiKey?: string | null;
    /** The secret of requests: text without spaces. */
    apiSecret?: string | null;
    /** The secret of signed webhooks. */
    signatureSecret?: string | null;
  } | null;
  /** Applications, which sign requests and receive webhooks. No other sandbox may have them. */
  applications?: VonageApplication[] | null;
  /**
   * Settings that the live service has in its dashboard, on which sources about it disagree, or that tests
   * need.
   */
  settings?: VonageSettings | null;
  /** Custom templates with their fragments. One with a known name is replaced. */
  templates?: VonageTemplate[] | null;
}

/** An application of the account. One with a known id is changed. */
export interface VonageApplication {
  /** The application's id: a UUID. */
  id: string;
  /** The public RSA key of its tokens, in PEM; null: the key keys.accounts of the sandbox. */
  publicKey?: string | null;
  /** Where the webhooks of its verifications are sent; null: nowhere. */
  statusUrl?: string | null;
  /**
   * Where Number Verification may send browsers; null: http://127.0.0.1/callback with any port, and
   * https://app.example.com/callback.
   */
  redirectUris?: string[] | null;
}

/**
 * Settings that the live service has in its dashboard, on which sources about it disagree, or that tests
 * need.
 */
export interface VonageSettings {
  /** Digits of a code if the request does not say. */
  codeLength?: number | null;
  /** Seconds until the next channel if the request does not say. */
  channelTimeout?: number | null;
  /** The wrong code with this number ends the request with 410. */
  maxAttempts?: number | null;
  /** A message that cannot be delivered starts the next channel at once; else that waits for the timeout. */
  failFast?: boolean | null;
  /**
   * The response to a cancellation before cancelAfter, or after the second channel has begun: 404, 409, or
   * 204 as at other times.
   */
  earlyCancel?: "notFound" | "conflict" | "allow" | null;
  /** Seconds after the start from which a request can be canceled. */
  cancelAfter?: number | null;
  /** Seconds after a cancellation in which another request for the number is a conflict. */
  concurrentGrace?: number | null;
  /** Seconds until the channel after silent authentication begins. */
  silentTimeout?: number | null;
  /** With success, channels last 60 seconds at least. */
  priceModel?: "conversion" | "success" | null;
  /** Whether the account may change templates, else 403. */
  templates?: "on" | "forbidden" | null;
  /**
   * The response to a check with a token, for silent authentication of mode advanced: accept any token after
   * the phone was recognized, or 422.
   */
  advanced?: "accept" | "refuse" | null;
  /** Phone numbers with a plus sign: accept, or 422. */
  leadingPlus?: "accept" | "refuse" | null;
  /**
   * Hyphens in client_ref, as in the provider's examples: accept, or 422 as its description of the API says.
   */
  clientRefHyphens?: "accept" | "refuse" | null;
  /** The parameter pin_code of Verify legacy: accept, or status 20 as for accounts without this feature. */
  pinCode?: "accept" | "refuse" | null;
  /**
   * Requests for one number within an hour after which channels are blocked, unless the request says
   * fraud_check false; 0: never.
   */
  fraudCheck?: number | null;
  /** The beginning of type in errors: current, or as in older versions of the provider's SDKs. */
  errorBase?: "current" | "verify" | "nexmo" | null;
  /** The price of a request of Verify legacy, in euros. */
  legacyPrice?: string | null;
  /**
   * Networks, as mobile country and network code, that are blocked for Verify legacy until the account
   * unblocks them.
   */
  blockedNetworks?: string[] | null;
  /** The purposes that Identity Insights accepts from a request with a purpose. */
  purposes?: string[] | null;
  /** Whether a subscriber match needs the number of the identity document. */
  idDocumentRequired?: boolean | null;
}

/** A custom template. Its id is in the provider's list of templates. */
export interface VonageTemplate {
  /** The name. */
  name: string;
  /** True if requests that name no template use it. */
  isDefault?: boolean | null;
  /** Its texts. */
  fragments?: VonageTemplateFragment[] | null;
}

/** A text of a template. */
export interface VonageTemplateFragment {
  /** The channel that uses it. */
  channel: "sms" | "voice";
  /** The language, in lower case. */
  locale: string;
  /** The text, with ${code}, ${brand}, ${time-limit} and ${time-limit-unit}. */
  text: string;
}

/** Hyphen's part of a seed. */
export interface HyphenSeed {
  /** Apps with their secrets, which no other sandbox may have. */
  apps?: HyphenApp[] | null;
  /** Users with an account. It is created when the user signs in first. */
  accounts?: HyphenAccount[] | null;
  /** Where addresses are, in requests for approval. */
  locations?: HyphenLocation[] | null;
  /** Settings of Hyphen. */
  settings?: HyphenSettings | null;
}

/** An app. */
export interface HyphenApp {
  /** The id. */
  appId: string;
  /** The name that users see; the id by default. */
  appName?: string | null;
  /** The secret. A masked secret, as in exports, keeps the present one. */
  appSecret: string;
}

/** A user with an account. */
export interface HyphenAccount {
  /** The id; a new one by default. */
  id?: string | null;
  /** The user, as Firebase knows them. */
  email: string;
  /** The address on the chain, such as 0x01cf0e2f2f715450; a new one by default. */
  address?: string | null;
  /** Where the account exists. */
  chains?: Array<"flow-testnet" | "flow-mainnet"> | null;
  /** When; the user's first sign-in by default. */
  createdAt?: string | null;
  /** The devices whose keys the account has. */
  devices?: HyphenSeededDevice[] | null;
  /** Keys that no device has. */
  otherKeys?: HyphenSeededKey[] | null;
}

/**
 * A device whose key the account has. Without publicKey, the sandbox generates a key pair, and a virtual
 * handset has it, with a push token.
 */
export interface HyphenSeededDevice {
  /** The id; the sandbox gives one if it is absent. */
  id?: string | null;
  /** Its public key. */
  publicKey?: string | null;
  /** The FCM registration token; empty if the device gets no pushes. */
  pushToken?: string | null;
  /** The name, such as that of the model. */
  name?: string | null;
  /** The operating system. */
  osName?: "iOS" | "iPadOS" | "Android" | null;
  /** The version of the operating system. */
  osVersion?: string | null;
  /** The manufacturer. */
  deviceManufacturer?: string | null;
  /** The model. */
  deviceModel?: string | null;
  /** The language, such as en or fr-FR. */
  lang?: string | null;
  /** The version of the SDK. */
  sdkVersion?: string | null;
  /** Its kind. */
  type?: "mobile" | "tablet" | null;
  /** Whether requests for approval go to it first, instead of to the device that was used last. */
  preferred?: boolean | null;
  /** When its key was used last; when the account is created by default. */
  lastUsedAt?: string | null;
  /** The person's automatic answer to requests for approval, on a virtual handset; manual by default. */
  behaviour?: "approve" | "deny" | "ignore" | "manual" | null;
  /** How long the person needs for it; 0 by default. */
  answerAfterMs?: number | null;
}

/** A key that no device has. */
export interface HyphenSeededKey {
  /** The kind of key. */
  type: "passkey" | "wallet" | "recovery";
  /** The public key. */
  publicKey: string;
  /** The cloud account that holds a recovery key. */
  accountName?: string | null;
  /** The wallet that holds it. */
  wallet?: {
    /** The name. */
    name: string;
    /** The kind. */
    kind: string;
  } | null;
}

/** Where requests for approval say that an address is. */
export interface HyphenLocation {
  /** The address. */
  ip: string;
  /** City and country. */
  location: string;
}

/** Settings of Hyphen. */
export interface HyphenSettings {
  /**
   * Strict: only seeded app secrets, and only signatures that verify. Lenient also accepts unknown secrets,
   * short public keys with any well-formed signature, and approvals with a signature instead of a
   * transaction.
   */
  profile?: "strict" | "lenient" | null;
  /** The message in a request for approval: 64 hex digits, or JSON with the script that adds the key. */
  messageForm?: "hash" | "cadence" | null;
  /** Whether sending a request to another device gives it another 300 seconds. */
  retryExtends?: boolean | null;
  /** How long an access token is valid, in seconds. */
  accessTokenSeconds?: number | null;
  /** How long a refresh token is valid, in days. It can be used once. */
  refreshTokenDays?: number | null;
}

/** Sinch's part of a seed. */
export interface SinchSeed {
  /** The applications that may use the API. */
  applications?: Array<{
    /** The application key. */
    key: string;
    /** The application secret in Base64. Masked, as in exports, an application keeps the one that it has. */
    secret: string;
    /** Where its callbacks go; without it, the setting callbackUrl. */
    callbackUrl?: string | null;
    /** The weakest authorization that it accepts; without it, the setting minimumAuth. */
    minimumAuth?: "public" | "basic" | "signed" | null;
  }> | null;
  /** Settings that the live service has in its dashboard, or about which its documents say nothing. */
  settings?: SinchSettings | null;
}

/** Settings that the live service has in its dashboard, or about which its documents say nothing. */
export interface SinchSettings {
  /** Where the callbacks of applications go that have no URL of their own; empty: nowhere. */
  callbackUrl?: string | null;
  /** How long the receiver of a callback may take, in seconds. */
  callbackTimeout?: number | null;
  /**
   * How often a result or delivery callback is repeated: after 1, 5, 25 seconds and so on. Request callbacks
   * are not.
   */
  callbackRetries?: number | null;
  /**
   * The answer to a start that is denied: error, 403 with the code 40300; record, 200, and the status is
   * DENIED.
   */
  denyAnswer?: "error" | "record" | null;
  /** The weakest authorization that applications accept that have no minimum of their own. */
  minimumAuth?: "public" | "basic" | "signed" | null;
  /**
   * How far the x-timestamp of a signed request may be from the sandbox's time or the machine's, in seconds;
   * 0: not checked.
   */
  timestampTolerance?: number | null;
  /** The status by number needs no authorization, as in the documents of 2021. */
  openStatus?: boolean | null;
  /** Unknown members of a start are the error 40001. */
  strictMembers?: boolean | null;
  /** The code for a number without its plus sign. */
  plusCode?: 40005 | 40002 | null;
  /** How long codes of texts, WhatsApp messages and phone calls are valid, in seconds. */
  expiry?: number | null;
  /** How long a flash call can be reported, in seconds: reportTimeout. */
  flashCallExpiry?: number | null;
  /** How long a seamless verification can be completed, in seconds. */
  seamlessExpiry?: number | null;
  /** What the last hop of a seamless verification answers: its id and status, or nothing. */
  seamlessBody?: "json" | "empty" | null;
  /** Characters of a code. */
  codeLength?: number | null;
  /** How many wrong codes or caller numbers fail a verification. */
  maxAttempts?: number | null;
  /** How long a number must wait between two starts, in seconds; 0: not at all. */
  velocity?: number | null;
  /** How many verifications the account can still pay; null: any number. */
  credit?: number | null;
  /** How long after its end the price of a verification is known, in seconds. */
  priceDelay?: number | null;
  /** Countries to which the account may verify, ISO 3166-1 alpha-2; empty: all. */
  countries?: string[] | null;
  /** Numbers whose verifications are DENIED as Blocked. */
  blocked?: string[] | null;
  /** Numbers whose verifications are DENIED as Fraud. */
  fraud?: string[] | null;
}

/** CAMARA's part of a seed. */
export interface CAMARASeed {
  /** Applications that are registered at the operator. No other sandbox may have them. */
  clients?: CAMARAClient[] | null;
  /** What the public texts about CAMARA leave open, or that tests need. */
  settings?: CAMARASettings | null;
}

/** An application that is registered at the operator. */
export interface CAMARAClient {
  /** The id. */
  clientId: string;
  /** The secret, for clients that cannot sign. A masked one, as in exports, keeps the present one. */
  clientSecret?: string | null;
  /**
   * The public keys with which it signs: one in PEM, or a JWK Set; null: the key keys.accounts of the
   * sandbox.
   */
  keys?: Record<string, unknown> | string | null;
  /** Where the authorization server may send browsers. One on 127.0.0.1 matches every port. */
  redirectUris?: string[] | null;
  /** How it may get tokens. */
  grants?: Array<"authorization_code" | "refresh_token" | "client_credentials" | "urn:openid:params:grant-type:ciba" | "urn:ietf:params:oauth:grant-type:jwt-bearer"> | null;
  /** The scopes that it may ask for; null: all. */
  scopes?: string[] | null;
  /** The purposes that it may name, such as FraudPreventionAndDetection; null: all. */
  purposes?: string[] | null;
}

/** What the public texts about CAMARA leave open, or that tests need. */
export interface CAMARASettings {
  /** Members of a body that the specification does not have: ignored, or refused with INVALID_ARGUMENT. */
  unknownMembers?: "ignore" | "refuse" | null;
  /** Numbers that can exist but have no record: open, a plain line each; or 404 IDENTIFIER_NOT_FOUND. */
  unknownNumbers?: "open" | "404" | null;
  /** How clients sign in: any known way, or private_key_jwt only, as the profile demands. */
  clientAuth?: "any" | "private_key_jwt" | null;
  /** The purposes that clients may name, such as FraudPreventionAndDetection; null: all. */
  purposes?: string[] | null;
  /** How long an authorization code is valid, in seconds. */
  codeLifetime?: number | null;
  /** How long a request of CIBA waits for the subscriber, in seconds. */
  cibaExpires?: number | null;
  /** The least time between two polls, in seconds. */
  cibaInterval?: number | null;
  /**
   * Tokens for Number Verification: reusable for an hour as in Fall25, or as in Sync26 for one request within
   * 300 s, without a refresh token.
   */
  nvTokens?: "fall25" | "sync26" | null;
  /** For how many days the operator keeps the times of SIM swaps; null: forever. */
  monitoredPeriod?: number | null;
  /** The error for a maxAge of zero or less. */
  maxAgeBelowOne?: "OUT_OF_RANGE" | "INVALID_ARGUMENT" | null;
  /** Whether a new contract, a number brought along and a new holder count as a SIM swap. */
  newSimCountsAsSwap?: boolean | null;
  /** Characters of a code. */
  otpLength?: number | null;
  /** Whether codes are digits, or letters and digits. */
  otpAlphabet?: "digits" | "alphanumeric" | null;
  /** Seconds that a code is valid. */
  otpValidity?: number | null;
  /** The wrong code that ends an attempt. */
  otpMaxTry?: number | null;
  /** The request for a code to a number within the window that is refused. */
  otpMaxSend?: number | null;
  /** The window in seconds. */
  otpSendWindow?: number | null;
  /** Characters that a message may have. */
  otpMessageLimit?: number | null;
  /** Whether a token of another number may send a code: ignore, or the error INVALID_TOKEN_CONTEXT. */
  otpTokenContext?: "ignore" | "INVALID_TOKEN_CONTEXT" | null;
  /** Whether the operator tells conditional forwarding, or answers 501. */
  callForwardings?: "on" | "501" | null;
  /** Whether KYC Match needs the number of the identity document. */
  idDocumentRequired?: boolean | null;
  /** Whether answers about persons have scores. */
  matchScores?: boolean | null;
  /** The lowest age that may be asked for. */
  ageMinimum?: number | null;
  /** The identifiers of devices that the operator knows. */
  supportedDeviceIdentifiers?: Array<"phoneNumber" | "ipv4Address" | "ipv6Address"> | null;
  /** Whether subscriptions are answered with 201 and 204, or with 202 and the id. */
  subscriptions?: "sync" | "async" | null;
  /** Where notifications may go: any https URL and http to this computer, or https only. */
  sinks?: "any" | "https" | null;
  /** Whether the end of a subscription is reported, or its start too. */
  subscriptionLifecycleEvents?: "ended" | "all" | null;
  /**
   * How long a consent is valid that a subscriber gives on a page or a handset, in seconds; null: forever.
   */
  consentValidity?: number | null;
  /** Purposes that need no consent; whoever denies one has objected to it (OBJECTED). */
  optOutPurposes?: string[] | null;
  /** URLs that ask a subscriber for one client and purpose within 24 hours; null: no limit. */
  captureLimit?: number | null;
}

/** FCM's part of a seed. */
export interface FCMSeed {
  /** Accounts that may send. No other sandbox may have them, or their projects. */
  serviceAccounts?: FCMServiceAccount[] | null;
  /** Settings of the FCM provider. */
  settings?: FCMSettings | null;
}

/** An account that may send. */
export interface FCMServiceAccount {
  /** The project that it sends for. */
  projectId: string;
  /** The account's name: an email address. */
  clientEmail: string;
  /** The public RSA key of its assertions, in PEM; null: the key keys.accounts of the sandbox. */
  publicKey?: string | null;
}

/** Settings of the FCM provider. */
export interface FCMSettings {
  /** Which device tokens are valid: any, or only those of known devices and those that begin with sbx-. */
  tokens?: "open" | "known-only" | null;
  /** Reject background pushes of APNs priority 10, as Apple does; false only warns in the journal. */
  strictBackground?: boolean | null;
  /** How long an access token is valid, in seconds. */
  accessTokenSeconds?: number | null;
  /** Texts and details of errors about tokens and sizes: the newest, or those before August 2026. */
  errorTexts?: "newest" | "previous" | null;
  /**
   * Why Apple refuses the project's key, in the error of a token with the state thirdparty; null: no reason.
   */
  apnsKeyError?: "InvalidProviderToken" | "BadEnvironmentKeyInToken" | "BadEnvironmentKeyIdInToken" | "UnrelatedKeyIdInToken" | null;
}

/** APNs' part of a seed. */
export interface APNsSeed {
  /** Keys that sign provider tokens. No other sandbox may have them. */
  keys?: APNsKey[] | null;
  /** Certificates by which back ends identify themselves. No other sandbox may have them. */
  certificates?: APNsCertificate[] | null;
  /** Settings of the APNs provider. */
  settings?: APNsSettings | null;
}

/** A key that signs provider tokens. */
export interface APNsKey {
  /** The team: iss of provider tokens. */
  teamId: string;
  /** The key's id: kid of provider tokens. */
  keyId: string;
  /** The public key in PEM; null: the sandbox generates a pair, and credentials have the private key. */
  publicKey?: string | null;
  /** The bundle ids to which the key may push; null: all of its team. */
  topics?: string[] | null;
  /** The environment that the key is limited to; null: both. */
  environment?: "development" | "production" | null;
}

/** A certificate by which a back end identifies itself. */
export interface APNsCertificate {
  /** In PEM. Its subject has the app's bundle id as UID. */
  certificate: string;
}

/** Settings of the APNs provider. */
export interface APNsSettings {
  /**
   * Which device tokens are valid: any hex token and any that begins with sbx-, or without hex tokens that no
   * device has.
   */
  tokens?: "open" | "known-only" | null;
  /** Reject background pushes of priority 10; false only warns in the journal. */
  strictBackground?: boolean | null;
  /**
   * Reject provider tokens that are older than an hour by the sandbox's clock; false for clients that sign
   * with another clock.
   */
  checksTokenAge?: boolean | null;
  /**
   * Reject a new provider token of a key less than 20 minutes after its last one; false for clients that sign
   * one for each push.
   */
  limitsTokenUpdates?: boolean | null;
}

/** The whole state of a sandbox, for the same version of Ringfence. Secrets are not masked. */
export interface Snapshot {
  /** What this document is. */
  format: "ringfence-snapshot";
  /** The version of the server's tables. */
  version: number;
  /** The clock, the random seed and the counters. */
  sandbox: Record<string, unknown>;
  /** State that is in no table. */
  memory: {
    /** The number of ids of requests so far. */
    requests: number;
    /** The time to which the clock is moving, in milliseconds since 1970. */
    clockTarget?: number | null;
    /** Older history has been deleted. */
    historyStart: number;
  };
  /** The rows of each table. */
  tables: Record<string, SnapshotTable>;
  /** The journal of requests. */
  journal: SnapshotTable;
}

/** The rows of one table. */
export interface SnapshotTable {
  /** The names of the columns, in order. */
  columns: string[];
  /** The values. Bytes that are not UTF-8 are in an object, hexadecimal: hex. */
  rows: Array<unknown[]>;
}

/** A change of the clock: first the mode, then the time, then the step. */
export interface ClockChange {
  /** Freezes the clock, or lets it run in real time. */
  mode?: "real" | "frozen" | null;
  /** The new time: 1970 to 9998. */
  set?: string | null;
  /** The step, such as 11m or 1h30m. Work that is due runs. */
  advance?: string | null;
  /** The step in milliseconds; wins over advance. */
  advanceMs?: number | null;
}

/** The random seed. */
export interface EntropyInput {
  /** The random seed of later ids, codes and keys. */
  entropySeed: number;
}

/** The operators' gateway to mobile data. */
export interface GatewayInput {
  /**
   * How requests without a handset are treated. magic: as from the claimed number. strict: as from no
   * handset.
   */
  mode?: "magic" | "strict" | null;
  /** The number of additional redirects from the gateway to itself. */
  hops?: number | null;
  /** True if a chain stays on the listener on which it started. */
  tls?: boolean | null;
  /** The gateway's URL for handsets. */
  url?: string | null;
}

/** The holder of a line. The last digits of the number choose the defaults, and a record overrides them. */
export interface SubscriberInput {
  /** E.164: + and 7 to 15 digits, the first not zero. */
  number?: string | null;
  /** A fixed code for every verification of this number; null if codes come from the entropy. */
  code?: string | null;
  /** The kind of line; by default that of the numbering plan. */
  lineType?: "mobile" | "landline" | "fixed_voip" | "non_fixed_voip" | "toll_free" | "premium" | "shared_cost" | "personal" | "pager" | "voicemail" | "uan" | "unknown" | null;
  /** The network's name; Sandpiper Mobile by default. */
  operator?: string | null;
  /** ISO 3166-1 alpha-2; derived from the number by default. */
  country?: string | null;
  /** Mobile country code; 001, the test network, by default. */
  mcc?: string | null;
  /** Mobile network code; 01 by default. */
  mnc?: string | null;
  /** True if the network supports silent verification; false by default. */
  coversSilent?: boolean | null;
  /** The mobile country code of the number's first network; mcc by default. */
  originalMcc?: string | null;
  /** The mobile network code of the number's first network; mnc by default. */
  originalMnc?: string | null;
  /** True if the number came from another network; true by default if portedAt is set. */
  ported?: boolean | null;
  /** When the number was ported; null if unknown. */
  portedAt?: string | null;
  /** How the line is paid: prepaid, monthly, or by a company; PAYM by default. */
  contract?: "PAYG" | "PAYM" | "Business" | null;
  /** When the contract began; three years before the start of the sandbox's clock by default. */
  activatedAt?: string | null;
  /** The number's holders, oldest first; by default one person since activatedAt. */
  subscriberPeriods?: Array<{
    /** When the period began. */
    from: string;
    /** When the period ended; null if it has not ended. */
    to?: string | null;
  }> | null;
  /** When the number went out of service; null if it is in service. */
  deactivatedAt?: string | null;
  /** True if the network has suspended the line; false by default. */
  suspended?: boolean | null;
  /** Services that are switched off. */
  barring?: Array<"smsIn" | "smsOut" | "voiceIn" | "voiceOut" | "data"> | null;
  /** When calls are forwarded. */
  forwarding?: Array<"unconditional" | "busy" | "noAnswer" | "unreachable"> | null;
  /** True if the network slows the line's data down; false by default. */
  throttled?: boolean | null;
  /** True if the network blocks some content for the line; null if unknown. */
  contentLock?: boolean | null;
  /** True if the line has a parental control; null if unknown. */
  parentalControl?: boolean | null;
  /** The SIM card's identity; derived from mcc, mnc and number by default. */
  imsi?: string | null;
  /** The handset's identity; derived from the number by default. */
  imei?: string | null;
  /** The SIM card's number; derived from mcc, mnc and number by default. */
  iccid?: string | null;
  /**
   * Whether a network has seen the number's SIM card: connected, neverConnected, or none for a number without
   * one; connected by default. Without it, nothing reaches a handset.
   */
  simCard?: "connected" | "neverConnected" | "none" | null;
  /** The handset's model and software. */
  handset?: {
    /** Who makes it. */
    manufacturer?: string | null;
    /** The name of its model. */
    model?: string | null;
    /** The last two digits of its IMEISV, such as 01. */
    softwareVersion?: string | null;
  } | null;
  /** When the SIM card was changed. */
  simSwaps?: string[] | null;
  /** When the handset was changed. */
  deviceSwaps?: string[] | null;
  /** Which traffic reaches the handset now. */
  reach?: {
    /** True if texts reach it. */
    sms?: boolean | null;
    /** True if data reaches it. */
    data?: boolean | null;
  } | null;
  /** The network that the handset visits. */
  roaming?: {
    /** True if the handset is in another country's network. */
    on?: boolean | null;
    /** The mobile country code of the visited network. */
    mcc?: string | null;
    /** The visited countries, ISO 3166-1 alpha-2. */
    countries?: string[] | null;
  } | null;
  /** The handset's data connection through its own network. */
  session?: {
    /** True if the handset has a data connection. */
    on?: boolean | null;
    /** The handset's own address, such as 127.10.1.1. Requests from this address are from this handset. */
    ip?: string | null;
    /** The handset's own port. */
    port?: number | null;
    /** The handset's public address. */
    natIp?: string | null;
    /** The handset's public port. */
    natPort?: number | null;
    /** The handset's IPv6 address, in eight groups; all of its first 64 bits is this handset. */
    ipv6?: string | null;
  } | null;
  /** Why the handset's traffic does not come from its own network; none by default. */
  interference?: "none" | "wifi" | "vpn" | "tether" | "relay" | null;
  /**
   * Answers to requests for consent, by purpose, such as dpv:FraudPreventionAndDetection; * means all other
   * purposes. Granted by default; null forgets an answer.
   */
  consent?: Record<string, "granted" | "denied" | "unknown" | null> | null;
  /** The risk of misuse; null if it was not assessed. */
  risk?: {
    /** From 0, harmless, to 1000. */
    score?: number | null;
    /** The reasons for the score. */
    reasons?: string[] | null;
  } | null;
  /** True if the number has WhatsApp; true by default. */
  whatsapp?: boolean | null;
  /** True if the handset supports RCS; true by default. */
  rcs?: boolean | null;
  /** The person's automatic answer to challenges; null if challenges wait for an answer. */
  pushes?: "approve" | "deny" | "ignore" | "manual" | null;
  /** The person's preferred channel; null if there is none. */
  preferredChannel?: "sms" | "call" | "whatsapp" | "email" | "rcs" | "viber" | "telegram" | "zalo" | "silent" | "push" | null;
  /** The person's email address; null if unknown. */
  email?: string | null;
  /** The fictional person, for match scores. */
  kyc?: {
    /** The number of an identity document. */
    idDocument?: string | null;
    /** The kind of the identity document. */
    idDocumentType?: "passport" | "national_id_card" | "residence_permit" | "diplomatic_id" | "driver_licence" | "social_security_id" | "other" | null;
    /** The last day of the identity document, such as 2030-01-31. */
    idDocumentExpiryDate?: string | null;
    /** The full name. */
    name?: string | null;
    /** The given name. */
    givenName?: string | null;
    /** The family name. */
    familyName?: string | null;
    /** The name in half-width kana. */
    nameKanaHankaku?: string | null;
    /** The name in full-width kana. */
    nameKanaZenkaku?: string | null;
    /** The middle names. */
    middleNames?: string | null;
    /** The family name at birth. */
    familyNameAtBirth?: string | null;
    /** The full address. */
    address?: string | null;
    /** The street. */
    streetName?: string | null;
    /** The house number. */
    streetNumber?: string | null;
    /** The postal code. */
    postalCode?: string | null;
    /** The region. */
    region?: string | null;
    /** The town. */
    locality?: string | null;
    /** ISO 3166-1 alpha-2. */
    country?: string | null;
    /** The addition to the house number. */
    houseNumberExtension?: string | null;
    /** The date of birth, such as 1990-01-31. */
    birthdate?: string | null;
    /** The email address. */
    email?: string | null;
    /** MALE, FEMALE or OTHER. */
    gender?: string | null;
    /** The town of birth. */
    cityOfBirth?: string | null;
    /** The country of birth, ISO 3166-1 alpha-2. */
    countryOfBirth?: string | null;
    /** The nationality, ISO 3166-1 alpha-2. */
    nationality?: string | null;
  } | null;
  /** Senders whose texts are blocked; * means all. */
  optOut?: string[] | null;
  /** Outcomes of messages to this number; the sandbox's scenarios win over them. */
  scenarios?: ScenarioInput[] | null;
}

/** An event of a line or its handset. */
export interface SubscriberEvent {
  /** The kind of event. */
  event: "simSwap" | "deviceSwap" | "port" | "recycle" | "deactivate" | "roam" | "attach" | "detach";
  /** When, such as -2h for two hours ago; now by default. */
  at?: string | null;
  /** recycle: when the last holder gave up the number; the value of at by default. */
  endedAt?: string | null;
  /** port: The network's name; Sandpiper Mobile by default. */
  operator?: string | null;
  /** port: Mobile country code; 001, the test network, by default. */
  mcc?: string | null;
  /** port: Mobile network code; 01 by default. */
  mnc?: string | null;
  /** port: True if the network supports silent verification; false by default. */
  coversSilent?: boolean | null;
  /** simSwap, port, recycle: The SIM card's identity; derived from mcc, mnc and number by default. */
  imsi?: string | null;
  /** deviceSwap: The handset's identity; derived from the number by default. */
  imei?: string | null;
  /** simSwap, port, recycle: The SIM card's number; derived from mcc, mnc and number by default. */
  iccid?: string | null;
  /** deviceSwap: The handset's model and software. */
  handset?: {
    /** Who makes it. */
    manufacturer?: string | null;
    /** The name of its model. */
    model?: string | null;
    /** The last two digits of its IMEISV, such as 01. */
    softwareVersion?: string | null;
  } | null;
  /** roam: The network that the handset visits. */
  roaming?: {
    /** True if the handset is in another country's network. */
    on?: boolean | null;
    /** The mobile country code of the visited network. */
    mcc?: string | null;
    /** The visited countries, ISO 3166-1 alpha-2. */
    countries?: string[] | null;
  } | null;
  /** attach: The handset's data connection through its own network. */
  session?: {
    /** True if the handset has a data connection. */
    on?: boolean | null;
    /** The handset's own address, such as 127.10.1.1. Requests from this address are from this handset. */
    ip?: string | null;
    /** The handset's own port. */
    port?: number | null;
    /** The handset's public address. */
    natIp?: string | null;
    /** The handset's public port. */
    natPort?: number | null;
    /** The handset's IPv6 address, in eight groups; all of its first 64 bits is this handset. */
    ipv6?: string | null;
  } | null;
  /** recycle: The person's email address; null if unknown. */
  email?: string | null;
  /** recycle: The fictional person, for match scores. */
  kyc?: {
    /** The number of an identity document. */
    idDocument?: string | null;
    /** The kind of the identity document. */
    idDocumentType?: "passport" | "national_id_card" | "residence_permit" | "diplomatic_id" | "driver_licence" | "social_security_id" | "other" | null;
    /** The last day of the identity document, such as 2030-01-31. */
    idDocumentExpiryDate?: string | null;
    /** The full name. */
    name?: string | null;
    /** The given name. */
    givenName?: string | null;
    /** The family name. */
    familyName?: string | null;
    /** The name in half-width kana. */
    nameKanaHankaku?: string | null;
    /** The name in full-width kana. */
    nameKanaZenkaku?: string | null;
    /** The middle names. */
    middleNames?: string | null;
    /** The family name at birth. */
    familyNameAtBirth?: string | null;
    /** The full address. */
    address?: string | null;
    /** The street. */
    streetName?: string | null;
    /** The house number. */
    streetNumber?: string | null;
    /** The postal code. */
    postalCode?: string | null;
    /** The region. */
    region?: string | null;
    /** The town. */
    locality?: string | null;
    /** ISO 3166-1 alpha-2. */
    country?: string | null;
    /** The addition to the house number. */
    houseNumberExtension?: string | null;
    /** The date of birth, such as 1990-01-31. */
    birthdate?: string | null;
    /** The email address. */
    email?: string | null;
    /** MALE, FEMALE or OTHER. */
    gender?: string | null;
    /** The town of birth. */
    cityOfBirth?: string | null;
    /** The country of birth, ISO 3166-1 alpha-2. */
    countryOfBirth?: string | null;
    /** The nationality, ISO 3166-1 alpha-2. */
    nationality?: string | null;
  } | null;
}

/** An app on the handset of a number, or on a handset that is known only by a token. */
export interface NewDevice {
  /** The number of a mobile line. */
  number?: string | null;
  /** The provider that the app registers with. */
  provider?: string | null;
  /** The app's name; com.example.app:1.0.0 by default. */
  app?: string | null;
  /** The handset's operating system; android by default. */
  platform?: "android" | "ios" | null;
  /** The token for pushes to the app; generated by default. */
  pushToken?: string | null;
  /** The app's token at Apple's gateway, on iOS only; generated by default. */
  apnsToken?: string | null;
  /** The state of the push token; by default the token's name decides. */
  state?: string | null;
  /** True if pushes reach the app; others are held until they expire. True by default. */
  online?: boolean | null;
  /** SubjectPublicKeyInfo in base64; by default the sandbox generates a key pair. */
  publicKey?: string | null;
  /** The person's automatic answer to challenges; by default that of the number's record. manual: none. */
  behaviour?: "approve" | "deny" | "ignore" | "manual" | null;
  /** How long the person needs for an automatic answer; 0 by default. */
  answerAfterMs?: number | null;
  /** The state of the handset; ready by default. */
  condition?: "ready" | "locked" | "batteryEmpty" | "biometricsFailed" | "appDeleted" | null;
  /** How far the handset's clock is ahead of the sandbox's; for apps that sign times. 0 by default. */
  clockOffsetSeconds?: number | null;
  /** The person's id at the provider, for providers that have one; by default made from the number. */
  identity?: string | null;
  /** The provider's id of the service to enrol with; the sandbox's own by default. */
  service?: string | null;
}

/** A change of a registered app, or of all apps on a handset. */
export interface DeviceChange {
  /** A new token; the old one becomes invalid. */
  pushToken?: string | null;
  /** The same at Apple's gateway, on iOS only. */
  apnsToken?: string | null;
  /** The state of the push token; by default the token's name decides. */
  state?: string | null;
  /** True if pushes reach the app; others are held until they expire. True by default. */
  online?: boolean | null;
  /** The person's automatic answer to challenges; by default that of the number's record. manual: none. */
  behaviour?: "approve" | "deny" | "ignore" | "manual" | null;
  /** How long the person needs for an automatic answer; 0 by default. */
  answerAfterMs?: number | null;
  /** The state of the handset; ready by default. */
  condition?: "ready" | "locked" | "batteryEmpty" | "biometricsFailed" | "appDeleted" | null;
  /** How far the handset's clock is ahead of the sandbox's; for apps that sign times. 0 by default. */
  clockOffsetSeconds?: number | null;
}

/** A new push token. */
export interface NewToken {
  /** The new token; generated by default. */
  pushToken?: string | null;
}

/** A defect of the app's answer. */
export interface AnswerOptions {
  /**
   * wrongKey: signed with another key than the registered one; late: sent although the challenge was answered
   * or has expired.
   */
  fault?: "wrongKey" | "late" | null;
}

/** A QR code. */
export interface Scan {
  /** The text of the QR code; it contains a challenge's reference. */
  text: string;
}

/** A silent URL to open. */
export interface Opening {
  /** The silent URL that the app was given. */
  url: string;
  /** The kind of client. */
  as?: "ios" | "android" | null;
  /** The connection that the handset claims to use. */
  bearer?: "cellular" | "wifi" | "vpn" | "tether" | null;
  /** True if the first answer must be a redirect, as on an endpoint of the app itself. */
  own?: boolean | null;
}

/** A call of navigator.credentials. */
export interface PasskeyCall {
  /** The call's options, with or without publicKey. */
  options: Record<string, unknown>;
  /** The page's origin; by default https and the relying party's id. */
  origin?: string | null;
  /** The id of the passkey to sign in with; by default the first allowed one of the handset. */
  credential?: string | null;
  /** A defect of the answer. */
  fault?: "cancelled" | "noUserVerification" | "wrongOrigin" | "wrongRpId" | "wrongChallenge" | "wrongKey" | "unknownCredential" | "staleCounter" | null;
}

/** A text from a handset. */
export interface Reply {
  /** The text. */
  text: string;
  /** The sender to write to; by default that of the newest message. */
  to?: string | null;
  /** The channel; by default that of the message. */
  channel?: "sms" | "whatsapp" | "rcs" | "viber" | "telegram" | "zalo" | null;
}

/** Keys to press. */
export interface Keys {
  /** Digits, * and #, in order. */
  keys: string;
}

/** The new scenarios. */
export interface Scenarios {
  /** Rules about the outcome of messages. They replace the present ones. */
  scenarios: ScenarioInput[];
}

/** The new faults. */
export interface Faults {
  /** Rules about requests that fail on purpose. They replace the present ones. */
  faults: Fault[];
}

/** The new webhook faults. */
export interface WebhookFaults {
  /** Rules about webhooks that go wrong on purpose. They replace the present ones. */
  webhookFaults: WebhookFault[];
}

/** Failures at random. */
export interface Chaos {
  /** The share of requests, messages, calls, silent verifications and webhooks that fail. */
  rate: number;
  /** The same seed brings the same failures. */
  seed?: number | null;
}

/** A workshop to create. */
export interface NewWorkshop {
  /** The name; sandboxes are called NAME-1, NAME-2 and so on. */
  name: string;
  /** The name of a story: GET /control/stories lists them. */
  story: string;
  /** The name of the story's flavour; the first one by default. */
  flavour?: string | null;
  /** The number of participants, or their names, in order. */
  participants: number | string[];
  /** Freezes the participants' clocks at this time; by default they run. */
  clock?: string | null;
  /** The seeds to load: default, and subfolders of --seeds. */
  seeds?: string[] | null;
}

/** Participants to add. */
export interface AddedParticipants {
  /** Their number, or their names, in order. */
  participants: number | string[];
}

/** Some or all participants. */
export interface ParticipantSelection {
  /** The names of the participants; all by default. */
  participants?: string[] | null;
}

/** What to break, and for whom. */
export interface ParticipantFailures {
  /** The names of the participants; all by default. */
  participants?: string[] | null;
  /** Rules about requests that fail. */
  faults?: Fault[] | null;
  /** Rules about the outcome of messages. */
  scenarios?: ScenarioInput[] | null;
}

/** A change of clocks, and for whom. */
export interface ParticipantClock {
  /** The names of the participants; all by default. */
  participants?: string[] | null;
  /** Freezes the clock, or lets it run in real time. */
  mode?: "real" | "frozen" | null;
  /** The new time: 1970 to 9998. */
  set?: string | null;
  /** The step, such as 11m or 1h30m. Work that is due runs. */
  advance?: string | null;
  /** The step in milliseconds; wins over advance. */
  advanceMs?: number | null;
}

/** A note, and for whom. */
export interface ParticipantNote {
  /** The names of the participants; all by default. */
  participants?: string[] | null;
  /** The text; an empty one removes the note. */
  note: string;
}

/** A claim about the number of matching requests; one or more by default. */
export interface JournalClaim {
  /** The requests; all by default. */
  match?: {
    /** Only this provider. */
    provider?: string | null;
    /** Only requests to the route of this name. */
    route?: string | null;
    /** Only requests with this method. */
    method?: string | null;
    /** Only requests answered with this status. */
    status?: number | null;
    /** Only requests with this text in path, query or body. */
    contains?: string | null;
    /** Only requests with this text in the body of the answer, such as the provider's error code. */
    answerContains?: string | null;
  } | null;
  /** The exact number. */
  count?: number | null;
  /** The minimum number. */
  atLeast?: number | null;
  /** The maximum number. */
  atMost?: number | null;
}

/** The beginning or the end of a test. */
export interface TestMark {
  /** The name of the test. */
  name: string;
  /** How it ended; without it, the test begins. */
  outcome?: "passed" | "failed" | "skipped" | null;
}

/** A webhook that looks as if a provider had sent it. */
export interface ForgedWebhook {
  /**
   * The id of a webhook, or latest. It is copied with its provider, kind and URL; without body, also its
   * bytes.
   */
  like?: string | null;
  /** The provider that seems to send it. */
  provider?: string | null;
  /** The kind, by the provider's name for it; by default the provider's first one. */
  kind?: string | null;
  /** The receiver. */
  url?: string | null;
  /** The body. It is sent as JSON, or as a form if the provider's webhooks are forms. */
  body?: Record<string, unknown> | unknown[] | null;
  /** wrong, as from somebody without the key; missing; or valid, made with the sandbox's key. */
  signature?: "wrong" | "missing" | "valid" | null;
  /** Another content type than the provider's. */
  contentType?: string | null;
}

/** A request to a provider. */
export interface RequestDraft {
  /**
   * The id of a request in the journal, or latest. What follows replaces its parts. A value that is shown as
   * ******** is put back where it was; elsewhere the mark is text.
   */
  like?: string | null;
  /** The method. */
  method?: string | null;
  /** Path and query, percent-encoded. By default those of like. */
  target?: string | null;
  /** All header lines. Content-Length is set, and Host if it is missing. */
  headers?: string[] | null;
  /** The body, as UTF-8. */
  body?: string | null;
}

/** A code for a number. */
export interface TestCodeOrder {
  /** The provider that sends the code. */
  provider: string;
  /** The number that gets it. */
  number: string;
}
