/// A page of the console that plays the part of a provider's apps.
package struct ConsolePage {
  package let path: Pattern
  /// The name of its operation.
  package let name: String
  package let title: String
  /// A file of ours: HTML for the place of a page's content.
  package let content: [UInt8]
  /// Relative addresses of its style and its script, which the provider serves.
  package let files: (style: String, script: String)

  package init(
    _ path: Pattern, as name: String, title: String, content: [UInt8],
    files: (style: String, script: String)
  ) {
    (self.path, self.name, self.title, self.content, self.files) = (path, name, title, content, files)
  }
}
