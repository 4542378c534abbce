/// An element's name. Called with attributes and content, it makes the element.
package struct Tag: Sendable {
  private let name: StaticString
  /// True for an element that has no content and no end tag, such as `input`.
  private let isVoid: Bool

  init(_ name: StaticString, isVoid: Bool = false) {
    self.name = name
    self.isVoid = isVoid
  }

  package func callAsFunction(
    _ attributes: Attribute..., @HTMLBuilder content: () -> HTML = { HTML() }
  ) -> HTML { self(attributes, content: content) }

  /// Code that could end its element is left out.
  fileprivate func verbatim(_ code: [UInt8]) -> HTML {
    var html = HTML()
    html.append("<")
    html.append(name)
    html.append(">")
    if !String(decoding: code, as: UTF8.self).contains("</") { html.append(verbatim: code) }
    html.append("</")
    html.append(name)
    html.append(">")
    return html
  }

  /// Of the tags of an element with their attributes, in bytes.
  private static let usualSize = 128

  package func callAsFunction(_ attributes: [Attribute], @HTMLBuilder content: () -> HTML) -> HTML {
    let inner = isVoid ? HTML() : content()
    var html = HTML(room: inner.bytes.count &+ Self.usualSize)
    html.append("<")
    html.append(name)
    for attribute in attributes { attribute.append(to: &html) }
    html.append(">")
    guard !isVoid else { return html }
    html.append(inner)
    html.append("</")
    html.append(name)
    html.append(">")
    return html
  }
}

/// A script or a stylesheet that is part of a document. Unlike all other text, it is not escaped, so it must
/// be a file of ours.
package struct OwnCode: Sendable {
  package let source: [UInt8]

  /// `resource`: a file that is built into the program.
  package init(resource: [UInt8]) { source = resource }

  package func html(in tag: Tag) -> HTML { tag.verbatim(source) }

  /// Of a file with markup.
  package var html: HTML {
    var html = HTML()
    html.append(verbatim: source)
    return html
  }
}

package let a = Tag("a")
package let article = Tag("article")
package let aside = Tag("aside")
package let body = Tag("body")
package let button = Tag("button")
package let code = Tag("code")
package let datalist = Tag("datalist")
package let dd = Tag("dd")
package let details = Tag("details")
package let dialog = Tag("dialog")
package let div = Tag("div")
package let dl = Tag("dl")
package let dt = Tag("dt")
package let em = Tag("em")
package let footer = Tag("footer")
package let form = Tag("form")
package let h1 = Tag("h1")
package let h2 = Tag("h2")
package let h3 = Tag("h3")
package let head = Tag("head")
package let header = Tag("header")
package let input = Tag("input", isVoid: true)
package let kbd = Tag("kbd")
package let label = Tag("label")
package let li = Tag("li")
package let link = Tag("link", isVoid: true)
package let main = Tag("main")
package let mark = Tag("mark")
package let meta = Tag("meta", isVoid: true)
package let nav = Tag("nav")
package let ol = Tag("ol")
package let option = Tag("option")
package let p = Tag("p")
package let pre = Tag("pre")
package let script = Tag("script")
package let section = Tag("section")
package let select = Tag("select")
package let small = Tag("small")
package let span = Tag("span")
package let style = Tag("style")
package let strong = Tag("strong")
package let summary = Tag("summary")
package let table = Tag("table")
package let template = Tag("template")
package let tbody = Tag("tbody")
package let td = Tag("td")
package let textArea = Tag("textarea")
package let th = Tag("th")
package let thead = Tag("thead")
package let time = Tag("time")
package let title = Tag("title")
package let tr = Tag("tr")
package let ul = Tag("ul")

// Elements of SVG, with names of their own where one word would be common in Swift

package let svg = Tag("svg")
package let svgCircle = Tag("circle")
package let svgGroup = Tag("g")
package let svgLine = Tag("line")
package let svgPath = Tag("path")
package let svgRectangle = Tag("rect")
package let svgText = Tag("text")
