package ringfence;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Constructor;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Gives each test that has a parameter of the type {@link Sandbox} a sandbox of its own: phone verification
 * without an account, cost or network. A parameter of {@code @BeforeAll} is another one, for the class. A test that
 * fails prints what happened in both.
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
public final class Ringfence implements ParameterResolver, AfterEachCallback, AfterAllCallback {
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

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    return parameter.getParameter().getType() == Sandbox.class;
  }

  @Override
  public Sandbox resolveParameter(ParameterContext parameter, ExtensionContext test) {
    if (parameter.getDeclaringExecutable() instanceof Constructor) {
      throw new ParameterResolutionException(
          "all tests of the class would share the Sandbox of a constructor: give it to the test, or to @BeforeEach");
    }
    try {
      return store(test).getOrComputeIfAbsent("sandbox", key -> create(test), Sandbox.class);
    } catch (RingfenceError error) {
      // Of any other error, JUnit's message begins with the names of parameter and method.
      throw new ParameterResolutionException(error.getMessage(), error);
    }
  }

  @Override
  public void afterEach(ExtensionContext test) { end(test); }

  @Override
  public void afterAll(ExtensionContext tests) { end(tests); }

  private static void end(ExtensionContext test) {
    if (test.getExecutionException().isPresent()) {
      for (var each = Optional.of(test); each.isPresent(); each = each.get().getParent()) {
        var sandbox = store(each.get()).get("sandbox", Sandbox.class);
        if (sandbox != null) {
          System.err.printf("What happened in the sandbox of %s:%n%s", name(each.get()), sandbox.summary());
        }
      }
    }
    var sandbox = store(test).remove("sandbox", Sandbox.class);
    if (sandbox != null) sandbox.close();
  }

  /** Named by the test, because a test also finds what its class has stored. */
  private static ExtensionContext.Store store(ExtensionContext test) {
    return test.getStore(ExtensionContext.Namespace.create(Ringfence.class, test.getUniqueId()));
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
    var ofClass = test.getRequiredTestClass().getSimpleName();
    return test.getTestMethod().isPresent() ? ofClass + "." + test.getDisplayName() : ofClass;
  }
}
