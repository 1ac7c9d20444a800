#include "encode.h"

#include <google/protobuf/duration.pb.h>
#include <google/protobuf/io/coded_stream.h>

#include <chrono>
#include <cstring>
#include <utility>

#include "base/wire.h"
#include "convert.h"
#include "workpool/v1/job.pb.h"
#include "workpool/v1/workpool.pb.h"

namespace workpool::client {

namespace {

using google::protobuf::Duration;
using google::protobuf::io::CodedOutputStream;

// From here on a payload is moved: to copy it costs more than to send it as a piece of its own.
constexpr std::size_t kWorthMoving = 8 * 1024;

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

// As Fill does. The payload comes last, so that it can be left out.
template <typename Sink>
void PutAllButPayload(Sink& sink, const Work& work) {
  PutText(sink, v1::Work::kHandlerFieldNumber, work.handler);
  PutText(sink, v1::Work::kPoolFieldNumber, work.pool);
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

template <typename Sink>
void PutWork(Sink& sink, const Work& work) {
  PutAllButPayload(sink, work);
  PutText(sink, v1::Work::kPayloadFieldNumber, work.payload);
}

// Makes room for `size` bytes more and has `write` fill it.
template <typename Write>
void Grow(std::string& bytes, std::size_t size, const Write& write) {
  const std::size_t before = bytes.size();
  // The length that is passed may be more than was asked for.
  bytes.resize_and_overwrite(before + size, [&](char* start, std::size_t) {
    Writer writer(start + before);
    write(writer);
    return before + size;
  });
}

template <typename Put>
void Append(std::string& bytes, const Put& put) {
  Sizer sizer;
  put(sizer);
  Grow(bytes, sizer.size(), put);
}

}  // namespace

std::size_t EncodedSize(const Work& work) {
  Sizer sizer;
  PutWork(sizer, work);
  return sizer.size();
}

std::string Joined(const Message& message) {
  std::string joined;
  std::size_t at = 0;
  for (const auto& inset : message.insets) {
    joined.append(message.bytes, at, inset.at - at).append(inset.payload);
    at = inset.at;
  }
  joined.append(message.bytes, at);
  return joined;
}

void AppendItem(Work&& work, std::size_t size, Message& message) {
  constexpr int kField = v1::PostWorkStreamRequest::kWorkFieldNumber;
  const bool apart = work.payload.size() >= kWorthMoving;
  Sizer head;
  head.Length(kField, size);
  const std::size_t left_out = apart ? work.payload.size() : 0;
  Grow(message.bytes, head.size() + size - left_out, [&](Writer& writer) {
    writer.Length(kField, size);
    if (!apart) return PutWork(writer, work);
    PutAllButPayload(writer, work);
    writer.Length(v1::Work::kPayloadFieldNumber, work.payload.size());
  });
  if (apart) message.insets.push_back({message.bytes.size(), std::move(work.payload)});
}

void AppendFirstSequence(std::uint64_t sequence, Message& message) {
  Append(message.bytes, [&](auto& sink) {
    sink.Number(v1::PostWorkStreamRequest::kFirstSequenceFieldNumber, sequence);
  });
}

void AppendAbandoned(std::span<const std::uint64_t> sequences, Message& message) {
  Append(message.bytes, [&](auto& sink) {
    for (const std::uint64_t sequence : sequences) {
      sink.Number(v1::PostWorkStreamRequest::kAbandonFieldNumber, sequence);
    }
  });
}

std::string_view CutItem(std::string_view& message) {
  std::string_view rest = message;
  std::uint64_t tag = 0;
  std::uint64_t size = 0;
  CutNumber(rest, tag);
  CutNumber(rest, size);
  const std::size_t length = message.size() - rest.size() + size;
  const std::string_view item = message.substr(0, length);
  message.remove_prefix(length);
  return item;
}

}  // namespace workpool::client
