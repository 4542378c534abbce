import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** Gets a URL with a client of the JDK: its second argument is `HttpClient` or `HttpsURLConnection`. */
class BuiltInClient {
    public static void main(String[] words) throws Exception {
        if (words[1].equals("HttpClient")) {
            var request = HttpRequest.newBuilder(URI.create(words[0])).build();
            System.out.print(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body());
        } else {
            System.out.print(new String(new URL(words[0]).openStream().readAllBytes()));
        }
    }
}
