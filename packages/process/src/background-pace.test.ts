import { describe, expect, test } from "vitest";
import { BackgroundPace } from "./background-pace.ts";
import type { ThreadTime } from "./thread-time.ts";

const MS = 1e6;

interface Span {
  readonly wallMs: number;
  readonly ranMs: number;
  readonly waitedMs: number;
  /** Milliseconds in which the main thread ran or wanted to. */
  readonly servingMs: number;
}

class Machine {
  #own: ThreadTime = { ranNs: 5 * MS, waitedNs: 7 * MS };
  #serving: ThreadTime = { ranNs: 3 * MS, waitedNs: 1 * MS };
  #nowMs = 1_000;
  readonly pace: BackgroundPace;

  constructor(share: number) {
    const clocks = { own: () => this.#own, serving: () => this.#serving, nowMs: () => this.#nowMs };
    this.pace = new BackgroundPace({ share, maxRestMs: 900 }, clocks);
  }

  restAfter({ wallMs, ranMs, waitedMs, servingMs }: Span): number {
    const [own, serving] = [this.#own, this.#serving];
    this.#own = { ranNs: own.ranNs + ranMs * MS, waitedNs: own.waitedNs + waitedMs * MS };
    this.#serving = {
      ranNs: serving.ranNs + (servingMs * MS) / 2,
      waitedNs: serving.waitedNs + (servingMs * MS) / 2,
    };
    this.#nowMs += wallMs;
    return this.pace.restMs();
  }
}

const BUSY: Span = { wallMs: 100, ranMs: 50, waitedMs: 50, servingMs: 90 };

describe("BackgroundPace", () => {
  test.each([
    { name: "work that never waited does not rest", span: { ...BUSY, ranMs: 100, waitedMs: 0 }, restMs: 0 },
    { name: "work that hardly waited does not rest", span: { ...BUSY, ranMs: 90, waitedMs: 10 }, restMs: 0 },
    { name: "work that kept answers waiting takes its share alone", span: BUSY, restMs: 450 },
    {
      name: "work that waited for other background work goes on",
      span: { ...BUSY, servingMs: 20 },
      restMs: 0,
    },
    {
      name: "a rest has an end",
      span: { ...BUSY, wallMs: 1_000, ranMs: 500, waitedMs: 500, servingMs: 900 },
      restMs: 900,
    },
    { name: "no work needs no rest", span: { ...BUSY, ranMs: 0, waitedMs: 0 }, restMs: 0 },
    { name: "a moment is not judged", span: { ...BUSY, wallMs: 99 }, restMs: 0 },
  ])("$name", ({ span, restMs }) => {
    expect(new Machine(0.1).restAfter(span)).toBeCloseTo(restMs);
  });

  test("a larger share rests less", () => {
    expect(new Machine(0.5).restAfter(BUSY)).toBeCloseTo(50);
  });

  test("moments add up to a window", () => {
    const machine = new Machine(0.1);
    const moment = { wallMs: 50, ranMs: 20, waitedMs: 20, servingMs: 45 };
    expect(machine.restAfter(moment)).toBe(0);
    expect(machine.restAfter(moment)).toBeCloseTo(360);
  });

  test("only the time since the last window counts", () => {
    const machine = new Machine(0.1);
    machine.restAfter(BUSY);
    expect(machine.restAfter({ ...BUSY, servingMs: 0 })).toBe(0);
  });

  test("work whose time is not known does not rest", () => {
    let nowMs = 0;
    const clocks = { own: () => null, serving: () => null, nowMs: () => (nowMs += 1_000) };
    expect(new BackgroundPace({ share: 0.1, maxRestMs: 900 }, clocks).restMs()).toBe(0);
  });
});
