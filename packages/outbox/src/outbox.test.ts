import type { OutboundOutcome, OutboundRequest } from "@svc/outbound/outbound-dialer";
import { systemClock } from "@svc/process/clock";
import { RepeatedWork } from "@svc/process/repeated-work";
import { nodeTimers } from "@svc/process/timers";
import { expect, it, onTestFinished } from "vitest";
import { type Endpoint, endpointDestination } from "./endpoint.ts";
import { Outbox } from "./outbox.ts";
import { SharedPages } from "./shared-pages.ts";
import { CourierWorld } from "./testing/courier-world.ts";
import { endpointOf } from "./testing/endpoint-of.ts";
import { MemoryDeliveries } from "./testing/memory-deliveries.ts";

const ANSWER: OutboundOutcome = { kind: "answer", status: 200, headers: {}, body: Buffer.of(), isCut: false };

/** Milliseconds between two looks at who takes deliveries. */
const LOOK_MS = 100;

/** An outbox over logs in memory. A host that begins with `hang` answers only when the request is ended. */
class OutboxWorld extends CourierWorld {
  readonly requests: OutboundRequest[] = [];
  readonly warnings: unknown[] = [];
  readonly stores = new Map<string, MemoryDeliveries>();
  endpoints: readonly Endpoint[] = [];
  leads = true;
  reads = 0;
  /** Set for a store that does not answer. */
  fault: Error | null = null;
  hangs = true;

  readonly outbox = new Outbox({
    deliveries: {
      course: async (id) => this.#storeOf(id).course(),
      change: async (change) => this.#storeOf(change.endpointId).change(change),
      due: async (id, nowMs, limit) => this.#storeOf(id).due(id, nowMs, limit),
    },
    pages: new SharedPages({
      audit: { eventRows: async ({ from }) => this.#page(from) },
      clock: systemClock,
    }),
    disable: async () => undefined,
    noteAttempt: () => undefined,
    digest: (text) => text.replaceAll("\n", "/"),
    leads: () => this.leads,
    clock: systemClock,
    timers: nodeTimers,
    log: { warn: (fields) => void this.warnings.push(fields) },
    random: () => 0,
  });

  start(): void {
    const dialer = { send: async (request: OutboundRequest) => this.#send(request) };
    const parts = { dialer, clock: systemClock };
    const looks = new RepeatedWork(nodeTimers, async () => {
      this.outbox.keep(this.endpoints.map((endpoint) => endpointDestination(parts, endpoint)));
      return LOOK_MS;
    });
    onTestFinished(async () => {
      await looks.stop();
      await this.outbox.stop();
    });
    looks.start(0);
  }

  sentTo(host: string): number {
    return this.requests.filter(({ url }) => new URL(url).hostname === host).length;
  }

  #storeOf(id: string): MemoryDeliveries {
    if (this.fault !== null) throw this.fault;
    const store = this.stores.get(id) ?? new MemoryDeliveries();
    this.stores.set(id, store);
    return store;
  }

  #page(from: Parameters<CourierWorld["read"]>[0]) {
    this.reads += 1;
    return this.read(from);
  }

  async #send(request: OutboundRequest): Promise<OutboundOutcome> {
    this.requests.push(request);
    if (!this.hangs || !new URL(request.url).hostname.startsWith("hang")) return ANSWER;
    const { promise, resolve } = Promise.withResolvers<OutboundOutcome>();
    request.signal?.addEventListener("abort", () => resolve({ kind: "failed", reason: "aborted" }));
    return promise;
  }
}

const at = (host: string): Endpoint => endpointOf({ id: `whk_${host}`, url: `https://${host}/in` });

it("delays no endpoint because of one that hangs", async () => {
  const world = new OutboxWorld();
  world.endpoints = [at("hang.example"), at("well.example")];
  world.append("a", 100);
  world.start();
  await expect.poll(() => world.sentTo("well.example")).toBe(100);
  expect(world.sentTo("hang.example")).toBe(8);
});

it("reads a page of the logs once for all endpoints that keep up", async () => {
  const world = new OutboxWorld();
  world.endpoints = Array.from({ length: 50 }, (_, n) => at(`h${String(n)}.example`));
  world.append("a", 100);
  world.start();
  await expect.poll(() => world.requests.length).toBe(5_000);
  expect(world.reads).toBeLessThan(50);
});

it("sends while it leads, to endpoints that are there", async () => {
  const world = new OutboxWorld();
  world.endpoints = [at("a.example")];
  world.start();
  world.append("a", 1);
  await expect.poll(() => world.sentTo("a.example")).toBe(1);
  world.endpoints = [at("b.example")];
  await expect.poll(() => world.sentTo("b.example")).toBe(1);
  world.append("a", 1);
  await expect.poll(() => world.sentTo("b.example")).toBe(2);
  expect(world.sentTo("a.example")).toBe(1);
  world.leads = false;
  world.append("a", 1);
  const { reads } = world;
  world.leads = true;
  await expect.poll(() => world.sentTo("b.example")).toBe(3);
  expect(world.reads).toBeGreaterThan(reads);
});

it("ends attempts without an answer when it leads no more or stops, and makes them again", async () => {
  const world = new OutboxWorld();
  world.endpoints = [at("hang.example")];
  world.append("a", 100);
  world.start();
  await expect.poll(() => world.requests.length).toBe(8);
  world.leads = false;
  const store = () => world.stores.get("whk_hang.example");
  await expect.poll(() => store()?.waiting.size).toBe(8);
  expect([world.requests.length, store()?.attempts, world.outbox.endpoints]).toEqual([8, [], 0]);
  world.hangs = false;
  world.leads = true;
  await expect.poll(() => store()?.attempts.length).toBe(100);
  expect(world.requests).toHaveLength(108);
  expect(new Set(world.requests.map(({ headers }) => headers["x-svc-delivery"])).size).toBe(100);
  world.hangs = true;
  world.append("a", 20);
  await expect.poll(() => world.requests.length).toBe(116);
  await world.outbox.stop();
  expect([world.requests.length, store()?.waiting.size, store()?.attempts.length]).toEqual([116, 8, 100]);
});

it("goes on where it was when the store answers again", async () => {
  const world = new OutboxWorld();
  world.fault = new Error("no store");
  world.endpoints = [at("a.example")];
  world.append("a", 3);
  world.start();
  await expect.poll(() => world.warnings.length).toBeGreaterThan(0);
  expect(world.requests).toEqual([]);
  world.fault = null;
  await expect.poll(() => world.sentTo("a.example")).toBe(3);
});
