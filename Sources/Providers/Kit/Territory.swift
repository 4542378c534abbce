/// A country or region with its numbering plan.
package struct Territory: Equatable {
  package let callingCode: String
  /// ISO 3166-1 alpha-2.
  package let iso2: String
  /// ISO 3166-1 alpha-3.
  package let iso3: String
  /// In English.
  package let name: String
  /// Number of digits after the calling code.
  package let lengths: ClosedRange<Int>
  /// Signed hours from UTC.
  package let offsets: (least: String, greatest: String)

  /// The territory of a number: `country` if it has the number's calling code, else the main territory of
  /// that code. Nil for an unknown calling code.
  package static func of(_ digits: String, in country: String?) -> Territory? {
    for length in 1...3 {
      guard let territories = byCode[String(digits.prefix(length))] else { continue }
      return territories.first { $0.iso2 == country } ?? territories.first
    }
    return nil
  }

  package static func named(_ iso2: String) -> Territory? {
    byCode.values.lazy.compactMap { $0.first { $0.iso2 == iso2 } }.first
  }

  package static func == (one: Territory, other: Territory) -> Bool {
    one.iso2 == other.iso2 && one.callingCode == other.callingCode
  }

  private static let byCode = Dictionary(
    grouping: territoryRows.split(separator: "\n").map(Territory.init(row:)), by: \.callingCode)

  private init(row: Substring) {
    let words = row.split(separator: " ", maxSplits: 7).map(String.init)
    guard words.count == 8, let fewest = Int(words[3]), let most = Int(words[4]) else {
      preconditionFailure("not a row of a territory: \(row)")
    }
    (callingCode, iso2, iso3, name) = (words[0], words[1], words[2], words[7])
    lengths = fewest...most
    offsets = (least: words[5], greatest: words[6])
  }
}

