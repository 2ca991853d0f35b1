import { readFileSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { OutboundDialer } from "./outbound-dialer.ts";

interface HostileUrl {
  readonly url: string;
  /** By what it is refused: its text, its address, or because it is not encrypted. */
  readonly refused: "url" | "private" | "never" | "https";
  readonly why: string;
  /** What the name in it resolves to. */
  readonly resolves?: readonly string[];
}

const FILE = join(import.meta.dirname, "../testdata/hostile-urls.jsonl");

const URLS = readFileSync(FILE, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as HostileUrl);

const REASONS = {
  url: /^the (URL|text) /,
  private: /is (?:the name of )?a private address; SVC_OUTBOUND_ALLOW does not name it$/,
  never: /is (?:the name of )?an address that the service never calls$/,
  https: /is (?:the name of )?a public address, which is called over https alone$/,
} as const;

/** Dialers are closed with the test, and an own one resolves each name. */
const dialers: OutboundDialer[] = [];
afterEach(() => Promise.all(dialers.splice(0).map((dialer) => dialer.close())));

function send({ url, resolves = [] }: HostileUrl, allowPrivate: boolean) {
  const dialer = new OutboundDialer({
    rules: { allow: [], allowPrivate },
    authorities: [],
    resolve: (_, __, done) =>
      done(
        null,
        resolves.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      ),
  });
  dialers.push(dialer);
  return dialer.send({ url, method: "GET", headers: {}, body: null, deadlineMs: 10_000, maxBytes: 10 });
}

describe("hostile URLs", () => {
  // proves OUT-05
  it("are 300 and more, each with its reason", () => {
    expect(URLS.length).toBeGreaterThanOrEqual(300);
    expect(URLS.filter(({ why }) => why.length < 5)).toEqual([]);
  });

  it.each([false, true])(
    "are refused before a connection is made, with private addresses: %s",
    async (all) => {
      const connected = vi.spyOn(Socket.prototype, "connect");
      const hostile = URLS.filter(({ refused, resolves }) => !(all && refused === "private") && !resolves);
      await expectRefused(hostile, all);
      expect(connected).not.toHaveBeenCalled();
    },
  );

  it.each([false, true])("are refused when their name was looked up, with private addresses: %s", (all) =>
    expectRefused(
      URLS.filter(({ refused, resolves }) => !(all && refused === "private") && resolves),
      all,
    ),
  );
});

async function expectRefused(hostile: readonly HostileUrl[], allowPrivate: boolean): Promise<void> {
  const found = await Promise.all(hostile.map(async (each) => [each, await send(each, allowPrivate)]));
  expect(found).toEqual(
    hostile.map((each) => [
      each,
      { kind: "refused", reason: expect.stringMatching(REASONS[each.refused]) as string },
    ]),
  );
}
