import { expect, test } from "vitest";
import { ensurePeers } from "./ensure-peers.ts";
import type { Peer } from "./peer.ts";

/** Peers that record when their installation begins and ends, and end when they are told to. */
function recordedPeers(isOfMachine: boolean, names: readonly string[]) {
  const events: string[] = [];
  const ends: (() => void)[] = [];
  const peers = names.map((name): Peer => {
    const install = async (): Promise<void> => {
      events.push(`${name} begins`);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.push(resolve);
      await promise;
      events.push(`${name} ends`);
    };
    const shown = { name, purpose: "a test", downloadMb: 1, isOfMachine };
    return { ...shown, isPresent: () => name === "present", obstacle: () => null, install };
  });
  return { peers, events, ends };
}

test("peers of the machine are installed one after another", async () => {
  const { peers, events, ends } = recordedPeers(true, ["a", "present", "b"]);
  const done = ensurePeers(peers, () => undefined);
  for (let at = 0; at < 2; at += 1) {
    await expect.poll(() => ends.length).toBe(at + 1);
    ends[at]?.();
  }
  await done;
  expect(events).toEqual(["a begins", "a ends", "b begins", "b ends"]);
});

test("three others are installed at a time, and one that fails does not keep the rest", async () => {
  const { peers, events, ends } = recordedPeers(false, ["a", "b", "c", "d"]);
  const failing: Peer = { ...(peers[0] as Peer), name: "x", install: () => Promise.reject(new Error("no")) };
  const said: string[] = [];
  const done = ensurePeers([failing, ...peers], (line) => said.push(line));
  await expect.poll(() => events).toEqual(["a begins", "b begins", "c begins"]);
  ends[1]?.();
  await expect.poll(() => events).toContain("d begins");
  for (const end of ends) end();
  await done;
  expect(events.filter((event) => event.endsWith("ends"))).toHaveLength(4);
  expect(said).toContain("x: not installed, and tests that need it cannot run: no");
});
