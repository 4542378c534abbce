// Every file of a provider uses these.

@_exported public import Domain
@_exported public import HTTP
@_exported public import JSON
