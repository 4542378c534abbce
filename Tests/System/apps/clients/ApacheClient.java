import org.apache.http.client.methods.HttpGet;
import org.apache.http.impl.client.HttpClients;
import org.apache.http.util.EntityUtils;

/** Gets a URL with Apache HttpClient 4: its second argument is `default` or `system`. */
class ApacheClient {
    public static void main(String[] words) throws Exception {
        var client = words[1].equals("system") ? HttpClients.createSystem() : HttpClients.createDefault();
        System.out.print(EntityUtils.toString(client.execute(new HttpGet(words[0])).getEntity()));
    }
}
