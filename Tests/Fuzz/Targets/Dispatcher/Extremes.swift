import JSON

let extremeNumbers: [JSON] = [
  .integer(.max), .integer(.min), .integer(0), .integer(-1), .integer(1 << 31), .integer(1 << 53),
  .integer(253_402_300_800_000), .double(1e308),
]

/// Values at and beyond limits, and words with a meaning in some route.
let extremes: [JSON] =
  [
    .array([]), .object([]), .null, .bool(true), .bool(false), .string(""),
    .integer(1), .integer(.max - 1), .double(9_223_372_036_854_775_808), .double(0.5), .double(-1e-308),
    .array([.array([]), .object([]), .null]), .array([.string("")]),
  ] + extremeNumbers + texts.map { .string($0) }

private let texts = [
  // numbers
  "0", "-1", "1", "2147483648", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e308",
  "NaN",
  // times and durations
  "0001-01-01T00:00:00Z", "1960-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "9999-12-31T23:59:59Z",
  "-0001-01-01T00:00:00Z", "10000-01-01T00:00:00Z", "2026-01-05T10:20:30+23:59", "0000-00-00", "1960-01-01",
  "9999-12-31", "1s", "30d", "3650000d", "9223372036854775807h", "-1h", "9223372036854775807ms",
  // numbers of phones
  "+12025550100", "+12025550199", "+33639980010", "+33639980050", "+15558675309", "+1", "+", "15551234567",
  "+999999999999999999999", "ann@shop.test",
  // texts
  "a", " ", "%", "%00", "\u{0}", "..", "/", "?", "🇩🇪👩‍👩‍👧‍👧", "e" + String(repeating: "\u{301}", count: 40),
  String(repeating: "é", count: 5_000), String(repeating: "9", count: 400), "{}", "[]", "null", "true",
  "false",
  "********", "https://hook.shop.test/", "http://[::1]:99999/", "//", "ci", "default", "story",
  // words
  "sms", "call", "whatsapp", "email", "push", "rcs", "silent", "sna", "voice", "auto", "approved", "canceled",
  "frozen", "real", "es", "zh-Hant-TW", "US", "created", "reset", "truncate", "garble", "html", "before",
  "after",
]
