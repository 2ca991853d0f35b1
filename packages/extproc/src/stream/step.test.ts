import { failClosedDeny } from "@svc/contract/verdict";
import { runs } from "@svc/text/testing/runs";
import { ok } from "@svc/tool-calls/result";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BodyMode, Direction, Incoming, Part } from "../wire/processing-request.ts";
import { NO_CHANGES } from "../wire/processing-response.ts";
import { type Step, type StreamRules, step } from "./step.ts";
import { type Effect, initialState, type Ruling, type StreamEvent } from "./stream-state.ts";

/** Sequences per property, as count. */
const RUNS = runs(2_000, 100_000);

const rulesOf = (judges: Direction): StreamRules<string> => ({
  plan: () => ok({ judges, changes: NO_CHANGES, route: "r" }),
  fallbackMode: "BUFFERED",
  maxBytes: { request: 20, response: 20 },
});

const direction = fc.constantFrom<Direction>("request", "request", "response");
const modes: readonly BodyMode[] = [
  "NONE",
  "STREAMED",
  "BUFFERED",
  "BUFFERED_PARTIAL",
  "FULL_DUPLEX_STREAMED",
  "GRPC",
  9,
];
const part: fc.Arbitrary<Part | null> = fc.oneof(
  fc.record({
    kind: fc.constant("headers" as const),
    direction,
    headers: fc.constant(new Map<string, string[]>()),
    last: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant("body" as const),
    direction,
    bytes: fc.uint8Array({ maxLength: 12 }),
    last: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant("trailers" as const),
    direction,
    names: fc.constant(["x-svc-decision", "x"]),
  }),
  fc.constant(null),
);
const message: fc.Arbitrary<Incoming> = fc.record({
  part,
  observed: fc.constant(false),
  modes: fc.option(fc.record({ request: fc.constantFrom(...modes), response: fc.constantFrom(...modes) })),
  attributes: fc.constant(new Map<string, string>()),
});
const refuse: Ruling = { kind: "refuse", verdict: failClosedDeny("rule", "no") };
const release: Ruling = { kind: "release", mark: "allow", body: null, changes: NO_CHANGES };

const other = fc.constantFrom<StreamEvent>(
  { kind: "half_closed" },
  { kind: "expired" },
  { kind: "shutdown" },
);
const events = (ruling: fc.Arbitrary<Ruling>): fc.Arbitrary<readonly StreamEvent[]> =>
  fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.record({ kind: fc.constant("message" as const), message }) },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant("ruling" as const), direction, ruling }) },
      { weight: 1, arbitrary: other },
    ),
    { maxLength: 12 },
  );

interface Trace {
  readonly steps: readonly Step<string>[];
  readonly effects: readonly Effect<string>[];
  readonly answers: readonly string[];
}

function run(sequence: readonly StreamEvent[], judges: Direction): Trace {
  const steps: Step<string>[] = [];
  let state = initialState<string>();
  for (const event of sequence) {
    const next = step(state, event, rulesOf(judges));
    steps.push(next);
    state = next.state;
  }
  const effects = steps.flatMap((each) => each.effects);
  const answers = effects.flatMap((effect) => (effect.kind === "send" ? Object.keys(effect.response) : []));
  return { steps, effects, answers };
}

function hasMark(effects: readonly Effect<string>[]): boolean {
  return JSON.stringify(effects).includes('"key":"x-svc-decision"');
}

/** Milliseconds for one test of generated orders, on a machine that is busy with other things. */
const TIMEOUT_MS = 60_000;

describe("the machine of one stream", { timeout: TIMEOUT_MS }, () => {
  it.each<Direction>(["request", "response"])("X1: without a release no judged %s goes on", (judges) => {
    fc.assert(
      fc.property(events(fc.constant(refuse)), (sequence) => {
        const { answers, effects } = run(sequence, judges);
        const passed = answers.filter((name) => name === `${judges}_body` || name === `${judges}_trailers`);
        expect(passed).toEqual([]);
        if (judges === "request") {
          const marked = effects.filter(
            (effect) => effect.kind === "send" && !("immediate_response" in effect.response),
          );
          expect(hasMark(marked)).toBe(false);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it.each<Direction>(["request", "response"])(
    "X1: ends with OK only when nothing is owed to a %s",
    (judges) => {
      fc.assert(
        fc.property(events(fc.constantFrom(refuse, release)), (sequence) => {
          let refused = false;
          for (const { state, effects } of run(sequence, judges).steps) {
            for (const effect of effects) {
              refused ||= effect.kind === "send" && "immediate_response" in effect.response;
              if (effect.kind !== "end") continue;
              expect(refused || state.legs[judges].stage === "released").toBe(true);
            }
          }
        }),
        { numRuns: RUNS },
      );
    },
  );

  it("nothing is answered behind the last word", () => {
    fc.assert(
      fc.property(events(fc.constantFrom(refuse, release)), (sequence) => {
        const { answers } = run(sequence, "request");
        const at = answers.indexOf("immediate_response");
        if (at >= 0) expect(at).toBe(answers.length - 1);
      }),
      { numRuns: RUNS },
    );
  });

  it("a verdict is asked for at most once for each leg, and only of whole messages", () => {
    fc.assert(
      fc.property(events(fc.constantFrom(refuse, release)), (sequence) => {
        expect(run(sequence, "request").effects.filter(({ kind }) => kind === "judge").length).toBeLessThan(
          2,
        );
      }),
      { numRuns: RUNS },
    );
  });
});
