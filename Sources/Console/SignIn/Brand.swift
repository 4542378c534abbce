import Markup

/// The product's mark and name, on pages without a rail.
enum Brand {
  static let html = p(.class("brand")) {
    Icon.logo
    span { "Ringfence" }
  }
}
