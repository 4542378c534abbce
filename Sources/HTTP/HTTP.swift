package enum HTTPPlaceholder {}
