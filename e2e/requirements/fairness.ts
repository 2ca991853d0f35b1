import { type Requirement, tested } from "./requirement.ts";

/** One agent must not delay the others or its own kill switch. */
export const fairnessRequirements: readonly Requirement[] = [
  tested(
    "FAIR-01",
    "While one agent sends the largest bodies, others do not wait for them, and none is denied a call.",
  ),
  tested("FAIR-02", "A kill switch stops an agent while its large calls run."),
  tested(
    "FAIR-03",
    "3,200 of the largest calls at once do not end a server with a heap of 1 GiB, and others are answered.",
  ),
  tested("FAIR-04", "Bytes in flight are bounded, for all callers together and for each of them."),
  tested("FAIR-05", "Large calls take turns: agents in rotation, the calls of one agent in their order."),
  tested(
    "FAIR-06",
    "A call that is refused for lack of capacity gets 503 or 429 with Retry-After and the cause.",
  ),
  tested(
    "FAIR-07",
    "One ledger transaction holds at most 512 KiB of short rows and one long row; short rows go first.",
  ),
  tested(
    "FAIR-08",
    "An export reads 1 MiB at a time as its client takes it, and one runs at a time for each key.",
  ),
  tested("FAIR-09", "/metrics reports how large the store is and how much free space its disk has."),
  tested("FAIR-10", "A large call gets the verdict and the row that it would get if it were small."),
  tested("FAIR-11", "When the thread of large calls fails, its calls are denied and another thread starts."),
  tested(
    "FAIR-12",
    "While one agent sends 200 small calls at once, neither others nor a kill wait for all of them.",
  ),
  tested(
    "FAIR-13",
    "When the thread that reads lists and exports hangs or ends, decisions go on; reads answer an error.",
  ),
  tested("FAIR-14", "One key with many followers of kill switches keeps no other key from following them."),
  tested("FAIR-15", "Control changes of one organization keep no other one from activating kill switches."),
  tested(
    "FAIR-16",
    "The unfinished bodies of one process hold at most 64 MiB together; beyond it the oldest is refused.",
  ),
  tested(
    "FAIR-20",
    "Connections of one address without a valid key are few, and its accepts; SVC_TRUSTED_PROXIES is exempt.",
  ),
  tested("FAIR-21", "While all places for connections are taken, a kill switch with a valid key gets one."),
  tested(
    "FAIR-23",
    "Of the requests that a connection pipelines, one at a time is at work, and others get their turns.",
  ),
  tested(
    "FAIR-24",
    "At most 8,192 pipelined requests of a process wait; beyond it the connection of the oldest is closed.",
  ),
  tested("FAIR-22", "Connections that close at once are cleared away in slices, with calls between them."),
];
