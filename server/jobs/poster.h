// Takes posts: checks them, offers them to their pools, has their acceptance committed, and
// answers. Thread safe.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "jobs/core.h"
#include "jobs/stopper.h"

namespace workpool {

class Poster {
 public:
  // `owner` is told when pools call the entries made here; it hands WaitsAccepted and WaitRefused
  // back.
  Poster(Core& core, Stopper& stopper, JobOwner& owner)
      : core_(core), stopper_(stopper), owner_(owner) {}

  Ticket Post(PostRequest request, PostDone done);
  std::vector<Ticket> PostBatch(std::vector<PostRequest> requests, BatchDone done);
  void Abandon(Ticket ticket);

  // From the pools. The tasks are entries of one pool.
  void WaitsAccepted(std::span<Task* const> tasks);
  void WaitRefused(JobEntry& entry, Refusal why);

 private:
  // A post under way: valid, and not answered yet.
  struct Item {
    Ref<JobEntry> entry;
    PostAnswer answer;  // moved into the wait group when it may wait
    WhenFull when_full = WhenFull::kReject;
    SteadyTime wait_until{};
    std::size_t index = 0;
  };
  // What is offered to one pool in one go.
  struct Group {
    PoolSlot* pool = nullptr;
    WhenFull when_full = WhenFull::kReject;
    std::vector<Item*> items;
  };
  using Items = std::vector<Item>;
  // Of a post: where it stood in its batch, and when that came.
  struct Arrival {
    std::size_t index = 0;
    SteadyTime at{};
  };

  // Checks the request; an invalid one is counted and answered here. `recent` is where the one
  // before went.
  void Prepare(const Routes& routes, PostRequest&& request, PostAnswer&& answer, Arrival arrival,
               Ref<const Route>& recent, Items& items);
  void FillItem(Item& item, Ref<const Route> route, PostRequest&& request, Arrival arrival);
  void RefuseInvalid(const Routes& routes, const Work& work, const Error& error,
                     PostAnswer& answer);
  // Offers, answers those that are refused, has the others accepted; `tickets` gets those that
  // wait.
  void Admit(Items items, std::vector<Ticket>& tickets);
  void OfferGroup(Group& group, Items& accepted, std::vector<Ticket>& tickets);
  // One result an item; the group of the last items, which have been prepared for a wait, or null.
  Ref<WaitGroup> OfferTasks(const Group& group, std::vector<OfferResult>& results);
  Ref<WaitGroup> PrepareWaits(std::span<Item* const> items);
  // Waits of the group that end after that instant, or all, will end in time.
  void ArmWaits(const Ref<WaitGroup>& group, std::optional<SteadyTime> after);
  PostAnswer EndWait(JobEntry& entry);
  void GiveUpWait(const Ref<JobEntry>& entry, Refusal why);
  Error ErrorOf(const JobEntry& entry, Refusal why);

  // The pools have taken these: ids, then the commit.
  void Accept(Items items);
  void Commit(Items items);
  void AcceptOne(Item item);
  void Committed(std::span<Item> items);
  void NotCommitted(std::span<Item> items, const Error& error);
  void Publish(std::span<const Item> items);
  void ArmRunDeadline(const Ref<JobEntry>& entry, SteadyTime when);

  Core& core_;
  Stopper& stopper_;
  JobOwner& owner_;
};

}  // namespace workpool
