import ProviderKit

/// Documents of the provider's own hosts, which apps name as the `Url` of a call. The sandbox answers them
/// itself.
enum Twimlet {
  /// The document at an address of these hosts; nil for all others.
  static func document(at url: String) -> [UInt8]? {
    guard let scheme = url.firstRange(of: "://"),
      ["http", "https"].contains(url[..<scheme.lowerBound].lowercased())
    else { return nil }
    let rest = url[scheme.upperBound...].prefix { $0 != "#" }
    let host = rest.prefix { !"/?".contains($0) }.lowercased()
    let path = rest.drop { !"/?".contains($0) }.prefix { $0 != "?" }
    let query = rest.drop { $0 != "?" }.dropFirst()
    guard hosts.contains(host), let form = try? Form(parsing: Array(query.utf8)) else { return nil }
    return document(of: String(path), form)
  }

  static let hosts = ["twimlets.com", "www.twimlets.com", "demo.twilio.com"]

  /// Nil for a path without a document, or without its parameter.
  static func document(of path: String, _ query: Form) -> [UInt8]? {
    switch path {
    case "/echo": query.text("Twiml").map { Array(decodingAgain($0).utf8) }
    case "/message": message(query)
    case "/holdmusic": response("<Play>http://com.twilio.music.classical.s3.amazonaws.com/oldDog.mp3</Play>")
    case "/docs/voice.xml", "/welcome/voice", "/welcome/voice/":
      response("<Say>Thanks for trying our documentation. Enjoy!</Say>")
    default: nil
    }
  }

  /// Texts are said, and what URLs name is played.
  private static func message(_ query: Form) -> [UInt8]? {
    let names = Set(query.pairs.map(\.name).filter { $0 == "Message" || $0.hasPrefix("Message[") })
    let texts = names.sorted().flatMap { query.all($0) }.map(decodingAgain).filter { !$0.isEmpty }
    guard !texts.isEmpty else { return nil }
    return response(
      texts.map { text in
        let verb = text.hasPrefix("http://") || text.hasPrefix("https://") ? "Play" : "Say"
        return "<\(verb)>\(XMLElement.escaped(text))</\(verb)>"
      }.joined())
  }

  static func response(_ verbs: String) -> [UInt8] { Array("<Response>\(verbs)</Response>".utf8) }

  /// Some apps encode the value of a parameter twice.
  private static func decodingAgain(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")), !text.contains(where: { $0 == " " || $0 == "<" }) else {
      return text
    }
    return PercentCoding.decode(Array(text.utf8), plusIsSpace: true) ?? text
  }
}

extension XMLElement {
  /// A text as XML has it.
  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&#60;").replacing(">", with: "&#62;")
  }
}

/// The same documents for those who open their addresses.
func showTwimlet(_ request: Request, _ sandbox: Sandbox) throws -> Response {
  guard let document = Twimlet.document(of: request.target.path, try request.query) else {
    throw APIError.notFound(request.target.path).because("expected a parameter Twiml or Message in the query")
  }
  return Response(200, headers: ["Content-Type": "text/xml"], body: document)
}
