// SHA-256, from OpenSSL.
#ifndef TARNEEB_SHA256_H_
#define TARNEEB_SHA256_H_

#include <openssl/evp.h>

#include <memory>
#include <string>
#include <string_view>

namespace tarneeb {

class Sha256 {
 public:
  Sha256();

  void Update(std::string_view bytes);
  // The 32 bytes for all since it was made, or since the last digest.
  std::string Digest();

 private:
  struct Freed {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  };

  void Begin();

  std::unique_ptr<EVP_MD_CTX, Freed> context_;
};

std::string Sha256Of(std::string_view bytes);

}  // namespace tarneeb

#endif  // TARNEEB_SHA256_H_
