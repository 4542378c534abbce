import ArgumentParser
import Catalog
import Control
import ProviderKit

/// Sets of names that shells can complete.
extension CompletionKind {
  static var providers: CompletionKind { .list(providerNames) }

  static var outcomes: CompletionKind { .list(Outcomes.names) }

  static var failures: CompletionKind { .list(FailureGroup.all.flatMap { $0.failures.map(\.id) }) }

  static var flows: CompletionKind { .list(FailureGroup.Flow.allCases.map(\.rawValue)) }
}

let providerNames = catalog.map { $0.name }
