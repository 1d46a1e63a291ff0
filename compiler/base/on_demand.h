// State that const functions fill in: what they find out once and keep.
#pragma once

namespace capwright {

// The place for `mutable` data without a lock. Whatever owns it belongs to one thread at a time.
template <class T>
class OnDemand {
 public:
  T& operator*() const { return state_; }
  T* operator->() const { return &state_; }

 private:
  mutable T state_;
};

}  // namespace capwright
