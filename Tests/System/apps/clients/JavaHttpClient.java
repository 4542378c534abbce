import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** Verifies a number at Prelude with Java's HttpClient. */
class JavaHttpClient {
    static final String TARGET = "\"target\":{\"type\":\"phone_number\",\"value\":\"+33639980001\"}";
    static final HttpClient CLIENT = HttpClient.newHttpClient();

    public static void main(String[] arguments) throws Exception {
        post("/verification", "{" + TARGET + "}");
        String inbox = System.getenv("RINGFENCE_URL") + "/control/inbox/+33639980001/latest/code";
        String code = send(HttpRequest.newBuilder(URI.create(inbox)));
        String checked = post("/verification/check", "{" + TARGET + ",\"code\":\"" + code + "\"}");

        System.out.println(checked.replaceAll(".*\"status\":\\s*\"([a-z]+)\".*", "$1"));
    }

    static String post(String path, String body) throws Exception {
        return send(HttpRequest.newBuilder(URI.create("https://api.prelude.dev/v2" + path))
            .header("Authorization", "Bearer " + System.getenv("API_TOKEN"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    static String send(HttpRequest.Builder request) throws Exception {
        return CLIENT.send(request.build(), BodyHandlers.ofString()).body();
    }
}
