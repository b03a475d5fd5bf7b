// grpc_csharp_plugin, which Debian leaves out: the generator itself is in its libgrpc_plugin_support, without a header.
#include <google/protobuf/compiler/code_generator.h>
#include <google/protobuf/compiler/plugin.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream.h>

#include <cctype>
#include <memory>
#include <string>

namespace pb = google::protobuf;

namespace grpc_csharp_generator {
std::string GetServices(const pb::FileDescriptor* file, bool client, bool server, bool internal_access);
}

class Generator : public pb::compiler::CodeGenerator {
 public:
  uint64_t GetSupportedFeatures() const override { return FEATURE_PROTO3_OPTIONAL; }

  bool Generate(const pb::FileDescriptor* file, const std::string&, pb::compiler::GeneratorContext* context,
                std::string*) const override {
    const std::string code = grpc_csharp_generator::GetServices(file, true, true, false);
    if (code.empty()) return true;
    std::unique_ptr<pb::io::ZeroCopyOutputStream> out(context->Open(name(file->name()) + "Grpc.cs"));
    pb::io::CodedOutputStream(out.get()).WriteString(code);
    return true;
  }

 private:
  // tarneeb/v1/tarneeb_service.proto becomes TarneebService, as Google's own plugin has it.
  static std::string name(const std::string& path) {
    std::string camel;
    bool start = true;
    for (char c : path.substr(path.rfind('/') + 1, path.rfind('.') - path.rfind('/') - 1)) {
      if (c == '_') {
        start = true;
      } else {
        camel += start ? static_cast<char>(toupper(c)) : c;
        start = false;
      }
    }
    return camel;
  }
};

int main(int argc, char* argv[]) {
  Generator generator;
  return pb::compiler::PluginMain(argc, argv, &generator);
}
