import type { JsonObject } from "@svc/text/json-value";
import { parseStrictJsonText } from "@svc/text/strict-json-text";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  DIALECTS,
  type Dialect,
  receivedEvents,
  sentEvents,
  type WrittenCall,
} from "../testing/streamed-answers.ts";
import { type ModelAnswer, readStreamedAnswer } from "./model-answer.ts";

const MAX_BYTES = 1024 * 1024;

/** Null when the answer is refused. */
function parse({ shape }: Dialect, text: string): ModelAnswer | null {
  const parsed = readStreamedAnswer(Buffer.from(text), shape, MAX_BYTES);
  return parsed.ok ? parsed.value : null;
}

function parseSound(dialect: Dialect, text: string): ModelAnswer {
  const parsed = parse(dialect, text);
  if (parsed === null) throw new Error("a sound answer was refused");
  return parsed;
}

/** What a simple client executes after the given rewrites. */
function executed(
  dialect: Dialect,
  { calls: judged, render }: ModelAnswer,
  shaped: readonly (JsonObject | null)[] = judged.map(() => null),
): readonly object[] {
  const forwarded = render(shaped);
  if (!forwarded.ok) throw new Error(forwarded.deny.reason);
  const events = receivedEvents(Buffer.from(forwarded.value).toString());
  return dialect.read(events).map(({ tool, text }) => ({ tool, args: text === "" ? {} : JSON.parse(text) }));
}

/** Arguments that are strict JSON, separators of lines and emoji among them. */
const args = fc
  .dictionary(
    fc.constantFrom("a", "b", "\u2028", "Ä", "nested"),
    fc.oneof(
      fc.string({ unit: fc.constantFrom("x", '"', "\\", "\n", "\u0085", "\u2028", "😀", ":", "}") }),
      fc.jsonValue({ maxDepth: 2 }),
    ),
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as object)
  .filter((value) => parseStrictJsonText(JSON.stringify(value)).ok);

interface Written {
  readonly tool: string;
  readonly args: object;
  readonly shaped: object | null;
  readonly cuts: readonly number[];
  readonly isSpaced: boolean;
}

const calls: fc.Arbitrary<readonly Written[]> = fc.array(
  fc.record({
    tool: fc.constantFrom("payments.refund", "b", "c-d"),
    args,
    shaped: fc.option(args),
    cuts: fc.array(fc.nat(200), { maxLength: 6 }),
    isSpaced: fc.boolean(),
  }),
  { minLength: 1, maxLength: 3 },
);

/** Cuts between characters; two equal cuts leave an empty piece between. */
function cut({ tool, args: value, cuts, isSpaced }: Written): WrittenCall {
  const characters = Array.from(JSON.stringify(value, null, isSpaced ? 1 : 0));
  const at = [0, ...cuts.map((place) => place % (characters.length + 1)), characters.length].sort(
    (a, b) => a - b,
  );
  return { tool, pieces: at.slice(1).map((end, index) => characters.slice(at[index], end).join("")) };
}

/** The same events in another of the forms that the standard allows. */
function disguise(text: string, { lineEnd, comments }: { lineEnd: string; comments: boolean }): string {
  const spaced = comments ? text.replaceAll("data: ", ": keep alive\nid: 7\nretry: 10\ndata:") : text;
  return spaced.replaceAll("\n", lineEnd);
}

const disguises = fc.record({ lineEnd: fc.constantFrom("\n", "\r\n", "\r"), comments: fc.boolean() });

/** Generated answers for each test: a few seconds for all of them together. */
const RUNS = runs(40, 400);

/** Milliseconds for one test, on a machine that is busy with other things. */
const TIMEOUT_MS = 60_000;

// proves XPR-12
describe.each(DIALECTS)("$name", { timeout: TIMEOUT_MS }, (dialect) => {
  it("any cut of an answer gives the same calls, and a simple client reads what was judged", () => {
    fc.assert(
      fc.property(calls, disguises, (written, form) => {
        const text = disguise(sentEvents(dialect.write(written.map(cut)), dialect.endsWithDone), form);
        const parsed = parseSound(dialect, text);
        const wanted = written.map(({ tool, args: value }) => ({ tool, args: value }));
        expect(parsed.calls).toEqual(wanted);
        expect(executed(dialect, parsed)).toEqual(wanted);
      }),
    );
  });

  it("X8: a simple client executes the rewritten arguments and nothing of the old ones", () => {
    fc.assert(
      fc.property(calls, (written) => {
        const parsed = parseSound(dialect, sentEvents(dialect.write(written.map(cut)), dialect.endsWithDone));
        const wanted = written.map(({ tool, args: value, shaped }) => ({ tool, args: shaped ?? value }));
        const rewrites = written.map(({ shaped }) => shaped as JsonObject | null);
        expect(executed(dialect, parsed, rewrites)).toEqual(wanted);
      }),
    );
  });

  it("whatever is missing, twice or in another place, no call goes on unjudged", () => {
    fc.assert(
      fc.property(
        calls,
        fc.nat(),
        fc.nat(),
        fc.constantFrom("drop", "repeat", "move"),
        (written, one, other, way) => {
          const events = [...dialect.write(written.map(cut))];
          const at = one % events.length;
          const to = other % events.length;
          const [event] = way === "repeat" ? [events[at]!] : events.splice(at, 1);
          if (way !== "drop") events.splice(to, 0, event!);
          const parsed = parse(dialect, sentEvents(events, dialect.endsWithDone));
          if (parsed === null) return;
          const judged = parsed.calls.map((call) => JSON.stringify(call));
          for (const call of executed(dialect, parsed)) expect(judged).toContain(JSON.stringify(call));
        },
      ),
      { numRuns: RUNS * 2 },
    );
  });
});
