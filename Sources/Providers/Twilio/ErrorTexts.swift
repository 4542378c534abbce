import Domain
import HTTP
import ProviderKit

extension APIError {
  /// Every documented number. Source: contract 13.1 to 13.4.
  static let knownCodes = (texts.keys + withoutText).sorted()

  static func row(of code: Int) -> ErrorRow {
    ErrorRow(String(code), APIError(code: code).status.code, texts[code]?.message ?? "")
  }

  /// Numbers whose texts are not documented.
  private static let withoutText = [60230, 60233, 60234, 60236, 60237, 60239]

  /// Texts of the messages API that name receiver and sender. Some hide the receiver's last four digits.
  /// Source: contract 13.6 and 16.2.
  static let messageTexts: [Int: String] = [
    21211: "Invalid 'To' Phone Number: {hidden to}",
    21212: "The 'From' number {from} is not a valid phone number, shortcode, or alphanumeric sender ID.",
    21266: "'To' and 'From' number cannot be the same: {hidden to}",
    21408: "Permission to send an SMS has not been enabled for the region indicated by the 'To' number: "
      + "{hidden to}",
    21606: "The From phone number {from} is not a valid, SMS-capable inbound phone number or short code "
      + "for your account.",
    21608: "The number {hidden to} is unverified. Trial accounts cannot send messages to unverified numbers; "
      + "verify {hidden to} at twilio.com/user/account/phone-numbers/verified, or purchase a Twilio number to "
      + "send messages to unverified numbers",
    21612:
      "The 'To' phone number: {to}, is not currently reachable using the 'From' phone number: {from} via SMS.",
    21614: "To number: {to}, is not a mobile number",
  ]

