/// Numbers of a text that say by what stands beside them that they are no code, such as those of orders.
extension CodeReader {
  func isSomethingElse(_ candidate: Candidate) -> Bool { isYear(candidate) || isNumberOfOther(candidate) }

  /// 1900 to 2099, which may be a code all the same.
  func isYear(_ candidate: Candidate) -> Bool {
    candidate.code.utf8.count == 4 && (candidate.code.hasPrefix("19") || candidate.code.hasPrefix("20"))
  }

  /// An amount, a time, part of a date, the end of a card's number, or the number of an order and the like.
  func isNumberOfOther(_ candidate: Candidate) -> Bool {
    let range = candidate.range
    return isJoined(at: range.lowerBound - 1, to: range.lowerBound - 2)
      || isJoined(at: range.upperBound, to: range.upperBound + 1) || isAmount(range) || isMeasured(range)
      || isLabelled(range)
  }

  private func scalar(_ place: Int) -> Unicode.Scalar? {
    scalars.indices.contains(place) ? scalars[place] : nil
  }

  /// `1299.00`, `29.11.2026`, `11/2026`, `**** 4242` without its space.
  private func isJoined(at mark: Int, to other: Int) -> Bool {
    guard let sign = scalar(mark) else { return false }
    if sign == "*" || sign == "•" { return true }
    return (sign == "." || sign == "," || sign == "/" || sign == ":") && scalar(other)?.isPlainDigit == true
  }

  private func isAmount(_ range: Range<Int>) -> Bool {
    let before = scalar(range.lowerBound - 1)?.isSpace == true ? range.lowerBound - 2 : range.lowerBound - 1
    let after = scalar(range.upperBound)?.isSpace == true ? range.upperBound + 1 : range.upperBound
    if [before, after].contains(where: { scalar($0)?.properties.generalCategory == .currencySymbol }) {
      return true
    }
    // `Rs.1500`
    let word = scalar(before) == "." ? before - 1 : before
    return [self.word(endingAt: word), self.word(startingAt: after)].contains { word in
      word.map { Self.currencies.contains(text($0).lowercased()) } ?? false
    }
  }

  /// `3600 seconds`
  private func isMeasured(_ range: Range<Int>) -> Bool {
    let start = scalar(range.upperBound)?.isSpace == true ? range.upperBound + 1 : range.upperBound
    guard let word = word(startingAt: start) else { return false }
    let unit = text(word).lowercased()
    return Self.shortUnits.contains(unit) || Self.units.contains { unit.hasPrefix($0) }
  }

  /// `order 48291`, `Order no. 48291`, `Bestellnummer: 48291`, `card ending in 4242`
  private func isLabelled(_ range: Range<Int>) -> Bool {
    var place = range.lowerBound
    for isFirst in [true, false] {
      var endsSentence = false
      place -= 1
      while let sign = scalar(place), sign != "\n", sign.isSpace || Self.signs.contains(sign) {
        endsSentence = endsSentence || sign == "." && self.endsSentence(place)
        place -= 1
      }
      guard let word = word(endingAt: place) else { return false }
      let label = text(word).lowercased()
      let isNumber = Self.numbers.contains(label)
      if endsSentence, !isNumber { return false }
      if isNamed(label, isOfWords: scalars[place].isLetterOfWord) { return true }
      guard isFirst, isNumber else { return false }
      place = word.lowerBound
    }
    return false
  }

  private func isNamed(_ label: String, isOfWords: Bool) -> Bool {
    guard isOfWords else { return Self.joinedLabels.contains { label.hasSuffix($0) } }
    return Self.labels.contains { label.hasPrefix($0) } || label.hasSuffix("nummer") && label.utf8.count > 6
  }

  private static let signs: Set<Unicode.Scalar> = [":", "#", "(", ".", "-", "№", "º", "°", "\"", "'"]

  /// Words between a label and its number.
  private static let numbers: Set<String> = [
    "no", "nr", "number", "nummer", "num", "núm", "número", "numero", "numéro", "n", "id", "numarası",
    "numer", "číslo",
    "номер", "in", "auf", "mit", "en", "par", "with", "hàng",
  ]

  /// The starts of words that have a number.
  private static let labels = [
    "order", "invoice", "ticket", "booking", "reserv", "réserv", "referen", "référen", "account", "card",
    "customer",
    "room", "table", "gate", "flight", "parcel", "shipment", "tracking", "transa", "txn", "policy",
    "contract",
    "ending", "ends", "pay", "amount", "total", "balance", "version", "model", "bestell", "auftrag",
    "rechnung",
    "buchung", "konto", "karte", "kunde", "tisch", "zimmer", "sendung", "flug", "endet", "betrag", "zahl",
    "pedido",
    "orden", "factur", "cuenta", "tarjeta", "mesa", "habitación", "terminad", "importe", "saldo", "fatura",
    "conta",
    "cartão", "commande", "compte", "carte", "chambre", "montant", "terminant", "ordine", "ordre", "fattur",
    "conto",
    "carta", "prenotazion", "zamówieni", "objedn", "tilau", "sipariş", "заказ", "счет", "счёт", "карт",
    "comand",
    "παραγγελ", "طلب", "الطلب", "הזמנ", "ऑर्डर", "đơn", "pesanan",
  ]
  private static let joinedLabels = ["订单", "訂單", "订单号", "訂單編號", "注文", "注文番号", "주문", "주문번호", "คำสั่งซื้อ"]

  private static let currencies: Set<String> = [
    "eur", "euro", "euros", "usd", "dollar", "dollars", "gbp", "pounds", "inr", "rs", "chf", "pln", "zł",
    "kr", "sek",
    "nok", "dkk", "tl", "rub", "руб", "рублей", "jpy", "vnd", "idr", "rp", "brl", "mxn", "aud", "cad",
  ]
  private static let shortUnits: Set<String> = [
    "min", "mins", "sec", "secs", "hrs", "uhr", "points", "punkte", "puntos",
  ]
  /// The starts of words for times, and in scripts without spaces for amounts.
  private static let units = [
    "minut", "second", "segund", "sekund", "hour", "stund", "hora", "heure", "days", "tage", "días", "jours",
    "giorni",
    "минут", "секунд", "часо", "дней", "dakika", "saniye", "phút", "giây", "menit", "detik", "分钟", "分鐘", "分間",
    "秒", "年", "月", "日", "元", "円", "분간", "초", "년", "원",
  ]
}
