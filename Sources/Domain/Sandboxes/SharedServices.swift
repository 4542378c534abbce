package import Database

/// What all sandboxes of the process share.
package struct SharedServices {
  package let database: Database
  let settings: Sandboxes.Settings
  let hooks: [ProviderHooks]
  let wakeups = Wakeups()
  let registry: SandboxRegistry
  let numberWarnings: NumberWarnings
  package let credentials: CredentialStore
  let workshopStore: WorkshopStore
  package let addresses = Addresses()
  let connections = Connections()
  let parsedKeys = ParsedKeys()

  init(database: Database, settings: Sandboxes.Settings, hooks: [ProviderHooks]) {
    self.database = database
    self.settings = settings
    self.hooks = hooks
    registry = SandboxRegistry(database: database)
    credentials = CredentialStore(database: database, registry: registry)
    workshopStore = WorkshopStore(database: database, registry: registry)
    numberWarnings = NumberWarnings(settings.numbers, warn: settings.warn)
  }
}
