import com.sun.source.util.JavacTask;
import java.nio.file.Path;
import java.util.List;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/** Reads a Java file without what it imports: says what is wrong with its syntax, and fails then. */
class Parse {
    public static void main(String[] files) throws Exception {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var found = new DiagnosticCollector<JavaFileObject>();
        var sources = compiler.getStandardFileManager(found, null, null).getJavaFileObjects(Path.of(files[0]));
        ((JavacTask) compiler.getTask(null, null, found, List.of(), null, sources)).parse();
        found.getDiagnostics().forEach(System.err::println);
        System.exit(found.getDiagnostics().isEmpty() ? 0 : 1);
    }
}
