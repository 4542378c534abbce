import java.io.IOException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import javax.net.ssl.HttpsURLConnection;

/** Verifies a number at Twilio with Java's HttpsURLConnection. */
class JavaConnection {
    static final String SERVICE =
        "https://verify.twilio.com/v2/Services/" + System.getenv("TWILIO_VERIFY_SERVICE_SID");
    static final String ACCOUNT = System.getenv("TWILIO_ACCOUNT_SID") + ":" + System.getenv("TWILIO_AUTH_TOKEN");

    public static void main(String[] arguments) throws IOException {
        String to = "To=" + URLEncoder.encode("+12025550100", StandardCharsets.UTF_8);
        post("/Verifications", to + "&Channel=sms");
        String inbox = System.getenv("RINGFENCE_URL") + "/control/inbox/+12025550100/latest/code";
        String code = read(new URL(inbox).openConnection());
        String checked = post("/VerificationCheck", to + "&Code=" + code);

        System.out.println(checked.replaceAll(".*\"status\":\\s*\"([a-z]+)\".*", "$1"));
    }

    static String post(String path, String form) throws IOException {
        var connection = (HttpsURLConnection) new URL(SERVICE + path).openConnection();
        String account = Base64.getEncoder().encodeToString(ACCOUNT.getBytes(StandardCharsets.UTF_8));
        connection.setRequestProperty("Authorization", "Basic " + account);
        connection.setDoOutput(true);
        connection.getOutputStream().write(form.getBytes(StandardCharsets.UTF_8));
        return read(connection);
    }

    static String read(URLConnection connection) throws IOException {
        try (var answer = connection.getInputStream()) {
            return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
