/// A sandbox whose requests wait: for the end of a job, or for due work.
package struct SandboxIsBusy: Error {
  package let name: String

  package init(name: String) { self.name = name }
}

/// A sandbox was deleted or reset while an answer about it was sent.
package struct SandboxIsGone: Error {
  package init() {}
}
