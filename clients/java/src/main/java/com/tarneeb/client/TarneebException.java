package com.tarneeb.client;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import com.tarneeb.v1.ErrorReason;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A call that failed; without details from the service, only code and message say how. */
public final class TarneebException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final String DOMAIN = "tarneeb.v1.TarneebService";
  private static final Metadata.Key<byte[]> DETAILS =
      Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

  /**
   * One thing that is wrong with a request.
   *
   * @param path of the field, as {@code game.hand.dealt[2]}
   * @param reason as {@code MISSING}
   * @param message a sentence in English
   */
  public record Violation(String path, String reason, String message) implements java.io.Serializable {}

  private final Status.Code code;
  private final String text;
  private ErrorReason reason = ErrorReason.ERROR_REASON_UNSPECIFIED;
  private final HashMap<String, String> metadata = new HashMap<>();
  private final ArrayList<Violation> violations = new ArrayList<>();
  private Duration retryAfter;

  TarneebException(StatusRuntimeException failed) {
    super(failed.getStatus().getCode() + ": " + failed.getStatus().getDescription(), failed);
    code = failed.getStatus().getCode();
    text = failed.getStatus().getDescription() == null ? "" : failed.getStatus().getDescription();
    Metadata trailers = failed.getTrailers();
    byte[] details = trailers == null ? null : trailers.get(DETAILS);
    if (details != null) {
      read(details);
    }
  }

  private void read(byte[] details) {
    try {
      for (Any detail : com.google.rpc.Status.parseFrom(details).getDetailsList()) {
        if (detail.is(ErrorInfo.class)) {
          read(detail.unpack(ErrorInfo.class));
        } else if (detail.is(BadRequest.class)) {
          detail.unpack(BadRequest.class).getFieldViolationsList().stream()
              .map(each -> new Violation(each.getField(), each.getReason(), each.getDescription()))
              .forEach(violations::add);
        } else if (detail.is(RetryInfo.class)) {
          var delay = detail.unpack(RetryInfo.class).getRetryDelay();
          retryAfter = Duration.ofSeconds(delay.getSeconds(), delay.getNanos());
        }
      }
    } catch (InvalidProtocolBufferException error) {
      // Something between us and the service put it there; code and message stand.
      addSuppressed(error);
    }
  }

  private void read(ErrorInfo info) {
    if (!info.getDomain().equals(DOMAIN)) {
      return;
    }
    metadata.putAll(info.getMetadataMap());
    try {
      reason = ErrorReason.valueOf("ERROR_REASON_" + info.getReason());
    } catch (IllegalArgumentException newer) {
      reason = ErrorReason.ERROR_REASON_UNSPECIFIED;
    }
  }

  /** The status code. */
  public Status.Code code() {
    return code;
  }

  /** What the status says, in English. */
  public String text() {
    return text;
  }

  /** Why; unspecified where the service did not say, or says what these stubs do not know. */
  public ErrorReason reason() {
    return reason;
  }

  /** The reason without its prefix, as {@code INVALID_REQUEST}. */
  public String reasonName() {
    return reason.name().substring("ERROR_REASON_".length());
  }

  /** Further facts by name. */
  public Map<String, String> metadata() {
    return Collections.unmodifiableMap(metadata);
  }

  /** The first 32 things that are wrong with the request. */
  public List<Violation> violations() {
    return Collections.unmodifiableList(violations);
  }

  /** How many there are in all. */
  public int problems() {
    return Integer.parseInt(metadata.getOrDefault("problems", "0"));
  }

  /** When to try again; null where the service does not say. */
  public Duration retryAfter() {
    return retryAfter;
  }
}
