package enum ServerPlaceholder {}
