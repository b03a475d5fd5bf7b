#include "tarneeb/options.h"

#include <gtest/gtest.h>

namespace tarneeb {
namespace {

TEST(FullTarget, FindsEveryReplicaBehindAName) {
  EXPECT_EQ(FullTarget("localhost:50051"), "dns:///localhost:50051");
  EXPECT_EQ(FullTarget("[::1]:50051"), "dns:///[::1]:50051");
}

TEST(FullTarget, LeavesASchemeAsItIs) {
  for (const char* target : {"dns:///rules:50051", "unix:/run/rules", "ipv4:127.0.0.1:1,127.0.0.1:2", "xds:///rules"})
    EXPECT_EQ(FullTarget(target), target);
}

}  // namespace
}  // namespace tarneeb
