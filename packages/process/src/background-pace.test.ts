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

  nextPieceAfter(span: Span): number {
    this.#pass(span);
    return this.pace.nextPiece();
  }

  restAfter(span: Span): number {
    this.#pass(span);
    return this.pace.restMs();
  }

  #pass({ wallMs, ranMs, waitedMs, servingMs }: Span): void {
    const [own, serving] = [this.#own, this.#serving];
    this.#own = { ranNs: own.ranNs + ranMs * MS, waitedNs: own.waitedNs + waitedMs * MS };
    this.#serving = {
      ranNs: serving.ranNs + (servingMs * MS) / 2,
      waitedNs: serving.waitedNs + (servingMs * MS) / 2,
    };
    this.#nowMs += wallMs;
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

  const FREE: Span = { wallMs: 200, ranMs: 200, waitedMs: 0, servingMs: 0 };
  const NOTHING: Span = { wallMs: 0, ranMs: 0, waitedMs: 0, servingMs: 0 };

  /** A pace whose work has kept nobody waiting for long. */
  function eased(): Machine {
    const machine = new Machine(0.1);
    for (let window = 0; window < 8; window += 1) machine.restAfter(FREE);
    return machine;
  }

  test("a piece is small at first, and doubles with each window that kept nobody waiting", () => {
    const machine = new Machine(0.1);
    const pieces = Array.from({ length: 6 }, () => {
      const piece = machine.nextPieceAfter(NOTHING);
      machine.restAfter(FREE);
      return piece;
    });
    expect(pieces).toEqual([1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 1]);
  });

  test.each([
    {
      name: "a piece after a rest with a busy main thread is small",
      servingMs: 450,
      piece: 1 / 16,
    },
    { name: "a piece after a rest of the main thread too is whole", servingMs: 100, piece: 1 },
  ])("$name", ({ servingMs, piece }) => {
    expect(eased().nextPieceAfter({ wallMs: 500, ranMs: 0, waitedMs: 0, servingMs })).toBe(piece);
  });

  test("a moment of the main thread makes no piece small", () => {
    expect(eased().nextPieceAfter({ wallMs: 99, ranMs: 0, waitedMs: 0, servingMs: 99 })).toBe(1);
  });

  test("a piece after one that kept answers waiting is small", () => {
    const machine = eased();
    expect(machine.restAfter(BUSY)).toBeCloseTo(450);
    expect(machine.nextPieceAfter(NOTHING)).toBe(1 / 16);
  });

  test("a busy spell gets its share in any three seconds, also the first", () => {
    const machine = eased();
    /** Milliseconds of a processor for a whole piece, and how much slower it runs beside answers. */
    const [wholeMs, slowness] = [400, 3];
    const ran: { atMs: number; ms: number }[] = [];
    let atMs = 0;
    let restMs = 500;
    while (atMs < 20_000) {
      const piece = machine.nextPieceAfter({ wallMs: restMs, ranMs: 0, waitedMs: 0, servingMs: restMs });
      const ms = piece * wholeMs;
      atMs += restMs;
      ran.push({ atMs, ms });
      const wallMs = ms * slowness;
      restMs = machine.restAfter({ wallMs, ranMs: ms, waitedMs: wallMs - ms, servingMs: wallMs });
      atMs += wallMs;
    }
    for (let from = 0; from + 3_000 <= 20_000; from += 100) {
      const inWindow = ran.filter((one) => one.atMs >= from && one.atMs < from + 3_000);
      expect(inWindow.reduce((sum, { ms }) => sum + ms, 0)).toBeLessThanOrEqual(0.12 * 3_000);
    }
  });

  test("work whose time is not known is done in whole pieces", () => {
    const clocks = { own: () => null, serving: () => null, nowMs: () => 0 };
    expect(new BackgroundPace({ share: 0.1, maxRestMs: 900 }, clocks).nextPiece()).toBe(1);
  });
});
