import ProviderKit

/// A choice of a page's address, such as `?phones=list`, which the browser keeps for the next pages.
struct KeptChoice<Value: RawRepresentable<String>> {
  /// Nil if nobody has chosen, or something unknown.
  let value: Value?
  /// Makes the browser keep the choice; empty if the address has none.
  let cookie: Headers

  init(_ request: Request, _ field: String) throws {
    let asked = try request.query[field].flatMap(Value.init)
    value = asked ?? request.cookie(field).flatMap(Value.init)
    // The script fetches a page that is open again and again. Another page may have a later choice.
    let isOpened = request.headers["Accept"] != "*/*"
    cookie =
      asked.flatMap { isOpened ? $0 : nil }.map {
        ["Set-Cookie": "\(field)=\($0.rawValue); Path=/; Max-Age=31536000; SameSite=Strict"]
      } ?? [:]
  }
}
