// Failures of requests, codes and webhooks.

extension FailureGroup {
  static let requests = FailureGroup(
    "The provider's API", .request,
    [
      Failure(
        "api-500", "Answers 500", "Every request fails with the provider's error.", .fault(#"{"status":500}"#)
      ),
      Failure(
        "api-503", "Is unavailable", "Every request gets 503 with Retry-After.",
        .fault(#"{"status":503,"retryAfter":5}"#)),
      Failure(
        "api-429", "Too many requests", "429 with Retry-After: 5.", .fault(#"{"status":429,"retryAfter":5}"#)),
      Failure(
        "api-401", "Refuses the credentials", "Every request gets 401.", .fault(#"{"status":401}"#)),
      Failure("api-slow", "Is slow", "Every answer takes three seconds.", .fault(#"{"latencyMs":3000}"#)),
      Failure(
        "api-500-after", "Answers 500, but has done the work", "The message was sent; only the answer fails.",
        .fault(#"{"status":500,"when":"after"}"#)),
      Failure(
        "api-once", "Fails once", "The first request fails; a retry succeeds.",
        .fault(#"{"status":503,"times":1}"#)),
      Failure(
        "api-reset", "Drops the connection",
        "The work is done, but the connection is reset before the answer.",
        .fault(#"{"damage":"reset"}"#)),
      Failure(
        "api-reset-before", "Drops the connection at once", "Nothing is done, and nothing is answered.",
        .fault(#"{"damage":"reset","when":"before"}"#)),
      Failure(
        "api-truncated", "Half an answer", "The body stops half-way, and the connection closes.",
        .fault(#"{"damage":"truncate"}"#)),
      Failure("api-garbled", "Garbled answers", "The answer is not JSON.", .fault(#"{"damage":"garble"}"#)),
      Failure(
        "api-html", "A proxy answers", "502 with a page in HTML.", .fault(#"{"status":502,"damage":"html"}"#)),
    ])

  static let codes = FailureGroup(
    "Codes", .check,
    [
      Failure("code-wrong", "Wrong code", "A code that was never sent.", .manual("Enter another code.")),
      Failure(
        "code-wrong-often", "Too many wrong codes", "Further codes are refused.",
        .manual("Enter wrong codes until the verification ends.")),
      Failure(
        "code-expired", "Expired code", "The code is right, but too old.",
        .request("POST", "/control/clock", #"{"advance":"2h"}"#)),
      Failure(
        "code-used", "Code is used twice", "The code was right once.",
        .manual("Enter the right code again.")),
      Failure(
        "code-unknown", "No verification", "There is no verification of the number.",
        .manual("Enter a code for a number without a verification.")),
      Failure(
        "code-sent-often", "Too many codes", "No more codes are sent to the number.",
        .manual("Ask for codes until the provider refuses.")),
    ])

  static let webhooks = FailureGroup(
    "Webhooks", .webhook,
    [
      webhook("lost", "Lost", "It is not sent.", #""delivery":"lost""#),
      webhook("twice", "Twice", "It is sent twice.", #""delivery":"duplicate""#),
      webhook(
        "reordered", "Out of order", "It is sent after the next one.", #""delivery":"reorder","times":1"#),
      webhook("late", "Late", "It is sent a minute late.", #""delayMs":60000"#),
      webhook("wrong-signature", "Wrong signature", "Its signature is invalid.", #""signature":"wrong""#),
      webhook("no-signature", "No signature", "It has no signature.", #""signature":"missing""#),
      webhook(
        "old-timestamp", "Old timestamp", "Its timestamp is an hour old; its signature is valid.",
        #""timestampAgeMs":3600000"#),
      webhook(
        "content-type", "Wrong content type", "Its Content-Type is text/plain.",
        #""contentType":"text/plain""#),
      Failure(
        "webhook-receiver-fails", "Receiver fails",
        "Your server answers 500 once; some providers try again.",
        .manual("Let your server answer 500 to the first webhook.")),
      Failure(
        "webhook-forged", "Forged", "Somebody else sends you a webhook.",
        .request("POST", "/control/webhooks/forge", #"{"like":"latest"}"#)),
    ])

  private static func webhook(_ id: String, _ name: String, _ effect: String, _ members: String) -> Failure {
    Failure("webhook-\(id)", name, effect, .webhookFault("{\(members)}"))
  }
}