/// Columns: calling code, ISO 3166-1 alpha-2 and alpha-3, minimum and maximum number of digits after the
/// code, least and greatest offset from UTC in hours of standard time, name. The first territory of a calling
/// code is the main one.
///
/// Source: ITU-T E.164 (assigned codes) and the numbering plans, ISO 3166-1, the tz database of 2026; the
/// United States without Alaska and Hawaii.
private let territoryRows = """
  1 US USA 10 10 -8 -5 United States
  1 AG ATG 10 10 -4 -4 Antigua and Barbuda
  1 AI AIA 10 10 -4 -4 Anguilla
  1 AS ASM 10 10 -11 -11 American Samoa
  1 BB BRB 10 10 -4 -4 Barbados
  1 BM BMU 10 10 -4 -4 Bermuda
  1 BS BHS 10 10 -5 -5 Bahamas
  1 CA CAN 10 10 -8 -3.5 Canada
  1 DM DMA 10 10 -4 -4 Dominica
  1 DO DOM 10 10 -4 -4 Dominican Republic
  1 GD GRD 10 10 -4 -4 Grenada
  1 GU GUM 10 10 +10 +10 Guam
  1 JM JAM 10 10 -5 -5 Jamaica
  1 KN KNA 10 10 -4 -4 Saint Kitts and Nevis
  1 KY CYM 10 10 -5 -5 Cayman Islands
  1 LC LCA 10 10 -4 -4 Saint Lucia
  1 MP MNP 10 10 +10 +10 Northern Mariana Islands
  1 MS MSR 10 10 -4 -4 Montserrat
  1 PR PRI 10 10 -4 -4 Puerto Rico
  1 SX SXM 10 10 -4 -4 Sint Maarten
  1 TC TCA 10 10 -5 -5 Turks and Caicos Islands
  1 TT TTO 10 10 -4 -4 Trinidad and Tobago
  1 VC VCT 10 10 -4 -4 Saint Vincent and the Grenadines
  1 VG VGB 10 10 -4 -4 British Virgin Islands
  1 VI VIR 10 10 -4 -4 U.S. Virgin Islands
  7 RU RUS 10 14 +2 +12 Russia
  7 KZ KAZ 10 14 +5 +5 Kazakhstan
  20 EG EGY 8 10 +2 +2 Egypt
  27 ZA ZAF 5 10 +2 +2 South Africa
  30 GR GRC 10 12 +2 +2 Greece
  31 NL NLD 5 11 +1 +1 Netherlands
  32 BE BEL 8 9 +1 +1 Belgium
  33 FR FRA 9 9 +1 +1 France
  34 ES ESP 9 9 +0 +1 Spain
  36 HU HUN 8 9 +1 +1 Hungary
  39 IT ITA 6 12 +1 +1 Italy
  39 VA VAT 6 12 +1 +1 Vatican City
  40 RO ROU 6 9 +2 +2 Romania
  41 CH CHE 9 12 +1 +1 Switzerland
  43 AT AUT 4 13 +1 +1 Austria
  44 GB GBR 7 10 +0 +0 United Kingdom
  44 GG GGY 7 10 +0 +0 Guernsey
  44 IM IMN 10 10 +0 +0 Isle of Man
  44 JE JEY 10 10 +0 +0 Jersey
  45 DK DNK 8 8 +1 +1 Denmark
  46 SE SWE 6 12 +1 +1 Sweden
  47 NO NOR 5 8 +1 +1 Norway
  47 SJ SJM 5 8 +1 +1 Svalbard and Jan Mayen
  48 PL POL 6 10 +1 +1 Poland
  49 DE DEU 4 15 +1 +1 Germany
  51 PE PER 8 9 -5 -5 Peru
  52 MX MEX 10 10 -8 -5 Mexico
  53 CU CUB 6 10 -5 -5 Cuba
  54 AR ARG 10 11 -3 -3 Argentina
  55 BR BRA 8 11 -5 -2 Brazil
  56 CL CHL 9 11 -6 -3 Chile
  57 CO COL 8 11 -5 -5 Colombia
  58 VE VEN 10 10 -4 -4 Venezuela
  60 MY MYS 8 10 +8 +8 Malaysia
  61 AU AUS 5 12 +8 +10.5 Australia
  61 CC CCK 6 12 +6.5 +6.5 Cocos (Keeling) Islands
  61 CX CXR 6 12 +7 +7 Christmas Island
  62 ID IDN 7 17 +7 +9 Indonesia
  63 PH PHL 6 13 +8 +8 Philippines
  64 NZ NZL 5 10 +12 +12.75 New Zealand
  65 SG SGP 8 11 +8 +8 Singapore
  66 TH THA 8 13 +7 +7 Thailand
  81 JP JPN 8 17 +9 +9 Japan
  82 KR KOR 5 14 +9 +9 South Korea
  84 VN VNM 7 10 +7 +7 Vietnam
  86 CN CHN 7 12 +6 +8 China
  90 TR TUR 7 13 +3 +3 Türkiye
  91 IN IND 8 13 +5.5 +5.5 India
  92 PK PAK 8 12 +5 +5 Pakistan
  93 AF AFG 9 9 +4.5 +4.5 Afghanistan
  94 LK LKA 9 9 +5.5 +5.5 Sri Lanka
  95 MM MMR 6 10 +6.5 +6.5 Myanmar
  98 IR IRN 4 10 +3.5 +3.5 Iran
  211 SS SSD 9 9 +2 +2 South Sudan
  212 MA MAR 9 9 +1 +1 Morocco
  212 EH ESH 9 9 +1 +1 Western Sahara
  213 DZ DZA 8 9 +1 +1 Algeria
  216 TN TUN 8 8 +1 +1 Tunisia
  218 LY LBY 9 9 +2 +2 Libya
  220 GM GMB 7 9 +0 +0 Gambia
  221 SN SEN 9 9 +0 +0 Senegal
  222 MR MRT 8 8 +0 +0 Mauritania
  223 ML MLI 8 8 +0 +0 Mali
  224 GN GIN 8 9 +0 +0 Guinea
  225 CI CIV 10 10 +0 +0 Côte d'Ivoire
  226 BF BFA 8 8 +0 +0 Burkina Faso
  227 NE NER 8 8 +1 +1 Niger
  228 TG TGO 8 8 +0 +0 Togo
  229 BJ BEN 10 10 +1 +1 Benin
  230 MU MUS 7 10 +4 +4 Mauritius
  231 LR LBR 7 9 +0 +0 Liberia
  232 SL SLE 8 8 +0 +0 Sierra Leone
  233 GH GHA 8 9 +0 +0 Ghana
  234 NG NGA 10 14 +1 +1 Nigeria
  235 TD TCD 8 8 +1 +1 Chad
  236 CF CAF 8 8 +1 +1 Central African Republic
  237 CM CMR 8 9 +1 +1 Cameroon
  238 CV CPV 7 7 -1 -1 Cabo Verde
  239 ST STP 7 7 +0 +0 Sao Tome and Principe
  240 GQ GNQ 9 9 +1 +1 Equatorial Guinea
  241 GA GAB 7 8 +1 +1 Gabon
  242 CG COG 9 9 +1 +1 Congo
  243 CD COD 7 10 +1 +2 Congo (DRC)
  244 AO AGO 9 9 +1 +1 Angola
  245 GW GNB 7 9 +0 +0 Guinea-Bissau
  246 IO IOT 7 7 +6 +6 British Indian Ocean Territory
  248 SC SYC 7 7 +4 +4 Seychelles
  249 SD SDN 9 9 +2 +2 Sudan
  250 RW RWA 8 9 +2 +2 Rwanda
  251 ET ETH 9 9 +3 +3 Ethiopia
  252 SO SOM 6 9 +3 +3 Somalia
  253 DJ DJI 8 8 +3 +3 Djibouti
  254 KE KEN 7 10 +3 +3 Kenya
  255 TZ TZA 9 9 +3 +3 Tanzania
  256 UG UGA 9 9 +3 +3 Uganda
  257 BI BDI 8 8 +2 +2 Burundi
  258 MZ MOZ 8 9 +2 +2 Mozambique
  260 ZM ZMB 9 9 +2 +2 Zambia
  261 MG MDG 9 9 +3 +3 Madagascar
  262 RE REU 9 9 +4 +4 Réunion
  262 YT MYT 9 9 +3 +3 Mayotte
  263 ZW ZWE 7 10 +2 +2 Zimbabwe
  264 NA NAM 8 9 +2 +2 Namibia
  265 MW MWI 7 9 +2 +2 Malawi
  266 LS LSO 8 8 +2 +2 Lesotho
  267 BW BWA 7 10 +2 +2 Botswana
  268 SZ SWZ 8 9 +2 +2 Eswatini
  269 KM COM 7 7 +3 +3 Comoros
  290 SH SHN 4 5 +0 +0 Saint Helena
  291 ER ERI 7 7 +3 +3 Eritrea
  297 AW ABW 7 7 -4 -4 Aruba
  298 FO FRO 6 6 +0 +0 Faroe Islands
  299 GL GRL 6 6 -4 +0 Greenland
  350 GI GIB 8 8 +1 +1 Gibraltar
  351 PT PRT 9 9 -1 +0 Portugal
  352 LU LUX 4 11 +1 +1 Luxembourg
  353 IE IRL 7 10 +1 +1 Ireland
  354 IS ISL 7 9 +0 +0 Iceland
  355 AL ALB 6 9 +1 +1 Albania
  356 MT MLT 8 8 +1 +1 Malta
  357 CY CYP 8 8 +2 +2 Cyprus
  358 FI FIN 5 12 +2 +2 Finland
  358 AX ALA 5 12 +2 +2 Åland Islands
  359 BG BGR 6 12 +2 +2 Bulgaria
  370 LT LTU 8 8 +2 +2 Lithuania
  371 LV LVA 8 8 +2 +2 Latvia
  372 EE EST 7 10 +2 +2 Estonia
  373 MD MDA 8 8 +2 +2 Moldova
  374 AM ARM 8 8 +4 +4 Armenia
  375 BY BLR 6 11 +3 +3 Belarus
  376 AD AND 6 9 +1 +1 Andorra
  377 MC MCO 8 9 +1 +1 Monaco
  378 SM SMR 8 10 +1 +1 San Marino
  380 UA UKR 9 10 +2 +3 Ukraine
  381 RS SRB 6 12 +1 +1 Serbia
  382 ME MNE 8 9 +1 +1 Montenegro
  383 XK XKX 8 12 +1 +1 Kosovo
  385 HR HRV 7 9 +1 +1 Croatia
  386 SI SVN 5 8 +1 +1 Slovenia
  387 BA BIH 8 9 +1 +1 Bosnia and Herzegovina
  389 MK MKD 8 8 +1 +1 North Macedonia
  420 CZ CZE 9 12 +1 +1 Czechia
  421 SK SVK 6 9 +1 +1 Slovakia
  423 LI LIE 7 9 +1 +1 Liechtenstein
  500 FK FLK 5 5 -3 -3 Falkland Islands
  501 BZ BLZ 7 11 -6 -6 Belize
  502 GT GTM 8 11 -6 -6 Guatemala
  503 SV SLV 7 11 -6 -6 El Salvador
  504 HN HND 8 11 -6 -6 Honduras
  505 NI NIC 8 8 -6 -6 Nicaragua
  506 CR CRI 8 10 -6 -6 Costa Rica
  507 PA PAN 7 11 -5 -5 Panama
  508 PM SPM 6 9 -3 -3 Saint Pierre and Miquelon
  509 HT HTI 8 8 -5 -5 Haiti
  590 GP GLP 9 9 -4 -4 Guadeloupe
  590 BL BLM 9 9 -4 -4 Saint Barthélemy
  590 MF MAF 9 9 -4 -4 Saint Martin
  591 BO BOL 8 9 -4 -4 Bolivia
  592 GY GUY 7 7 -4 -4 Guyana
  593 EC ECU 8 11 -6 -5 Ecuador
  594 GF GUF 9 9 -3 -3 French Guiana
  595 PY PRY 6 11 -3 -3 Paraguay
  596 MQ MTQ 9 9 -4 -4 Martinique
  597 SR SUR 6 7 -3 -3 Suriname
  598 UY URY 4 13 -3 -3 Uruguay
  599 CW CUW 7 8 -4 -4 Curaçao
  599 BQ BES 7 7 -4 -4 Bonaire, Sint Eustatius and Saba
  670 TL TLS 7 8 +9 +9 Timor-Leste
  672 NF NFK 6 6 +11 +11 Norfolk Island
  673 BN BRN 7 7 +8 +8 Brunei
  674 NR NRU 7 7 +12 +12 Nauru
  675 PG PNG 7 8 +10 +11 Papua New Guinea
  676 TO TON 5 7 +13 +13 Tonga
  677 SB SLB 5 7 +11 +11 Solomon Islands
  678 VU VUT 5 7 +11 +11 Vanuatu
  679 FJ FJI 7 11 +12 +12 Fiji
  680 PW PLW 7 7 +9 +9 Palau
  681 WF WLF 6 9 +12 +12 Wallis and Futuna
  682 CK COK 5 5 -10 -10 Cook Islands
  683 NU NIU 4 7 -11 -11 Niue
  685 WS WSM 5 10 +13 +13 Samoa
  686 KI KIR 5 8 +12 +14 Kiribati
  687 NC NCL 6 6 +11 +11 New Caledonia
  688 TV TUV 5 7 +12 +12 Tuvalu
  689 PF PYF 6 9 -10 -9 French Polynesia
  690 TK TKL 4 7 +13 +13 Tokelau
  691 FM FSM 7 7 +10 +11 Micronesia
  692 MH MHL 7 7 +12 +12 Marshall Islands
  850 KP PRK 8 10 +9 +9 North Korea
  852 HK HKG 5 11 +8 +8 Hong Kong
  853 MO MAC 7 8 +8 +8 Macao
  855 KH KHM 8 10 +7 +7 Cambodia
  856 LA LAO 8 10 +7 +7 Laos
  880 BD BGD 6 10 +6 +6 Bangladesh
  886 TW TWN 7 11 +8 +8 Taiwan
  960 MV MDV 7 10 +5 +5 Maldives
  961 LB LBN 7 8 +2 +2 Lebanon
  962 JO JOR 8 9 +3 +3 Jordan
  963 SY SYR 8 9 +3 +3 Syria
  964 IQ IRQ 8 10 +3 +3 Iraq
  965 KW KWT 7 8 +3 +3 Kuwait
  966 SA SAU 9 10 +3 +3 Saudi Arabia
  967 YE YEM 7 9 +3 +3 Yemen
  968 OM OMN 7 9 +4 +4 Oman
  970 PS PSE 8 10 +2 +2 Palestine
  971 AE ARE 5 12 +4 +4 United Arab Emirates
  972 IL ISR 7 12 +2 +2 Israel
  973 BH BHR 8 8 +3 +3 Bahrain
  974 QA QAT 7 11 +3 +3 Qatar
  975 BT BTN 7 8 +6 +6 Bhutan
  976 MN MNG 8 10 +7 +8 Mongolia
  977 NP NPL 8 11 +5.75 +5.75 Nepal
  992 TJ TJK 9 9 +5 +5 Tajikistan
  993 TM TKM 8 8 +5 +5 Turkmenistan
  994 AZ AZE 9 9 +4 +4 Azerbaijan
  995 GE GEO 9 9 +4 +4 Georgia
  996 KG KGZ 9 10 +6 +6 Kyrgyzstan
  998 UZ UZB 9 9 +5 +5 Uzbekistan
  """
