package enum ProvidersPlaceholder {}
