import JSON
import Testing

/// A document and its value.
struct Accepted: Sendable, CustomTestStringConvertible {
  let text: String
  let value: JSON
  var testDescription: String { text }
}

/// Bytes that are no document, and where that shows.
struct Refused: Sendable, CustomTestStringConvertible {
  let bytes: [UInt8]
  let offset: Int
  var testDescription: String { String(decoding: bytes, as: UTF8.self) }

  init(_ text: String, _ offset: Int) {
    self.init(Array(text.utf8), offset)
  }

  init(_ bytes: [UInt8], _ offset: Int) {
    self.bytes = bytes
    self.offset = offset
  }
}

let acceptedTexts: [(String, JSON)] = [
  // Literals and space
  ("null", .null), ("true", .bool(true)), ("false", .bool(false)), (" \t\r\n null \n", .null),
  // Integers and their edges
  ("0", .integer(0)), ("-1", .integer(-1)), ("1234567890", .integer(1_234_567_890)),
  ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
  ("9223372036854775808", .double(9_223_372_036_854_775_808)),
  ("-9223372036854775809", .double(-9_223_372_036_854_775_808)),
  ("123456789012345678901234567890", .double(123_456_789_012_345_677_877_719_597_056)),
  // Other numbers
  ("-0", .double(-0.0)), ("0.0", .double(0)), ("1.5", .double(1.5)), ("-1.25e2", .double(-125)),
  ("1e3", .double(1000)), ("1E+3", .double(1000)), ("10e-1", .double(1)), ("0e0", .double(0)),
  ("1e-400", .double(0)), ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
  ("0.1", .double(0.1)), ("5e-324", .double(.leastNonzeroMagnitude)),
  // Strings
  (#""""#, .string("")), (#""a""#, .string("a")), (#""é€😀""#, .string("é€😀")),
  (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")), (#""\u0041\u00e9\u20AC""#, .string("Aé€")),
  (#""\uD83D\uDE00""#, .string("😀")), (#""a\u0000b""#, .string("a\0b")), (#""\uFFFF""#, .string("\u{FFFF}")),
  (#""\udbff\udfff""#, .string("\u{10FFFF}")), ("\"\u{7F}\"", .string("\u{7F}")),
  ("\"\u{2028}\u{FEFF}\"", .string("\u{2028}\u{FEFF}")), (#""x\ny\tz""#, .string("x\ny\tz")),
  (#""/""#, .string("/")), (#""a longer text of 31 characters""#, .string("a longer text of 31 characters")),
  // Arrays and objects
  ("[]", .array([])), ("[ ]", .array([])), ("[1 , 2]", .array([.integer(1), .integer(2)])),
  ("[[],[[]]]", .array([.array([]), .array([.array([])])])), ("{}", .object([])), ("{ }", .object([])),
  (#"{"":0}"#, .object([.init(name: "", value: .integer(0))])),
  (
    #"{ "a" : 1 , "b" : [ ] }"#,
    .object([.init(name: "a", value: .integer(1)), .init(name: "b", value: .array([]))])
  ),
  (#"{"a":1,"A":2}"#, .object([.init(name: "a", value: .integer(1)), .init(name: "A", value: .integer(2))])),
  (#"{"\u0061b":1}"#, .object([.init(name: "ab", value: .integer(1))])),
]

let accepted = acceptedTexts.map { Accepted(text: $0.0, value: $0.1) }

let refused: [Refused] = [
  // Nothing, and too much
  .init("", 0), .init(" ", 1), .init("1 2", 2), .init("null,", 4), .init("{}}", 2), .init("[]]", 2),
  .init("a", 0),
  .init("\u{FEFF}{}", 0), .init("//x\n1", 0), .init("/**/1", 0), .init("1 #", 2), .init("\0", 0),
  .init("1\0", 1),
  .init("\u{A0}1", 0), .init("\u{C}1", 0),
  // Literals
  .init("nul", 0), .init("nulL", 0), .init("True", 0), .init("truth", 0), .init("truee", 4), .init("NaN", 0),
  .init("Infinity", 0), .init("undefined", 0),
  // Numbers
  .init("-", 1), .init("+1", 0), .init("01", 1), .init("-01", 2), .init("1.", 2), .init(".5", 0),
  .init("1e", 2),
  .init("1e+", 3), .init("1.e1", 2), .init("-a", 1), .init("0x10", 1), .init("1_000", 1), .init("1,000", 1),
  .init("--1", 1), .init("-Infinity", 1), .init("1e400", 0), .init("[-1e999]", 1), .init("1.5.5", 3),
  .init("１", 0),
  // Strings
  .init("\"", 1), .init("\"abc", 4), .init("'a'", 0), .init("\"a\nb\"", 2), .init("\"\t\"", 1),
  .init("\"\0\"", 1),
  .init("\"\u{1F}\"", 1), .init(#""\x41""#, 2), .init(#""\'""#, 2), .init(#""\"#, 2), .init(#""\u"#, 3),
  .init(#""\u00g0""#, 5), .init(#""\u00""#, 5), .init(#""\U0041""#, 2), .init(#""\u+041""#, 3),
  .init(#""\a""#, 2), .init(#""\ud800""#, 7), .init(#""\udc00""#, 2), .init(#""\ud800\u0041""#, 8),
  .init(#""\ud800\ud800""#, 8), .init(#""\ud83dx""#, 7), .init(#""\ud83d\n""#, 8), .init(#"abc""#, 0),
  // UTF-8
  .init([0x22, 0xFF, 0x22] as [UInt8], 1), .init([0x22, 0x61, 0x80, 0x22] as [UInt8], 2),
  .init([0x22, 0xC3, 0x22] as [UInt8], 1),
  .init([0x22, 0xC0, 0xAF, 0x22] as [UInt8], 1), .init([0x22, 0xE0, 0x80, 0x80, 0x22] as [UInt8], 1),
  .init([0x22, 0xED, 0xA0, 0x80, 0x22] as [UInt8], 1),
  .init([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22] as [UInt8], 1),
  .init([0x22, 0x5C, 0x6E, 0xE2, 0x82, 0x22] as [UInt8], 3),
  .init([0x7B, 0x22, 0xFE, 0x22, 0x3A, 0x31, 0x7D] as [UInt8], 2),
  .init([0xFF, 0xFE, 0x31, 0x00] as [UInt8], 0), .init([0x5B, 0xE9, 0x5D] as [UInt8], 1),
  // Arrays
  .init("[", 1), .init("[1", 2), .init("[1,", 3), .init("[1,]", 3), .init("[,1]", 1), .init("[1 2]", 3),
  .init("[1,,2]", 3), .init("[1}", 2), .init("]", 0), .init("[a]", 1), .init("[1:2]", 2),
  // Objects
  .init("{", 1), .init("{1:2}", 1), .init("{a:1}", 1), .init("{'a':1}", 1), .init(#"{"a"}"#, 4),
  .init(#"{"a":}"#, 5), .init(#"{"a":1"#, 6), .init(#"{"a":1,}"#, 7), .init(#"{,"a":1}"#, 1),
  .init(#"{"a":1 "b":2}"#, 7), .init(#"{"a":1,"a":2}"#, 7), .init(#"{"a":1,"\u0061":2}"#, 7),
  .init(#"{"a"=1}"#, 4),
  .init(#"{"a":1;"b":2}"#, 6), .init(#"{"a":1]"#, 6), .init("}", 0), .init(#"{null:1}"#, 1),
  .init(#"{"a"::1}"#, 5),
  .init(#"{"x":{"a":1,"b":2,"a":3}}"#, 18), .init(#"{"a":1,,"b":2}"#, 7),
]
