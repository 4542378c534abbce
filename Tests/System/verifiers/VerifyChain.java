import java.io.FileInputStream;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** Prints "trusted" if Java trusts a server's chain: java VerifyChain.java STORE CHAIN. */
class VerifyChain {
  public static void main(String[] arguments) throws Exception {
    var store = KeyStore.getInstance("PKCS12");
    store.load(new FileInputStream(arguments[0]), "changeit".toCharArray());
    var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    var chain = CertificateFactory.getInstance("X.509").generateCertificates(new FileInputStream(arguments[1]));
    try {
      ((X509TrustManager) factory.getTrustManagers()[0])
          .checkServerTrusted(chain.toArray(new X509Certificate[0]), "ECDHE_ECDSA");
      System.out.println("trusted");
    } catch (CertificateException refusal) {
      System.out.println("refused: " + refusal.getMessage());
    }
  }
}