  /// Status and text of every error that a Verify request can get, by number. Source: contract 13.1 to 13.4;
  /// for texts, https://www.twilio.com/docs/verify/api/error-codes and the dictionary, read 2026-11-25.
  static let texts: [Int: (status: Status, message: String)] = [
    20003: (401, "Authenticate"),
    20004: (405, "Method not allowed"),
    // The dictionary has no status.
    20005: (401, "Account not active"),
    20008: (403, "Resource not accessible with Test Account Credentials"),
    20404: (404, "The requested resource was not found"),
    20429: (429, "Too many requests"),
    20500: (500, "Internal server error"),
    20503: (503, "Service unavailable"),
    21211: (400, "Invalid 'To' Phone Number"),
    21212: (400, "Invalid 'From' Phone Number"),
    21266: (400, "'To' and 'From' number cannot be the same"),
    21408: (
      400, "Permission to send an SMS has not been enabled for the region indicated by the 'To' number"
    ),
    21602: (400, "Message body is required."),
    21603: (400, "A 'From' phone number is required."),
    21604: (400, "A 'To' phone number is required."),
    21606: (400, "The 'From' phone number is not a valid, message-capable number of the account"),
    21608: (
      403,
      "The phone number is unverified. Trial accounts cannot send messages to unverified numbers; "
        + "verify it at twilio.com/user/account/phone-numbers/verified"
    ),
    21609: (400, "Invalid 'StatusCallback' URL"),
    21610: (400, "Attempt to send to unsubscribed recipient"),
    21611: (400, "This 'From' number has exceeded the maximum number of queued messages"),
    21612: (400, "The 'To' phone number is not currently reachable via SMS"),
    21614: (400, "'To' number is not a valid mobile number"),
    21617: (400, "The concatenated message body exceeds the 1600 character limit."),
    21620: (400, "Invalid media URL(s)"),
    21623: (400, "Number of media files exceeds allowed limit"),
    21705: (400, "The Messaging Service Sid is invalid"),
    21910: (400, "Invalid 'From' and 'To' pair. 'From' and 'To' should be of the same channel"),
    30409: (400, "This message cannot be canceled"),
    35111: (400, "SendAt timestamp is missing"),
    35114: (400, "Scheduling does not support this timestamp"),
    35118: (400, "MessagingServiceSid is required to schedule a message"),
    60200: (400, "Invalid parameter"),
    60201: (400, "Selected template translation is not approved"),
    60202: (429, "Max check attempts reached"),
    60203: (429, "Max send attempts reached"),
    60204: (403, "Service does not support this feature"),
    60205: (403, "SMS is not supported by landline phone number"),
    60206: (400, "'Amount' & 'Payee' params are required"),
    60207: (400, "Max rate limits per service reached"),
    60208: (400, "Rate limit with that UniqueName already exists"),
    60209: (400, "UniqueName format is invalid"),
    60210: (400, "Max Buckets per Rate limit reached"),
    60211: (400, "Bucket with the given Interval already exists"),
    60212: (429, "Too many concurrent requests for phone number"),
    60213: (400, "A Messaging Configuration already exists for the given country"),
    60214: (400, "Call channel is not supported when using PSD2"),
    60215: (400, "Max number of mailers per account reached"),
    60216: (400, "Error while encrypting or decrypting the API key"),
    60217: (400, "Invalid Service configuration"),
    60218: (400, "SendGrid Template is not active"),
    60219: (400, "SendGrid Template does not contain required placeholders"),
    60220: (400, "Messages to China require use case vetting"),
    60221: (400, "No target verification specified"),
    60222: (403, "SendGrid from address does not match a verified Sender Identity"),
    60223: (400, "Delivery channel disabled"),
    60224: (400, "Missing substitutions for selected template"),
    60225: (409, "Translation already exists"),
    60226: (400, "Messages sent to China require friendly_name"),
    60227: (400, "Template channel is not supported"),
    60228: (400, "Template was not found"),
    60229: (400, "Template translation was not found"),
    60231: (400, "Sender id already exists for account"),
    60232: (400, "Sender id does not exist"),
    60235: (400, "Sender definitions does not match with requirements"),
    60238: (403, "Verification Creation Attempt blocked by Twilio"),
    60240: (400, "Templates not allowed"),
    60241: (400, "Static message required"),
    60242: (400, "WhatsApp template not found"),
    60243: (400, "Custom messages are not supported"),
    60245: (429, "Messaging limits exceeded"),
    60246: (400, "Service already exists"),
    60247: (400, "Message Length Exceeded"),
    60248: (400, "Friendly name contains a restricted word"),
    60250: (400, "Missing registration for Australia"),
    60251: (400, "Invalid Templates parameter"),
    60252: (400, "Templates are invalid"),
    60300: (400, "Invalid Param"),
    60301: (409, "Entity already exists"),
    60302: (400, "FactorType already exists"),
    60303: (400, "Invalid batch deletion body"),
    60304: (409, "Entity already exists"),
    60305: (400, "Access Token parameters are invalid"),
    60306: (400, "Invalid Request"),
    60307: (400, "Cannot resend push notifications to 'none' notification platform"),
    60308: (429, "Challenge verification attempts limit reached"),
    60309: (429, "Push notifications limit reached for a Challenge"),
    60310: (429, "Factor verification attempts reached"),
    60311: (403, "Factor verification failed"),
    60312: (429, "Challenge creation limit reached"),
    60313: (403, "Unauthorized factor creation"),
    60314: (400, "Factors binding format is invalid"),
    60315: (400, "Reached max limit of Factors associated per Entity"),
    60317: (409, "Factor already exists"),
    60318: (403, "Factor is unverified"),
    60322: (403, "Challenge already responded"),
    60323: (403, "Challenge expired"),
    60324: (403, "Challenge verification failed"),
    60326: (429, "Too many requests to create factors for the entity"),
    60328: (429, "Entities rate limit exceeded"),
    60329: (400, "Verify SNA does not work with psd2_enabled"),
    60361: (400, "Account SID invalid or not provided"),
    60362: (400, "Factor SID invalid or not provided"),
    60363: (400, "Service SID invalid or not provided"),
    60364: (400, "Challenge SID invalid or not provided"),
    60365: (400, "Entity SID invalid or not provided"),
    60366: (400, "Entity invalid or not provided"),
    60367: (400, "Identity invalid or not provided"),
    60368: (400, "Challenge details invalid or not provided"),
    60369: (400, "Factor type invalid or not provided"),
    60370: (400, "Factor config invalid or not provided"),
    60371: (400, "Relying party invalid or not provided"),
    60372: (400, "Relying party ID invalid or not provided"),
    60373: (400, "Page size invalid or not provided"),
    60374: (400, "Page token invalid or not provided"),
    60375: (400, "ID invalid or not provided"),
    60376: (400, "Raw ID invalid or not provided"),
    60377: (400, "Authenticator attachment invalid or not provided"),
    60378: (400, "Response invalid or not provided"),
    60379: (400, "Authenticator data invalid or not provided"),
    60380: (400, "Client data invalid or not provided"),
    60381: (400, "Signature invalid or not provided"),
    60382: (400, "Relying party mismatch"),
    60383: (400, "Factor status invalid"),
    60384: (400, "Challenge timeout invalid or not provided"),
    60385: (400, "Public key invalid or not provided"),
    60386: (400, "Attestation object invalid or not provided"),
    60387: (400, "Attested credential data invalid or not provided"),
    60388: (400, "Display name invalid or not provided"),
    60390: (404, "Factor not found"),
    60391: (404, "Challenge not found"),
    60392: (404, "Entity not found"),
    60393: (400, "Authenticator criteria are missing from the request"),
    60408: (400, "TemplateSid is only supported for the SMS channel"),
    60410: (
      403,
      "The destination phone number has been temporarily blocked by Twilio due to fraudulent activities."
    ),
    60411: (400, "Number or prefix is already in the SafeList"),
    60412: (403, "Verification blocked by Fraudulent Signup Prevention"),
    60602: (400, "App hash can only be used with SMS channel"),
    60603: (401, "SendGrid credits exceeded"),
    60604: (401, "SendGrid user is not authorized"),
    60605: (403, "The destination phone number has been blocked by Verify Geo-Permissions."),
    68008: (400, "Verify WhatsApp channel not configured"),
    575001: (403, "Verify is not available for this trial account"),
  ]
}
