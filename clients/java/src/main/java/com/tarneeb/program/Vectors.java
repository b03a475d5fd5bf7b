package com.tarneeb.program;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.Message;
import com.tarneeb.client.TarneebClient;
import com.tarneeb.client.TarneebException;
import com.tarneeb.v1.TarneebServiceGrpc;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The conformance vectors, asked through the stubs. */
final class Vectors {
  private static final Map<String, MethodDescriptor<?, ?>> METHODS =
      TarneebServiceGrpc.getServiceDescriptor().getMethods().stream()
          .collect(Collectors.toMap(MethodDescriptor::getBareMethodName, Function.identity()));

  /** How many of how many passed. */
  record Count(int passed, int total) {}

  private Vectors() {}

  /** Runs all of a folder, naming each that differs on standard error. */
  static Count run(TarneebClient client, Path folder) throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve("vectors.jsonl"));
    int passed = 0;
    for (String line : lines) {
      JsonObject vector = JsonParser.parseString(line).getAsJsonObject();
      int repeat = vector.has("repeat") ? vector.get("repeat").getAsInt() : 1;
      String found = "";
      for (int time = 0; time < repeat && found.isEmpty(); time++) {
        found = difference(client, vector);
      }
      if (found.isEmpty()) {
        passed++;
      } else {
        System.err.println(vector.get("id").getAsString() + ": " + found);
      }
    }
    return new Count(passed, lines.size());
  }

  /** What is wrong with the answer to a vector; empty when nothing is. */
  private static String difference(TarneebClient client, JsonObject vector) {
    MethodDescriptor<?, ?> method = METHODS.get(vector.get("rpc").getAsString());
    byte[] request = bytes(vector, "request");
    boolean raw = vector.has("raw") && vector.get("raw").getAsBoolean();
    try {
      Message answer = raw ? asBytes(client, method, request) : asMessage(client, method, request);
      if (!vector.has("response")) {
        return "expected " + vector.get("status") + ", got an answer";
      }
      Object wanted = method.parseResponse(new ByteArrayInputStream(bytes(vector, "response")));
      return answer.equals(wanted) ? "" : "expected " + wanted + ", got " + answer;
    } catch (TarneebException error) {
      if (!vector.has("status")) {
        return "expected an answer, got " + error;
      }
      JsonElement expected = vector.get("status");
      JsonObject said = said(error);
      return said.equals(expected) ? "" : "expected " + expected + ", got " + said;
    }
  }

  private static Message asBytes(TarneebClient client, MethodDescriptor<?, ?> method, byte[] request) {
    byte[] answer = client.callWithBytes(method.getBareMethodName(), request);
    return (Message) method.parseResponse(new ByteArrayInputStream(answer));
  }

  /** Calls the client's method of that name with the parsed request. */
  private static Message asMessage(TarneebClient client, MethodDescriptor<?, ?> method, byte[] request) {
    Object message = method.parseRequest(new ByteArrayInputStream(request));
    String name = method.getBareMethodName();
    String called = Character.toLowerCase(name.charAt(0)) + name.substring(1);
    try {
      return (Message) TarneebClient.class.getMethod(called, message.getClass()).invoke(client, message);
    } catch (java.lang.reflect.InvocationTargetException error) {
      if (error.getCause() instanceof TarneebException failed) {
        throw failed;
      }
      throw new IllegalStateException(error.getCause());
    } catch (ReflectiveOperationException error) {
      throw new IllegalStateException(error);
    }
  }

  private static JsonObject said(TarneebException error) {
    JsonObject said = new JsonObject();
    said.addProperty("code", error.code().name());
    said.addProperty("reason", error.reasonName());
    said.addProperty("problems", error.problems());
    JsonArray violations = new JsonArray();
    // A byte below all others between path and reason keeps the order that of pairs.
    TreeSet<String> pairs = new TreeSet<>();
    error.violations().forEach(each -> pairs.add(each.path() + "\0" + each.reason()));
    for (String pair : pairs) {
      JsonArray both = new JsonArray();
      for (String part : pair.split("\0", 2)) {
        both.add(part);
      }
      violations.add(both);
    }
    said.add("violations", violations);
    return said;
  }

  private static byte[] bytes(JsonObject vector, String key) {
    return Base64.getDecoder().decode(vector.get(key).getAsString());
  }
}
