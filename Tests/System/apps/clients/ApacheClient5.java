import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.io.entity.EntityUtils;

/** Gets a URL with Apache HttpClient 5: its second argument is `default` or `system`. */
class ApacheClient5 {
    public static void main(String[] words) throws Exception {
        var client = words[1].equals("system") ? HttpClients.createSystem() : HttpClients.createDefault();
        client.execute(new HttpGet(words[0]), answer -> {
            System.out.print(EntityUtils.toString(answer.getEntity()));
            return null;
        });
    }
}
