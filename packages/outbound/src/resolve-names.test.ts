import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { CONDITION_MS } from "@svc/contract/testing/condition-limit";
import { expect, it, onTestFinished } from "vitest";
import { OutboundDialer } from "./outbound-dialer.ts";
import { resolveNames } from "./resolve-names.ts";

type Sources = Parameters<typeof resolveNames>[0];
type Lookup = Sources["system"];

const SILENT = Array.from({ length: 12 }, (_, index) => `silent-${String(index)}.example`);
const ABSENT = Array.from({ length: 12 }, (_, index) => `absent-${String(index)}.example`);
const LOCAL = [{ address: "127.0.0.1", family: 4 }];

const fault = (code: string): Error => Object.assign(new Error(`query ${code}`), { code });

/** Name servers that know some names, never answer some, and say of all others that they do not exist. */
function servers(known: Readonly<Record<string, readonly string[]>>): Sources["servers"] {
  const answer = async (host: string, isV6: boolean): Promise<string[]> => {
    if (host.startsWith("silent")) return Promise.withResolvers<string[]>().promise;
    if (host.startsWith("failing")) throw fault("ESERVFAIL");
    const found = (known[host] ?? []).filter((address) => address.includes(":") === isV6);
    if (found.length === 0) throw fault(known[host] === undefined ? "ENOTFOUND" : "ENODATA");
    return found;
  };
  const resolve4 = async (host: string) => answer(host, false);
  return () => ({ resolve4, resolve6: async (host) => answer(host, true), cancel: () => undefined });
}

/** Lookups of the system that hang until `release` is called, and how many there were at once. */
function hangingSystem() {
  let inFlight = 0;
  let most = 0;
  const asked: string[] = [];
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const system: Lookup = async (host) => {
    asked.push(host);
    inFlight += 1;
    most = Math.max(most, inFlight);
    await promise;
    inFlight -= 1;
    throw fault("ENOTFOUND");
  };
  return { system, asked, most: () => most, release };
}

const localSystem: Lookup = async () => LOCAL;

async function outcomeOf(sources: Sources, hosts: readonly string[], allowPrivate = true) {
  const server = createServer((_, response) => response.end());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const resolve = resolveNames(sources);
  const dialer = new OutboundDialer({ rules: { allow: [], allowPrivate }, authorities: [], resolve });
  onTestFinished(async () => {
    await dialer.close();
    server.closeAllConnections();
    server.close();
  });
  const asked = { method: "GET", headers: {}, body: null, deadlineMs: CONDITION_MS, maxBytes: 1_024 };
  const all = hosts.map((host) => dialer.send({ ...asked, url: `http://${host}:${String(port)}/` }));
  return all.at(-1);
}

// proves OUT-09
it("reaches a name while a dozen others are never answered, and takes no thread for those", async () => {
  const { system, asked } = hangingSystem();
  const sources = { servers: servers({ "well.example": ["127.0.0.1"] }), system };
  expect(await outcomeOf(sources, [...SILENT, "well.example"])).toMatchObject({ status: 200 });
  expect(asked).toEqual([]);
});

// proves OUT-09
it("looks two names up by the system at once, whatever many do not exist", async () => {
  const { system, asked, most, release } = hangingSystem();
  const sources = { servers: servers({ "well.example": ["127.0.0.1"] }), system };
  expect(await outcomeOf(sources, [...ABSENT, "well.example"])).toMatchObject({ status: 200 });
  expect(asked).toEqual(ABSENT.slice(0, 2));
  release();
  await expect.poll(() => asked, { timeout: CONDITION_MS }).toEqual(ABSENT);
  expect(most()).toBe(2);
});

it.each(["host-file.internal", "localhost"])("reaches %s, which the system alone knows", async (host) => {
  const sources = { servers: servers({ localhost: ["8.8.8.8"] }), system: localSystem };
  expect(await outcomeOf(sources, [host])).toMatchObject({ status: 200 });
});

it.each([
  ["A", ["8.8.8.8", "10.0.0.1"]],
  ["AAAA", ["8.8.8.8", "fd00::1"]],
])("judges addresses of %s records", async (_, addresses) => {
  const sources = { servers: servers({ "mixed.example": addresses }), system: localSystem };
  const outcome = await outcomeOf(sources, ["mixed.example"], false);
  expect(outcome).toMatchObject({ kind: "refused" });
});

it.each([
  ["absent.example", "the name absent.example does not exist, or it has no address"],
  ["failing.example", "the name servers gave no address of failing.example (ESERVFAIL)"],
])("says of %s why it was not found", async (host, reason) => {
  const { system, release } = hangingSystem();
  release();
  expect(await outcomeOf({ servers: servers({}), system }, [host])).toEqual({ kind: "failed", reason });
});

it("hands on addresses of both families in turn", async () => {
  const known = { "both.example": ["8.8.8.8", "8.8.4.4", "2606:4700::1"] };
  const resolve = resolveNames({ servers: servers(known), system: localSystem });
  const { promise, resolve: settle } = Promise.withResolvers<readonly string[]>();
  resolve("both.example", { all: true }, (_, found) => settle(found.map(({ address }) => address)));
  expect(await promise).toEqual(["8.8.8.8", "2606:4700::1", "8.8.4.4"]);
});
