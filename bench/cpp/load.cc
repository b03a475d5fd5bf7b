// Sends requests that were prepared as bytes, as fast as answers come or at an offered rate, on many connections.
//
// One line of commands at a time on stdin, one line of JSON for each on stdout:
//   stream NAME PATH
//   burst NAME FIRST COUNT IN_FLIGHT RATE CONNECTIONS IDS PORT...
// A stream's file has its methods on the first line, then for each request a byte (which method), four of length (low
// byte first), and the bytes. RATE 0 sends whenever fewer than IN_FLIGHT calls are under way; else calls begin that
// many a second whatever is under way, and take the time from when they should have begun. Calls take the PORTs
// by lot. IDS 1 gives every other call a request id that never comes again.

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using Clock = std::chrono::steady_clock;

// As the documentation tells callers: a connection that has come of age may take calls with it.
static const char kRetries[] = R"({"methodConfig": [{"name": [{}], "retryPolicy": {"maxAttempts": 4,
  "initialBackoff": "0.05s", "maxBackoff": "1s", "backoffMultiplier": 2,
  "retryableStatusCodes": ["UNAVAILABLE", "CANCELLED"]}}]})";

struct Stream {
  std::vector<std::string> methods;
  std::vector<uint8_t> kinds;
  std::vector<grpc::ByteBuffer> requests;
};

struct Line {
  std::shared_ptr<grpc::Channel> channel;
  std::unique_ptr<grpc::GenericStub> stub;
};

struct Call {
  std::unique_ptr<grpc::ClientContext> context;
  std::unique_ptr<grpc::GenericClientAsyncResponseReader> reader;
  grpc::ByteBuffer answer;
  grpc::Status status;
  Clock::time_point began;
  uint8_t kind = 0;
};

struct Times {
  std::vector<double> micros;
  size_t answer_bytes = 0;
};

static double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

