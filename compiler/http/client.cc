// libcurl's easy interface: sequential requests on one connection.
#include "http/client.h"

#include <algorithm>
#include <curl/curl.h>

namespace capwright::http {
namespace {

constexpr std::int64_t kMostConnecting = 30;  // seconds

struct Answer {
  std::string body;
  std::size_t room = 0;
  bool is_too_long = false;
};

std::size_t take(char* bytes, std::size_t, std::size_t count, void* into) {
  Answer& answer = *static_cast<Answer*>(into);
  answer.is_too_long = answer.is_too_long || count > answer.room - answer.body.size();
  if (answer.is_too_long) return 0;  // ends the transfer
  answer.body.append(bytes, count);
  return count;
}

Fault fault_of(CURLcode code) {
  switch (code) {
    case CURLE_OK: return Fault::None;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY: return Fault::UnknownHost;
    case CURLE_COULDNT_CONNECT: return Fault::Refused;
    case CURLE_OPERATION_TIMEDOUT: return Fault::TimedOut;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE: return Fault::Certificate;
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL: return Fault::NoUrl;
    default: return Fault::Broken;
  }
}

// The headers of one request, freed with it.
class Headers {
 public:
  Headers() = default;
  ~Headers() { curl_slist_free_all(list_); }
  Headers(const Headers&) = delete;
  Headers& operator=(const Headers&) = delete;
  void add(const std::string& header) {
    curl_slist* longer = curl_slist_append(list_, header.c_str());
    if (longer != nullptr) list_ = longer;
  }
  const curl_slist* list() const { return list_; }

 private:
  curl_slist* list_ = nullptr;
};

class CurlClient final : public Client {
 public:
  explicit CurlClient(ClientSettings settings) : curl_(curl_easy_init()), settings_(std::move(settings)) {}
  ~CurlClient() override { curl_easy_cleanup(curl_); }
  CurlClient(const CurlClient&) = delete;
  CurlClient& operator=(const CurlClient&) = delete;

  Response send(const Request& request) override {
    if (curl_ == nullptr) return {0, "", "", Fault::Broken};
    curl_easy_reset(curl_);
    apply_bounds();
    Headers headers;
    headers.add("Accept: application/json");
    headers.add("Expect:");  // sends the body at once, without waiting for 100 Continue
    if (!request.token.empty()) headers.add("Authorization: token " + request.token);
    if (!request.body.empty()) {
      headers.add("Content-Type: application/json");
      curl_easy_setopt(curl_, CURLOPT_FRESH_CONNECT, 1L);  // on a reused connection libcurl could send it twice
      curl_easy_setopt(curl_, CURLOPT_POSTFIELDS, request.body.data());
      curl_easy_setopt(curl_, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    }
    Answer answer;
    answer.room = request.most_answer;
    const std::string method(request.method);
    curl_easy_setopt(curl_, CURLOPT_URL, request.url.c_str());
    curl_easy_setopt(curl_, CURLOPT_CUSTOMREQUEST, method.c_str());
    curl_easy_setopt(curl_, CURLOPT_HTTPHEADER, headers.list());
    curl_easy_setopt(curl_, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(curl_, CURLOPT_WRITEDATA, &answer);
    return response_of(curl_easy_perform(curl_), answer);
  }

 private:
  void apply_bounds() {
    curl_easy_setopt(curl_, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl_, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(curl_, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl_, CURLOPT_USERAGENT, "capwright");
    curl_easy_setopt(curl_, CURLOPT_TIMEOUT, static_cast<long>(settings_.most_seconds));
    curl_easy_setopt(curl_, CURLOPT_CONNECTTIMEOUT,
                     static_cast<long>(std::min(kMostConnecting, settings_.most_seconds)));
    if (!settings_.ca_file.empty()) curl_easy_setopt(curl_, CURLOPT_CAINFO, settings_.ca_file.c_str());
  }

  Response response_of(CURLcode code, Answer& answer) const {
    Response response;
    long status = 0;
    char* location = nullptr;
    curl_easy_getinfo(curl_, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(curl_, CURLINFO_REDIRECT_URL, &location);
    response.fault = answer.is_too_long ? Fault::TooLong : fault_of(code);
    if (response.fault == Fault::None || response.fault == Fault::TooLong) response.status = static_cast<int>(status);
    if (response.fault == Fault::None) response.body = std::move(answer.body);
    if (location != nullptr) response.location = location;
    return response;
  }

  CURL* curl_;
  const ClientSettings settings_;
};

}  // namespace

std::unique_ptr<Client> real_client(ClientSettings settings) {
  return std::make_unique<CurlClient>(std::move(settings));
}

}  // namespace capwright::http
