package ringfence;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON as maps, lists, strings, numbers, Booleans and null. Members that are null are left out. */
final class JSON {
  private final String text;
  private int place;

  private JSON(String text) { this.text = text; }

  static Object parse(String text) { return new JSON(text).value(); }

  static String text(Object value) {
    if (value instanceof Map<?, ?> members) {
      var parts = new ArrayList<String>();
      members.forEach((name, member) -> parts.add(text(name) + ":" + text(member)));
      return "{" + String.join(",", parts) + "}";
    }
    if (value instanceof List<?> items) return "[" + String.join(",", items.stream().map(JSON::text).toList()) + "]";
    if (!(value instanceof String string)) return String.valueOf(value);
    var quoted = new StringBuilder("\"");
    for (char each : string.toCharArray()) {
      if (each < 0x20 || each == '"' || each == '\\') quoted.append(String.format("\\u%04x", (int) each));
      else quoted.append(each);
    }
    return quoted.append('"').toString();
  }

  private Object value() {
    switch (next()) {
      case '{': return object();
      case '[': return array();
      case '"': return string();
      default:
        int start = place - 1;
        while (place < text.length() && ",]} \n".indexOf(text.charAt(place)) < 0) place++;
        var word = text.substring(start, place);
        return switch (word) {
          case "null" -> null;
          case "true", "false" -> Boolean.valueOf(word);
          default -> word.matches("-?\\d+") ? (Object) Long.valueOf(word) : Double.valueOf(word);
        };
    }
  }

  private Map<String, Object> object() {
    var members = new LinkedHashMap<String, Object>();
    for (char sign = next(); sign != '}'; sign = next()) {
      if (sign == ',') next();
      var name = string();
      next();
      var value = value();
      if (value != null) members.put(name, value);
    }
    return members;
  }

  private List<Object> array() {
    var items = new ArrayList<Object>();
    for (char sign = next(); sign != ']'; sign = next()) {
      if (sign != ',') place--;
      items.add(value());
    }
    return items;
  }

  /** After its first quotation mark. */
  private String string() {
    var read = new StringBuilder();
    for (char each = text.charAt(place++); each != '"'; each = text.charAt(place++)) {
      if (each != '\\') {
        read.append(each);
        continue;
      }
      char escaped = text.charAt(place++);
      int plain = "bfnrt".indexOf(escaped);
      if (escaped == 'u') {
        read.append((char) Integer.parseInt(text.substring(place, place += 4), 16));
      } else {
        read.append(plain < 0 ? escaped : "\b\f\n\r\t".charAt(plain));
      }
    }
    return read.toString();
  }

  /** The next character that is no space. */
  private char next() {
    while (Character.isWhitespace(text.charAt(place))) place++;
    return text.charAt(place++);
  }
}
