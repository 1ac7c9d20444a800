#include "encode.h"

#include <google/protobuf/duration.pb.h>
#include <google/protobuf/io/coded_stream.h>

#include <chrono>
#include <cstring>

#include "convert.h"
#include "base/wire.h"
#include "workpool/v1/job.pb.h"
#include "workpool/v1/workpool.pb.h"

namespace workpool::client {

namespace {

using google::protobuf::Duration;
using google::protobuf::io::CodedOutputStream;

// In a map's entry, by the encoding's definition.
constexpr int kKeyField = 1;
constexpr int kValueField = 2;

// Measures what a Writer writes.
class Sizer {
 public:
  std::size_t size() const { return size_; }

  void Number(int field, std::uint64_t value) {
    size_ += CodedOutputStream::VarintSize32(TagOf(field, Wire::kNumber)) +
             CodedOutputStream::VarintSize64(value);
  }
  void Bytes(int field, std::string_view bytes) {
    Length(field, bytes.size());
    size_ += bytes.size();
  }
  void Length(int field, std::size_t length) {
    size_ += CodedOutputStream::VarintSize32(TagOf(field, Wire::kLength)) +
             CodedOutputStream::VarintSize64(length);
  }

 private:
  std::size_t size_ = 0;
};

// Writes fields one after the other to memory that is large enough.
class Writer {
 public:
  explicit Writer(char* to) : to_(reinterpret_cast<std::uint8_t*>(to)) {}

  void Number(int field, std::uint64_t value) {
    to_ = CodedOutputStream::WriteTagToArray(TagOf(field, Wire::kNumber), to_);
    to_ = CodedOutputStream::WriteVarint64ToArray(value, to_);
  }
  void Bytes(int field, std::string_view bytes) {
    Length(field, bytes.size());
    std::memcpy(to_, bytes.data(), bytes.size());
    to_ += bytes.size();
  }
  // The content, of which this is the length, must follow.
  void Length(int field, std::size_t length) {
    to_ = CodedOutputStream::WriteTagToArray(TagOf(field, Wire::kLength), to_);
    to_ = CodedOutputStream::WriteVarint64ToArray(length, to_);
  }

 private:
  std::uint8_t* to_;
};

template <typename Sink>
void PutText(Sink& sink, int field, const std::string& text) {
  if (!text.empty()) sink.Bytes(field, text);
}

// `put` puts the message's fields to whichever sink it is given.
template <typename Sink, typename Put>
void PutMessage(Sink& sink, int field, const Put& put) {
  Sizer sizer;
  put(sizer);
  sink.Length(field, sizer.size());
  put(sink);
}

template <typename Sink>
void PutDuration(Sink& sink, int field, std::chrono::nanoseconds duration) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration);
  const std::chrono::nanoseconds rest = duration - seconds;
  PutMessage(sink, field, [&](auto& to) {
    // Negative numbers count as large ones, whatever their type.
    const auto whole = static_cast<std::uint64_t>(seconds.count());
    const auto nanos = static_cast<std::uint64_t>(rest.count());
    if (whole != 0) to.Number(Duration::kSecondsFieldNumber, whole);
    if (nanos != 0) to.Number(Duration::kNanosFieldNumber, nanos);
  });
}

// As Fill does; in the order of the fields' numbers.
template <typename Sink>
void PutWork(Sink& sink, const Work& work) {
  PutText(sink, v1::Work::kHandlerFieldNumber, work.handler);
  PutText(sink, v1::Work::kPoolFieldNumber, work.pool);
  PutText(sink, v1::Work::kPayloadFieldNumber, work.payload);
  PutText(sink, v1::Work::kContentTypeFieldNumber, work.content_type);
  PutText(sink, v1::Work::kCallerFieldNumber, work.caller);
  if (work.priority) sink.Number(v1::Work::kPriorityFieldNumber, *work.priority);
  if (work.weight) sink.Number(v1::Work::kWeightFieldNumber, *work.weight);
  if (work.timeout) PutDuration(sink, v1::Work::kTimeoutFieldNumber, *work.timeout);
  for (const auto& [key, value] : work.metadata) {
    PutMessage(sink, v1::Work::kMetadataFieldNumber, [&](auto& to) {
      to.Bytes(kKeyField, key);
      to.Bytes(kValueField, value);
    });
  }
  if (work.when_full != WhenFull::kPoolDefault) {
    sink.Number(v1::Work::kWhenFullFieldNumber,
                static_cast<std::uint64_t>(ProtoOf(work.when_full)));
  }
  if (work.wait_timeout) {
    PutDuration(sink, v1::Work::kWaitTimeoutFieldNumber, *work.wait_timeout);
  }
}

// Makes room for `size` bytes more and has `write` fill it.
template <typename Write>
void Grow(std::string& request, std::size_t size, const Write& write) {
  const std::size_t before = request.size();
  // The length that is passed may be more than was asked for.
  request.resize_and_overwrite(before + size, [&](char* bytes, std::size_t) {
    Writer writer(bytes + before);
    write(writer);
    return before + size;
  });
}

template <typename Put>
void Append(std::string& request, const Put& put) {
  Sizer sizer;
  put(sizer);
  Grow(request, sizer.size(), put);
}

}  // namespace

std::size_t EncodedSize(const Work& work) {
  Sizer sizer;
  PutWork(sizer, work);
  return sizer.size();
}

void AppendItem(const Work& work, std::size_t size, std::string& request) {
  constexpr int kField = v1::PostWorkStreamRequest::kWorkFieldNumber;
  Sizer head;
  head.Length(kField, size);
  Grow(request, head.size() + size, [&](Writer& writer) {
    writer.Length(kField, size);
    PutWork(writer, work);
  });
}

void AppendFirstSequence(std::uint64_t sequence, std::string& request) {
  Append(request, [&](auto& sink) {
    sink.Number(v1::PostWorkStreamRequest::kFirstSequenceFieldNumber, sequence);
  });
}

void AppendAbandoned(std::span<const std::uint64_t> sequences, std::string& request) {
  Append(request, [&](auto& sink) {
    for (const std::uint64_t sequence : sequences) {
      sink.Number(v1::PostWorkStreamRequest::kAbandonFieldNumber, sequence);
    }
  });
}

std::string_view CutItem(std::string_view& request) {
  std::string_view rest = request;
  std::uint64_t tag = 0;
  std::uint64_t size = 0;
  CutNumber(rest, tag);
  CutNumber(rest, size);
  const std::size_t length = request.size() - rest.size() + size;
  const std::string_view item = request.substr(0, length);
  request.remove_prefix(length);
  return item;
}

}  // namespace workpool::client
