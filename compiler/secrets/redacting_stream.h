// Redacts secrets in another program's output while it arrives: a secret may be split over any number of reads.
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "secrets/texts.h"

namespace capwright::secrets {

class RedactingStream {
 public:
  // `take` gets whole lines with their line breaks; a long line comes in parts. `texts` must outlive it.
  RedactingStream(const SecretTexts& texts, std::function<void(std::string_view)> take)
      : texts_(texts), take_(std::move(take)) {}

  void write(std::string_view bytes);
  // The output has ended. Call it once.
  void finish();

 private:
  void advance(std::size_t end);
  void pass_lines(bool all);

  const SecretTexts& texts_;
  std::function<void(std::string_view)> take_;
  std::string held_;        // bytes that later ones may turn into a secret, and known bytes before them
  std::size_t known_ = 0;   // the number of bytes in `held_` that have been passed on
  bool in_secret_ = false;  // whether the last of these belongs to a secret
  std::string line_;        // redacted text without a line break
};

}  // namespace capwright::secrets
