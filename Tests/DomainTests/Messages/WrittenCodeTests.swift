import Testing

@testable import Domain

@Suite("Domain · codes that an app wrote")
struct WrittenCodeTests {
  @Test(
    "a code is found as a person finds it",
    arguments: [
      ("Use code 002593.", "002593"), ("G-482913 is your code", "482913"), ("Your code: 123 456", "123456"),
      ("OTP 482913 for Shop 2024. Call +1 202 555 0199", "482913"), ("<#> 482913\nFA+9qCX9VSu", "482913"),
      ("Sign in\n@example.com #482913", "482913"), ("Tel (202) 555-0100 code 4567", "4567"),
      ("Code of localhost:8000: 4567", "4567"), ("Hi, 127.0.0.1:39555/a calling. 4567", "4567"),
      ("At app.test:8443, use 4567", "4567"), ("code:4567", "4567"), ("Acme.Code:4567", "4567"),
      ("OTP is 482913 … click https://x/y?code=99887766", "482913"), ("رمزك ٤٨٢٩١٣", "482913"),
      ("您的验证码为482913，5分钟内有效", "482913"), ("Dein Bestätigungscode lautet 4711, gültig bis 2030", "4711"),
    ])
  func codes(text: String, code: String) {
    #expect(WrittenCode(in: text, parties: ["+12025550100", "Acme"]).code == code)
  }

  @Test(
    "what is no code, or may be one of several, is none",
    arguments: [
      ("Order 48291, table 7734", ["48291", "7734"]), ("Your appointment is at 10:30", []), ("code 123", []),
      ("12345678901", []), ("Press 1 or 2", []), ("A1234B", []), ("Call +12025550199", []), ("", []),
      ("code 1111 or 2222 code", ["1111", "2222"]), ("Order 4711 395675", ["4711", "395675"]),
    ])
  func none(text: String, candidates: [String]) {
    let written = WrittenCode(in: text)

    #expect(written.code == nil)
    #expect(written.candidates == candidates)
  }

  @Test(
    "years, amounts, times and numbers of orders are no code beside one",
    arguments: [
      "Your Shop 2026 code is 742618. It is valid for 10 minutes.", "742618 is your Shop 2026 code",
      "Your Shop 2026 code 742618", "Your Studio 5432 code is 742618", "742618 - your Studio 5432 code",
      "Your Shop 2026 code:\n742618\nValid until 2027", "Your code is valid until 2027. 742618",
      "Use 742618 as your Shop 2026 code", "Your code for order 48291 is 742618",
      "Order no. 48291: your code is 742618", "Code: 742618, order: 48291", "742618 is your code. Room 1204",
      "742618 is your OTP for a payment of INR 5000 on the card ending in 4242", "Rs.1500 OTP 742618",
      "To pay 5000 with OTP, enter 742618", "Pay $1299.00 with code 742618",
      "PIN for parcel 20261129: 742618",
      "Your code expires in 3600 seconds: 742618", "Code valid on 29.11.2026: 742618",
      "Your code is 742618, reply STOP to 38383", "Shop 2026: your code is 742-618",
      "Your Shop 2026 code is 742 618.", "Your Shop 2026 code is 7-4-2-6-1-8",
      "Dein Code für Shop 2026 lautet 742618", "Bestellnummer 48291, Kennwort: 742618",
      "742618 ist dein Code für Studio 5432", "Tu código de Tienda 2026 es 742618",
      "Votre code Boutique 2026 est 742618", "O seu código da Loja 2026 é 742618",
      "Il codice Negozio 2026 è 742618", "Twój kod Sklep 2026 to 742618", "Váš kód Obchod 2026 je 742618",
      "Mağaza 2026 doğrulama kodunuz: 742618", "Ваш код Магазин 2026: 742618", "Заказ 48291, код 742618",
      "您的2026商城验证码是742618", "订单48291的验证码为742618", "2026ショップのコードは742618です",
      "주문번호 48291 인증번호는 742618입니다", "رمز متجر 2026 هو 742618", "קוד חנות 2026 הוא 742618",
      "Mã Shop 2026 của bạn là 742618", "Kode Toko 2026 adalah 742618", "Kauppa 2026 -koodisi on 742618",
      "Ο κωδικός Shop 2026 είναι 742618", "รหัส Shop 2026 ของคุณคือ 742618", "आपका Shop 2026 कोड 742618 है",
    ])
  func others(text: String) {
    #expect(WrittenCode(in: text).code == "742618")
  }

  @Test(
    "a code may look like a year", arguments: ["Your Shop 2026 code is 2031", "2031 is your Shop 2026 code"])
  func years(text: String) {
    #expect(WrittenCode(in: text).code == "2031")
  }

  @Test(
    "a code that a call says digit by digit counts once",
    arguments: [
      ("4. 8. 2. 9. 1. 3. Again: 4. 8. 2. 9. 1. 3.", "482913"),
      ("4\n8\n2\n9\n1\n3\n4\n8\n2\n9\n1\n3", "482913"),
      ("To hear your code, press 1.\n4. 8. 2. 9. 1. 3.\nAgain: 4. 8. 2. 9. 1. 3.", "482913"),
      ("Hello, your code is 1, 2, 3, 4, 5. Once again, your code is 1, 2, 3, 4, 5. Goodbye.", "12345"),
      ("code: 0-0-4-2", "0042"),
      (
        "https://a.test/en/intro.mp3\nhttps://a.test/4_middle.mp3\nhttps://a.test/8.mp3\nhttps://a.test/d-2.wav\n"
          + "https://a.test/9_falling.mp3?v=2", "4829"
      ),
      (String(repeating: "http://a/v1/4_middle.mp3\nhttp://a/7_falling.mp3\n", count: 6), "4747"),
    ])
  func spoken(text: String, code: String) {
    #expect(WrittenCode(in: text, isSpoken: true).code == code)
  }

  @Test("files with other names say no digit")
  func otherFiles() {
    let text = ["42.mp3", "x4.mp3", "4x.mp3", "hello.mp3"].map { "http://a.test/\($0)" }
    #expect(WrittenCode(in: text.joined(separator: "\n"), isSpoken: true).candidates == [])
    let written = ["4", "8", "2", "9"].map { "http://a.test/\($0).mp3" }.joined(separator: " ")
    #expect(WrittenCode(in: written).candidates == [])
  }

  @Test("of a template's variables the one that is a code as a whole is the code")
  func variables() {
    #expect(WrittenCode(of: ["482913", "10"]).code == "482913")
    #expect(WrittenCode(of: ["482913", "77341"]).code == nil)
  }
}
