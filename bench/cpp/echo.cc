// The service's ceiling in C++: reads each request and answers with a message of the real answer's size, on one thread.
//
// Its argument is a file in the form of a stream (see load.cc): an answer for each method that it serves.

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/grpcpp.h>

#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "tarneeb/v1/tarneeb_service.pb.h"

namespace pb = google::protobuf;
using Bytes = grpc::ByteBuffer;

struct Method {
  const pb::Message* request;
  std::unique_ptr<pb::Message> answer;
};
using Methods = std::map<std::string, Method>;

static std::string whole(const Bytes& buffer) {
  std::vector<grpc::Slice> slices;
  std::string text;
  if (buffer.Dump(&slices).ok())
    for (const grpc::Slice& slice : slices) text.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  return text;
}

static Methods read_answers(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  std::getline(file, line);
  std::istringstream names(line);
  std::vector<std::string> paths;
  for (std::string name; names >> name;) paths.push_back(name);
  const pb::ServiceDescriptor* service =
      pb::DescriptorPool::generated_pool()->FindServiceByName("tarneeb.v1.TarneebService");
  pb::MessageFactory* factory = pb::MessageFactory::generated_factory();
  Methods methods;
  unsigned char head[5];
  while (file.read(reinterpret_cast<char*>(head), sizeof head)) {
    std::string bytes(head[1] | head[2] << 8 | head[3] << 16 | head[4] << 24, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    const std::string& name = paths.at(head[0]);
    const pb::MethodDescriptor* method = service->FindMethodByName(name.substr(name.rfind('/') + 1));
    Method& made = methods[name];
    made.request = factory->GetPrototype(method->input_type());
    made.answer.reset(factory->GetPrototype(method->output_type())->New());
    if (!file || !made.answer->ParseFromString(bytes)) throw std::runtime_error("no answers at " + path);
  }
  return methods;
}

// One call at a time; when it has ended, it takes the next.
class Call {
 public:
  Call(grpc::AsyncGenericService& service, grpc::ServerCompletionQueue& queue, const Methods& methods)
      : service_(service), queue_(queue), methods_(methods) {
    begin();
  }

  void proceed(bool ok) {
    switch (step_) {
      case Step::kCall:
        if (!ok) return;
        new Call(service_, queue_, methods_);
        step_ = Step::kRead;
        stream_->Read(&request_, this);
        return;
      case Step::kRead:
        answer(ok);
        return;
      case Step::kEnd:
        delete this;
        return;
    }
  }

 private:
  enum class Step { kCall, kRead, kEnd };

  void begin() {
    stream_ = std::make_unique<grpc::GenericServerAsyncReaderWriter>(&context_);
    service_.RequestCall(&context_, stream_.get(), &queue_, &queue_, this);
  }

  void answer(bool ok) {
    step_ = Step::kEnd;
    const auto method = methods_.find(context_.method());
    if (!ok || method == methods_.end()) {
      stream_->Finish(grpc::Status(grpc::StatusCode::UNIMPLEMENTED, "no such method"), this);
      return;
    }
    const std::unique_ptr<pb::Message> request(method->second.request->New());
    if (!request->ParseFromString(whole(request_))) {
      stream_->Finish(grpc::Status(grpc::StatusCode::INVALID_ARGUMENT, "unreadable"), this);
      return;
    }
    const grpc::Slice slice(method->second.answer->SerializeAsString());
    stream_->WriteAndFinish(Bytes(&slice, 1), grpc::WriteOptions(), grpc::Status::OK, this);
  }

  grpc::AsyncGenericService& service_;
  grpc::ServerCompletionQueue& queue_;
  const Methods& methods_;
  grpc::GenericServerContext context_;
  std::unique_ptr<grpc::GenericServerAsyncReaderWriter> stream_;
  Bytes request_;
  Step step_ = Step::kCall;
};

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: echo ANSWERS" << std::endl;
    return 2;
  }
  const tarneeb::v1::ValidateMoveRequest linked;
  const Methods methods = read_answers(arguments[1]);
  grpc::AsyncGenericService service;
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  builder.RegisterAsyncGenericService(&service);
  const std::unique_ptr<grpc::ServerCompletionQueue> queue = builder.AddCompletionQueue();
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (!server) return 1;
  std::cout << "serving on port " << port << std::endl;
  for (int number = 0; number < 64; ++number) new Call(service, *queue, methods);
  void* tag = nullptr;
  for (bool ok = false; queue->Next(&tag, &ok);) static_cast<Call*>(tag)->proceed(ok);
}
