package com.tarneeb.client;

import com.tarneeb.v1.ApplyMoveRequest;
import com.tarneeb.v1.ApplyMoveResponse;
import com.tarneeb.v1.CommitDealRequest;
import com.tarneeb.v1.CommitDealResponse;
import com.tarneeb.v1.CreateGameRequest;
import com.tarneeb.v1.CreateGameResponse;
import com.tarneeb.v1.DealHandRequest;
import com.tarneeb.v1.DealHandResponse;
import com.tarneeb.v1.ListLegalMovesRequest;
import com.tarneeb.v1.ListLegalMovesResponse;
import com.tarneeb.v1.ListRuleSetsRequest;
import com.tarneeb.v1.ListRuleSetsResponse;
import com.tarneeb.v1.ReplayGameRequest;
import com.tarneeb.v1.ReplayGameResponse;
import com.tarneeb.v1.ResolveRuleSetRequest;
import com.tarneeb.v1.ResolveRuleSetResponse;
import com.tarneeb.v1.ScoreHandRequest;
import com.tarneeb.v1.ScoreHandResponse;
import com.tarneeb.v1.TarneebServiceGrpc;
import com.tarneeb.v1.UndoMoveRequest;
import com.tarneeb.v1.UndoMoveResponse;
import com.tarneeb.v1.ValidateGameRequest;
import com.tarneeb.v1.ValidateGameResponse;
import com.tarneeb.v1.ValidateMoveRequest;
import com.tarneeb.v1.ValidateMoveResponse;
import com.tarneeb.v1.ValidateMovesRequest;
import com.tarneeb.v1.ValidateMovesResponse;
import com.tarneeb.v1.VerifyDealRequest;
import com.tarneeb.v1.VerifyDealResponse;
import com.tarneeb.v1.ViewGameRequest;
import com.tarneeb.v1.ViewGameResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A channel to the service, kept until {@link #close}: one for the whole program, shared between threads.
 *
 * <p>The methods are those of {@code tarneeb.v1.TarneebService}. A call that fails throws {@link TarneebException}.
 */
public final class TarneebClient implements AutoCloseable {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final ManagedChannel channel;
  private final Channel intercepted;
  private final Options options;

  /** Opens a channel to {@code host:port}; nothing is sent yet. */
  public TarneebClient(String target) {
    this(target, new Options());
  }

  /** Opens a channel to {@code host:port}, or to a target with a scheme; nothing is sent yet. */
  public TarneebClient(String target, Options options) {
    this.options = options;
    channel =
        Grpc.newChannelBuilder(full(target), options.credentials())
            .defaultServiceConfig(options.serviceConfig())
            // Neither DNS nor anybody else overrides ours.
            .disableServiceConfigLookUp()
            .enableRetry()
            .build();
    intercepted = options.token() == null ? channel : withToken(channel, options.token());
  }

  private TarneebClient(TarneebClient other, Options options) {
    this.options = options;
    channel = other.channel;
    intercepted = other.intercepted;
  }

  /** The same client, on the same channel, with another deadline for each call made by it. */
  public TarneebClient withDeadline(Duration deadline) {
    return new TarneebClient(this, options.withDeadline(deadline));
  }

  private static Channel withToken(Channel plain, String token) {
    Metadata headers = new Metadata();
    headers.put(AUTHORIZATION, "Bearer " + token);
    return ClientInterceptors.intercept(plain, MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  /** By DNS, so that every replica behind a name is found; a target with a scheme as it is. */
  private static String full(String target) {
    boolean hasScheme = target.contains("://") || target.matches("(unix|ipv4|ipv6):.*");
    return hasScheme ? target : "dns:///" + target;
  }

  public ListRuleSetsResponse listRuleSets(ListRuleSetsRequest request) {
    return call(stub -> stub.listRuleSets(request));
  }

  public ResolveRuleSetResponse resolveRuleSet(ResolveRuleSetRequest request) {
    return call(stub -> stub.resolveRuleSet(request));
  }

  public CreateGameResponse createGame(CreateGameRequest request) {
    return call(stub -> stub.createGame(request));
  }

  public DealHandResponse dealHand(DealHandRequest request) {
    return call(stub -> stub.dealHand(request));
  }

  public ListLegalMovesResponse listLegalMoves(ListLegalMovesRequest request) {
    return call(stub -> stub.listLegalMoves(request));
  }

  public ValidateMoveResponse validateMove(ValidateMoveRequest request) {
    return call(stub -> stub.validateMove(request));
  }

  public ApplyMoveResponse applyMove(ApplyMoveRequest request) {
    return call(stub -> stub.applyMove(request));
  }

  public UndoMoveResponse undoMove(UndoMoveRequest request) {
    return call(stub -> stub.undoMove(request));
  }

  public ValidateMovesResponse validateMoves(ValidateMovesRequest request) {
    return call(stub -> stub.validateMoves(request));
  }

  public ReplayGameResponse replayGame(ReplayGameRequest request) {
    return call(stub -> stub.replayGame(request));
  }

  public ValidateGameResponse validateGame(ValidateGameRequest request) {
    return call(stub -> stub.validateGame(request));
  }

  public ViewGameResponse viewGame(ViewGameRequest request) {
    return call(stub -> stub.viewGame(request));
  }

  public CommitDealResponse commitDeal(CommitDealRequest request) {
    return call(stub -> stub.commitDeal(request));
  }

  public VerifyDealResponse verifyDeal(VerifyDealRequest request) {
    return call(stub -> stub.verifyDeal(request));
  }

  public ScoreHandResponse scoreHand(ScoreHandRequest request) {
    return call(stub -> stub.scoreHand(request));
  }

  /** Calls a method of the service with bytes, for those who have the request as such. */
  public byte[] callWithBytes(String method, byte[] request) {
    var descriptor =
        MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(
                MethodDescriptor.generateFullMethodName(TarneebServiceGrpc.SERVICE_NAME, method))
            .setRequestMarshaller(new Bytes())
            .setResponseMarshaller(new Bytes())
            .build();
    CallOptions in = CallOptions.DEFAULT.withDeadlineAfter(options.deadline().toNanos(), TimeUnit.NANOSECONDS);
    try {
      return ClientCalls.blockingUnaryCall(intercepted, descriptor, in, request);
    } catch (StatusRuntimeException failed) {
      throw new TarneebException(failed);
    }
  }

  /** A stub on the same channel, for calls of one's own. */
  public TarneebServiceGrpc.TarneebServiceBlockingStub stub() {
    return TarneebServiceGrpc.newBlockingStub(intercepted)
        .withDeadlineAfter(options.deadline().toNanos(), TimeUnit.NANOSECONDS);
  }

  private <A> A call(Function<TarneebServiceGrpc.TarneebServiceBlockingStub, A> method) {
    try {
      return method.apply(stub());
    } catch (StatusRuntimeException failed) {
      throw new TarneebException(failed);
    }
  }

  /** Closes the channel. */
  @Override
  public void close() {
    channel.shutdownNow();
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException error) {
        throw new UncheckedIOException(error);
      }
    }
  }
}
