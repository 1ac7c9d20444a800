#include "base64.h"

#include <gtest/gtest.h>

namespace workpool::cli {
namespace {

TEST(Base64Test, HasThePublishedValues) {
  EXPECT_EQ(ToBase64(""), "");
  EXPECT_EQ(ToBase64("f"), "Zg==");
  EXPECT_EQ(ToBase64("fo"), "Zm8=");
  EXPECT_EQ(ToBase64("foo"), "Zm9v");
  EXPECT_EQ(ToBase64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(ToBase64("\xff\xfe\xfd"), "//79");
}

TEST(Base64Test, ReadsWhatItWrites) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(FromBase64(ToBase64(bytes)), bytes);
    bytes += static_cast<char>(i * 7);
  }
}

TEST(Base64Test, RefusesWhatIsNotBase64) {
  for (const char* text : {"Z", "Zg", "Zg=", "Zg===", "Z===", "====", "Zh==", "Zm9=", "Zm 9",
                           "Zm9\n", "=Zg=", "Zg==Zg=="}) {
    EXPECT_FALSE(FromBase64(text)) << text;
  }
}

}  // namespace
}  // namespace workpool::cli
