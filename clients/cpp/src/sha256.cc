#include "tarneeb/sha256.h"

#include <stdexcept>

namespace tarneeb {
namespace {

// OpenSSL fails here only when a machine's policy or memory forbids it.
void Require(int good) {
  if (good != 1) throw std::runtime_error("OpenSSL has no SHA-256");
}

}  // namespace

Sha256::Sha256() : context_(EVP_MD_CTX_new()) { Begin(); }

void Sha256::Update(std::string_view bytes) { Require(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size())); }

std::string Sha256::Digest() {
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  Require(EVP_DigestFinal_ex(context_.get(), bytes, &size));
  Begin();
  return {reinterpret_cast<const char*>(bytes), size};
}

void Sha256::Begin() { Require(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr)); }

std::string Sha256Of(std::string_view bytes) {
  Sha256 hash;
  hash.Update(bytes);
  return hash.Digest();
}

}  // namespace tarneeb
