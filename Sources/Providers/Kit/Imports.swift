// Every file of a provider uses these.

@_exported public import Basics
@_exported public import Domain
@_exported public import HTTP
@_exported public import JSON
@_exported public import Numbers
@_exported public import Silent