static double own_cpu() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  auto seconds = [](const timeval& time) { return time.tv_sec + time.tv_usec / 1e6; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

static Stream read_stream(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("no stream at " + path);
  Stream stream;
  std::string line;
  std::getline(file, line);
  std::istringstream names(line);
  for (std::string name; names >> name;) stream.methods.push_back(name);
  unsigned char head[5];
  while (file.read(reinterpret_cast<char*>(head), sizeof head)) {
    std::string bytes(head[1] | head[2] << 8 | head[3] << 16 | head[4] << 24, '\0');
    if (!file.read(bytes.data(), static_cast<std::streamsize>(bytes.size())) || head[0] >= stream.methods.size())
      throw std::runtime_error("a stream that breaks off: " + path);
    grpc::Slice slice(bytes);
    stream.kinds.push_back(head[0]);
    stream.requests.emplace_back(&slice, 1);
  }
  return stream;
}

class Lines {
 public:
  Line& at(int port, int number) {
    Line& line = lines_[{port, number}];
    if (!line.channel) {
      grpc::ChannelArguments arguments;
      // Channels with the same arguments would share a connection.
      arguments.SetInt("bench.number", number);
      arguments.SetMaxReceiveMessageSize(-1);
      arguments.SetServiceConfigJSON(kRetries);
      line.channel = grpc::CreateCustomChannel("127.0.0.1:" + std::to_string(port), grpc::InsecureChannelCredentials(),
                                               arguments);
      if (!line.channel->WaitForConnected(std::chrono::system_clock::now() + std::chrono::seconds(20)))
        throw std::runtime_error("nobody serves on port " + std::to_string(port));
      line.stub = std::make_unique<grpc::GenericStub>(line.channel);
    }
    return line;
  }

 private:
  std::map<std::pair<int, int>, Line> lines_;
};

class Burst {
 public:
  Burst(const Stream& stream, std::istringstream& command, Lines& lines) : stream_(stream) {
    int connections = 0, port = 0;
    command >> first_ >> count_ >> in_flight_ >> rate_ >> connections >> ids_;
    std::vector<int> ports;
    while (command >> port) ports.push_back(port);
    if (ports.empty() || connections < 1 || in_flight_ < 1 || stream.requests.empty())
      throw std::runtime_error("a burst needs requests, ports, connections and calls in flight");
    for (int each : ports)
      for (int number = 0; number < connections; ++number) lines_.push_back(&lines.at(each, number));
    lots_ = ports.size() > 1;
    lot_ = std::uniform_int_distribution<size_t>(0, lines_.size() - 1);
    times_.resize(stream.methods.size());
  }

  std::string run() {
    const double cpu = own_cpu();
    start_ = Clock::now();
    while (ended_ < count_) {
      while (sent_ < count_ && due()) send();
      wait();
    }
    const double seconds = seconds_between(start_, Clock::now());
    return report(seconds, own_cpu() - cpu);
  }

 private:
  Clock::time_point time_of(long number) const {
    return start_ + std::chrono::nanoseconds(static_cast<int64_t>(number * 1e9 / rate_));
  }

  bool due() const { return rate_ > 0 ? Clock::now() >= time_of(sent_) : sent_ - ended_ < in_flight_; }

  void send() {
    const size_t index = (first_ + sent_) % stream_.requests.size();
    Line& line = *lines_[lots_ ? lot_(generator_) : sent_ % lines_.size()];
    auto* call = new Call;
    call->kind = stream_.kinds[index];
    call->context = std::make_unique<grpc::ClientContext>();
    call->context->set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(30));
    if (ids_ && sent_ % 2) call->context->AddMetadata("x-request-id", "load-" + std::to_string(serial_++));
    call->began = rate_ > 0 ? time_of(sent_) : Clock::now();
    call->reader = line.stub->PrepareUnaryCall(call->context.get(), stream_.methods[call->kind],
                                               stream_.requests[index], &queue_);
    call->reader->StartCall();
    call->reader->Finish(&call->answer, &call->status, call);
    ++sent_;
  }

  void wait() {
    void* tag = nullptr;
    bool ok = false;
    if (rate_ > 0 && sent_ < count_) {
      const auto rest = time_of(sent_) - Clock::now();
      const auto until = std::chrono::system_clock::now() + std::max(rest, Clock::duration::zero());
      if (queue_.AsyncNext(&tag, &ok, until) != grpc::CompletionQueue::GOT_EVENT) return;
    } else if (!queue_.Next(&tag, &ok)) {
      return;
    }
    std::unique_ptr<Call> call(static_cast<Call*>(tag));
    ++ended_;
    if (!call->status.ok()) {
      if (errors_.empty()) message_ = call->status.error_message();
      ++errors_[call->status.error_code()];
      return;
    }
    Times& times = times_[call->kind];
    times.micros.push_back(seconds_between(call->began, Clock::now()) * 1e6);
    times.answer_bytes += call->answer.Length();
  }

  static void percentiles(std::ostream& out, std::vector<double>& micros) {
    std::sort(micros.begin(), micros.end());
    auto at = [&](double share) {
      return micros.empty() ? 0.0 : micros[std::min(micros.size() - 1, static_cast<size_t>(share * micros.size()))];
    };
    out << "\"p50\": " << at(0.5) << ", \"p90\": " << at(0.9) << ", \"p99\": " << at(0.99)
        << ", \"slowest\": " << (micros.empty() ? 0.0 : micros.back());
  }

  std::string report(double seconds, double cpu) {
    std::ostringstream out;
    std::vector<double> all;
    for (const Times& times : times_) all.insert(all.end(), times.micros.begin(), times.micros.end());
    out << "{\"calls\": " << count_ << ", \"seconds\": " << seconds << ", \"client_cpu\": " << cpu << ", ";
    percentiles(out, all);
    out << ", \"errors\": {";
    const char* comma = "";
    for (const auto& [code, times] : errors_) out << std::exchange(comma, ", ") << '"' << code << "\": " << times;
    for (char& letter : message_)
      if (letter == '"' || letter == '\\' || static_cast<unsigned char>(letter) < ' ') letter = '\'';
    out << "}, \"first_error\": \"" << message_ << "\", \"methods\": {";
    comma = "";
    for (size_t kind = 0; kind < times_.size(); ++kind) {
      Times& times = times_[kind];
      if (times.micros.empty()) continue;
      const std::string& method = stream_.methods[kind];
      out << std::exchange(comma, ", ") << '"' << method.substr(method.rfind('/') + 1)
          << "\": {\"calls\": " << times.micros.size()
          << ", \"answer_bytes\": " << times.answer_bytes / times.micros.size() << ", ";
      percentiles(out, times.micros);
      out << '}';
    }
    out << "}}";
    return out.str();
  }

  const Stream& stream_;
  std::vector<Line*> lines_;
  std::vector<Times> times_;
  std::map<int, long> errors_;
  std::string message_;
  grpc::CompletionQueue queue_;
  Clock::time_point start_;
  long first_ = 0, count_ = 0, in_flight_ = 0, sent_ = 0, ended_ = 0;
  double rate_ = 0;
  int ids_ = 0;
  bool lots_ = false;
  std::uniform_int_distribution<size_t> lot_;
  // Another lot for the same call in the next burst.
  static inline std::mt19937 generator_{1};
  static inline long serial_ = 0;
};

int main() {
  std::map<std::string, Stream> streams;
  Lines lines;
  for (std::string text; std::getline(std::cin, text);) {
    std::istringstream command(text);
    std::string verb, name;
    command >> verb >> name;
    try {
      if (verb == "stream") {
        std::string path;
        std::getline(command >> std::ws, path);
        streams[name] = read_stream(path);
        std::cout << "{\"requests\": " << streams[name].requests.size() << "}" << std::endl;
      } else if (verb == "burst") {
        std::cout << Burst(streams[name], command, lines).run() << std::endl;
      } else {
        throw std::runtime_error("no such command: " + verb);
      }
    } catch (const std::exception& error) {
      std::cerr << error.what() << std::endl;
      return 1;
    }
  }
}
