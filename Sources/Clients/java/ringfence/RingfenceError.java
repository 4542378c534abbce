package ringfence;

/** The message says what was wrong, what was expected, and the nearest name. */
public final class RingfenceError extends RuntimeException {
  RingfenceError(String message) { super(message); }
}
