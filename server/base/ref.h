// A counted reference of one word to an object that counts its own references: for objects of which
// there are millions, where std::shared_ptr would cost four words more each.
//
// T has AddRef() const and DropRef() const, as RefCounted below or in its own way. Thread safe as
// std::shared_ptr: several threads may hold references to one object, each its own.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace workpool {

template <typename T>
class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}  // NOLINT: as a pointer
  explicit Ref(T* object) : object_(object) {
    if (object_ != nullptr) object_->AddRef();
  }
  Ref(const Ref& other) : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  template <typename Other>
    requires std::is_convertible_v<Other*, T*>
  Ref(Ref<Other> other) : object_(other.Detach()) {}  // NOLINT: as a pointer
  ~Ref() {
    if (object_ != nullptr) object_->DropRef();
  }
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }

  T* get() const { return object_; }
  T& operator*() const { return *object_; }
  T* operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }
  bool operator==(const Ref& other) const = default;
  bool operator==(std::nullptr_t) const { return object_ == nullptr; }

  // Gives the reference away: the caller drops it.
  T* Detach() { return std::exchange(object_, nullptr); }

 private:
  T* object_ = nullptr;
};

// The count. True from Drop for whoever has dropped the last reference.
class RefCount {
 public:
  void Add() const { count_.fetch_add(1, std::memory_order_relaxed); }
  bool Drop() const { return count_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

 private:
  mutable std::atomic<std::uint32_t> count_{0};
};

// A base for objects made with new and named by Ref alone.
template <typename T>
class RefCounted {
 public:
  void AddRef() const { count_.Add(); }
  void DropRef() const {
    if (count_.Drop()) delete static_cast<const T*>(this);
  }

 protected:
  RefCounted() = default;
  ~RefCounted() = default;
  RefCounted(const RefCounted&) {}  // a copy has references of its own
  RefCounted& operator=(const RefCounted&) { return *this; }

 private:
  RefCount count_;
};

template <typename T, typename... Args>
Ref<T> MakeRef(Args&&... args) {
  return Ref<T>(new T(std::forward<Args>(args)...));
}

}  // namespace workpool
