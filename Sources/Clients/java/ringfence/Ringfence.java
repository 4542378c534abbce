package ringfence;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Gives each test that has a parameter of the type {@link Sandbox} a sandbox of its own: phone verification
 * without an account, cost or network. A test that fails prints what happened in it.
 *
 * <pre>
 * &#64;ExtendWith(Ringfence.class)
 * class SignInTest {
 *   &#64;Test
 *   void aCodeSignsIn(Sandbox sandbox) {
 *     var app = new SignIn(sandbox.env());
 *     app.send("+12025550100");
 *     assertEquals("approved", app.confirm("+12025550100", sandbox.code("+12025550100")));
 *   }
 * }
 * </pre>
 */
public final class Ringfence implements ParameterResolver, AfterEachCallback {
  /** How the sandbox of a test, or of each test of a class, is created. */
  @Retention(RetentionPolicy.RUNTIME)
  public @interface Options {
    /** A time such as 2026-01-05T10:20:30Z, at which its clock is frozen. */
    String clock() default "";

    /** The random seed: with the same one, the codes are the same. */
    int seed() default 0;

    /** The names of its initial data; "*" stands for the server's. */
    String[] seeds() default {"*"};
  }

  private static final ExtensionContext.Namespace OWN = ExtensionContext.Namespace.create(Ringfence.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    return parameter.getParameter().getType() == Sandbox.class;
  }

  @Override
  public Sandbox resolveParameter(ParameterContext parameter, ExtensionContext test) {
    return test.getStore(OWN).getOrComputeIfAbsent("sandbox", key -> create(test), Sandbox.class);
  }

  @Override
  public void afterEach(ExtensionContext test) {
    var sandbox = test.getStore(OWN).remove("sandbox", Sandbox.class);
    if (sandbox == null) return;
    if (test.getExecutionException().isPresent()) {
      System.err.printf("What happened in the sandbox of %s:%n%s", name(test), sandbox.summary());
    }
    sandbox.close();
  }

  private static Sandbox create(ExtensionContext test) {
    var body = new TreeMap<String, Object>();
    Optional<Options> ofMethod = AnnotationSupport.findAnnotation(test.getTestMethod(), Options.class);
    ofMethod.or(() -> AnnotationSupport.findAnnotation(test.getTestClass(), Options.class)).ifPresent(options -> {
      if (!options.clock().isEmpty()) body.put("clock", options.clock());
      if (options.seed() != 0) body.put("entropySeed", options.seed());
      var seeds = List.of(options.seeds());
      if (!seeds.equals(List.of("*"))) body.put("seeds", seeds);
    });
    var sandbox = new Sandbox(body);
    var name = name(test);
    sandbox.control("POST", "tests", Map.of("name", name.substring(0, Math.min(300, name.length()))));
    return sandbox;
  }

  private static String name(ExtensionContext test) {
    return test.getRequiredTestClass().getSimpleName() + "." + test.getDisplayName();
  }
}
