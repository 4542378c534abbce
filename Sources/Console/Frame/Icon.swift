import Markup

/// A drawing of 20 by 20 units, in the colour of the text beside it.
enum Icon: String {
  case phones =
    "M6.5 2.5h7a1.5 1.5 0 0 1 1.5 1.5v12a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 5 16V4a1.5 1.5 0 0 1 1.5-1.5zM9 15h2"
  case timeline = "M3 5h9M3 10h13M3 15h7"
  case failures = "M10 3l7.5 13.5h-15zM10 8v4M10 14.2v.3"
  case connect =
    "M8.5 11.5a3.2 3.2 0 0 0 4.6 0l2.6-2.6a3.2 3.2 0 0 0-4.6-4.6L10 5.4M11.5 8.500a3.2 3.2 0 0 0-4.6 0l-2.6 2.600a3.2 3.2 0 0 0 4.6 4.6L10 14.6"
  case workshops =
    "M7.5 9.500a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.600zM2.5 16.500a5 5 0 0 1 10 0M13 4.200a2.8 2.8 0 0 1 0 5.200M14.5 12.300a5 5 0 0 1 3 4.2"
  case theme = "M10 3a7 7 0 1 0 0 14zM10 3a7 7 0 0 1 0 14"

  var html: HTML { Self.drawing(of: rawValue, class: "icon") }

  /// The product's mark.
  static let logo = svg(.init("viewBox", "0 0 32 32"), .init("aria-hidden", "true")) {
    svgCircle(
      .class("logo-ring"), .init("cx", "16"), .init("cy", "16"), .init("r", "13"),
      .init("stroke-dasharray", "9 4.6"))
    svgCircle(.class("logo-dot"), .init("cx", "16"), .init("cy", "16"), .init("r", "5"))
  }

  private static func drawing(of path: String, class name: String) -> HTML {
    svg(.class(name), .init("viewBox", "0 0 20 20"), .init("aria-hidden", "true")) {
      svgPath(.init("d", path))
    }
  }
}
