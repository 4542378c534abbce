package import ProviderKit

extension CAMARAProvider {
  /// Source: contract 15.
  package static let sdks = [
    SDK("network-as-code", .python, baseURL: "NetworkAsCodeApi(base_url=\"$URL/camara\", api_key=SECRET)"),
    SDK("opengateway-sandbox", .python, baseURL: nil),
    SDK("glide-sdk", .python, baseURL: "GLIDE_AUTH_BASE_URL=$URL/camara; GLIDE_API_BASE_URL=$URL/camara"),
  ]
}
