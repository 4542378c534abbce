package enum DomainPlaceholder {}
