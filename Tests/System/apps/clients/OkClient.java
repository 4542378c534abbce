import okhttp3.OkHttpClient;
import okhttp3.Request;

/** Gets a URL with OkHttp. */
class OkClient {
    public static void main(String[] words) throws Exception {
        var request = new Request.Builder().url(words[0]).build();
        System.out.print(new OkHttpClient().newCall(request).execute().body().string());
        System.exit(0);
    }
}
