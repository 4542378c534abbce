package import ProviderKit

extension CAMARAProvider {
  package static let sdks = [
    SDK("camara-http", .curl, baseURL: "any HTTP client with $URL")
  ]
}
