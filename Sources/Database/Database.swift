package enum DatabasePlaceholder {}
