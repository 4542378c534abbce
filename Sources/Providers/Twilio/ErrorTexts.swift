import HTTP
import ProviderKit

extension APIError {
  /// Every documented number. Source: contract 13.1, 13.2, 13.4.
  static let knownCodes = (texts.keys + withoutText).sorted()

  /// Numbers whose texts are not documented.
  private static let withoutText = Array(60230...60237) + [60239, 60240, 60241]

  /// Status and text of every error that a Verify request can get, by number. Source: contract 13.1, 13.2, 13.4.
  static let texts: [Int: (status: Status, message: String)] = [
    20003: (401, "Authenticate"),
    20004: (405, "Method not allowed"),
    20008: (403, "Resource not accessible with Test Account Credentials"),
    20404: (404, "The requested resource was not found"),
    20429: (429, "Too many requests"),
    20500: (500, "Internal server error"),
    20503: (503, "Service unavailable"),
    21211: (400, "Invalid 'To' Phone Number"),
    21408: (
      400, "Permission to send an SMS has not been enabled for the region indicated by the 'To' number"
    ),
    21608: (403, "The phone number is unverified. Trial accounts cannot send messages to unverified numbers"),
    21610: (400, "Attempt to send to unsubscribed recipient"),
    21612: (400, "The 'To' phone number is not currently reachable via SMS"),
    21614: (400, "'To' number is not a valid mobile number"),
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
    60215: (400, "Max mailers per account reached"),
    60216: (400, "API key encryption failed"),
    60217: (400, "Invalid Service configuration"),
    60218: (400, "SendGrid template is not active"),
    60219: (400, "SendGrid template lacks placeholders"),
    60220: (400, "Messages to China require use case vetting"),
    60221: (400, "No target verification specified"),
    60222: (403, "SendGrid from address is not verified"),
    60223: (400, "Delivery channel disabled"),
    60224: (400, "Missing substitutions for selected template"),
    60225: (409, "Translation already exists"),
    60226: (400, "Messages sent to China require friendly_name"),
    60227: (400, "Template channel is not supported"),
    60228: (400, "Template was not found"),
    60229: (400, "Template translation was not found"),
    60238: (403, "Verification Creation Attempt blocked by Twilio"),
    60242: (400, "WhatsApp template not found"),
    60243: (400, "Custom messages are not supported"),
    60245: (429, "Messaging limits exceeded"),
    60246: (400, "Service already exists"),
    60247: (400, "Message Length Exceeded"),
    60248: (400, "Friendly name contains a restricted word"),
    60250: (400, "Missing registration for Australia"),
    60329: (400, "Verify SNA does not work with psd2_enabled"),
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
