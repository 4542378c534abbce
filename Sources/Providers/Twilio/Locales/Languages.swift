/// The provider's languages, by their tags; the wording is the sandbox's. Source: contract 20.
///
/// In messages, `{friendly_name}` is the name of the Service, and the code comes last. Languages without a
/// question are not spoken by the provider's calls; which they are is not in the contract.
extension Language {
  static let english = Language(
    "en", "Your {friendly_name} verification code is: ", ". Don't share this code with anyone.",
    "Please press any key to hear your code.")

  /// All of them, sorted by tag.
  static let all: [Language] = [
    Language(
      "af", "Jou {friendly_name}-verifikasiekode is: ", ". Moenie hierdie kode met enigiemand deel nie."),
    Language(
      "ar", "رمز التحقق الخاص بك من {friendly_name} هو: ", ". لا تشارك هذا الرمز مع أي شخص.",
      "يرجى الضغط على أي مفتاح لسماع الرمز."),
    Language(
      "ca", "El teu codi de verificació de {friendly_name} és: ", ". No comparteixis aquest codi amb ningú.",
      "Prem qualsevol tecla per escoltar el teu codi."),
    Language("cs", "Váš ověřovací kód pro {friendly_name} je: ", ". S nikým tento kód nesdílejte."),
    Language(
      "da", "Din bekræftelseskode til {friendly_name} er: ", ". Del ikke denne kode med nogen.",
      "Tryk på en vilkårlig tast for at høre din kode."),
    Language(
      "de", "Ihr {friendly_name}-Bestätigungscode lautet: ",
      ". Geben Sie diesen Code an niemanden weiter.",
      "Drücken Sie eine beliebige Taste, um Ihren Code zu hören."),
    Language(
      "el", "Ο κωδικός επαλήθευσης {friendly_name} είναι: ",
      ". Μην κοινοποιήσετε αυτόν τον κωδικό σε κανέναν."),
    .english,
    Language("en-GB", like: .english),
    Language(
      "es", "Tu código de verificación de {friendly_name} es: ", ". No compartas este código con nadie.",
      "Pulsa cualquier tecla para oír tu código."),
    Language("et", "Teie {friendly_name} kinnituskood on: ", ". Ärge jagage seda koodi kellegagi."),
    Language(
      "fi", "{friendly_name}-vahvistuskoodisi on: ", ". Älä jaa tätä koodia kenellekään.",
      "Kuule koodisi painamalla mitä tahansa näppäintä."),
    Language(
      "fr", "Votre code de vérification {friendly_name} est : ", ". Ne communiquez ce code à personne.",
      "Appuyez sur n'importe quelle touche pour entendre votre code."),
    Language("he", "קוד האימות שלך עבור {friendly_name} הוא: ", ". אין לשתף את הקוד הזה עם אף אחד."),
    Language(
      "hi", "आपका {friendly_name} सत्यापन कोड है: ", "। इस कोड को किसी के साथ साझा न करें।",
      "अपना कोड सुनने के लिए कोई भी बटन दबाएँ।"),
    Language("hr", "Vaš kôd za potvrdu za {friendly_name} je: ", ". Ne dijelite ovaj kôd ni s kim."),
    Language("hu", "Az Ön {friendly_name} ellenőrző kódja: ", ". Ne ossza meg ezt a kódot senkivel."),
    Language(
      "id", "Kode verifikasi {friendly_name} Anda adalah: ", ". Jangan bagikan kode ini kepada siapa pun."),
    Language(
      "it", "Il tuo codice di verifica {friendly_name} è: ", ". Non condividere questo codice con nessuno.",
      "Premi un tasto qualsiasi per ascoltare il tuo codice."),
    Language(
      "ja", "{friendly_name} の認証コード：", "。このコードを誰にも教えないでください。",
      "コードを聞くには、いずれかのキーを押してください。"),
    Language("kn", "ನಿಮ್ಮ {friendly_name} ಪರಿಶೀಲನಾ ಕೋಡ್: ", ". ಈ ಕೋಡ್ ಅನ್ನು ಯಾರೊಂದಿಗೂ ಹಂಚಿಕೊಳ್ಳಬೇಡಿ."),
    Language(
      "ko", "{friendly_name} 인증 코드: ", ". 이 코드를 다른 사람과 공유하지 마세요.",
      "코드를 들으려면 아무 키나 누르세요."),
    Language("lt", "Jūsų „{friendly_name}“ patvirtinimo kodas: ", ". Niekam neatskleiskite šio kodo."),
    Language("mr", "तुमचा {friendly_name} पडताळणी कोड आहे: ", ". हा कोड कोणासोबतही शेअर करू नका."),
    Language(
      "ms", "Kod pengesahan {friendly_name} anda ialah: ", ". Jangan kongsi kod ini dengan sesiapa."),
    Language(
      "nb", "Din bekreftelseskode for {friendly_name} er: ", ". Ikke del denne koden med noen.",
      "Trykk på en tast for å høre koden din."),
    Language(
      "nl", "Je verificatiecode voor {friendly_name} is: ", ". Deel deze code met niemand.",
      "Druk op een willekeurige toets om je code te horen."),
    Language(
      "pl", "Twój kod weryfikacyjny {friendly_name} to: ", ". Nie udostępniaj nikomu tego kodu.",
      "Naciśnij dowolny klawisz, aby usłyszeć swój kod."),
    Language(
      "pt", "O seu código de verificação {friendly_name} é: ", ". Não partilhe este código com ninguém.",
      "Prima qualquer tecla para ouvir o seu código."),
    Language(
      "pt-BR", "Seu código de verificação {friendly_name} é: ",
      ". Não compartilhe este código com ninguém.", "Pressione qualquer tecla para ouvir seu código."),
    Language(
      "ro", "Codul dvs. de verificare {friendly_name} este: ", ". Nu comunicați acest cod nimănui.",
      "Apăsați orice tastă pentru a auzi codul."),
    Language(
      "ru", "Ваш код подтверждения {friendly_name}: ", ". Никому не сообщайте этот код.",
      "Нажмите любую клавишу, чтобы услышать код."),
    Language("sk", "Váš overovací kód pre {friendly_name} je: ", ". Tento kód s nikým nezdieľajte."),
    Language(
      "sv", "Din verifieringskod för {friendly_name} är: ", ". Dela inte den här koden med någon.",
      "Tryck på valfri tangent för att höra din kod."),
    Language("te", "మీ {friendly_name} ధృవీకరణ కోడ్: ", ". ఈ కోడ్‌ను ఎవరితోనూ పంచుకోవద్దు."),
    Language("th", "รหัสยืนยัน {friendly_name} ของคุณคือ: ", " โปรดอย่าแชร์รหัสนี้กับผู้ใด"),
    Language(
      "tl", "Ang iyong {friendly_name} verification code ay: ",
      ". Huwag ibahagi ang code na ito kaninuman."),
    Language(
      "tr", "{friendly_name} doğrulama kodunuz: ", ". Bu kodu kimseyle paylaşmayın.",
      "Kodunuzu duymak için herhangi bir tuşa basın."),
    Language("uk", "Ваш код підтвердження {friendly_name}: ", ". Нікому не повідомляйте цей код."),
    Language("vi", "Mã xác minh {friendly_name} của bạn là: ", ". Không chia sẻ mã này với bất kỳ ai."),
    Language("zh", like: .mandarin),
    .mandarin,
    Language(
      "zh-HK", "您的 {friendly_name} 驗證碼是：", "。請勿與任何人分享此驗證碼。", "請按任意鍵收聽您的驗證碼。"),
  ]

  private static let mandarin = Language(
    "zh-CN", "您的 {friendly_name} 验证码是：", "。请勿与任何人分享此验证码。", "请按任意键收听您的验证码。")
}
