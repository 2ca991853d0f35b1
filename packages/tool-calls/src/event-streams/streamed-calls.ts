import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { strictText } from "@svc/text/strict-text";
import type { ModelCall } from "../model-answers/model-call.ts";
import { denied, ok, type Result } from "../result.ts";
import { type AnswerEvents, renderAnswerEvents } from "./answer-events.ts";

/** A place in an answer: the index of an event, and the path to a member of it. */
export type Place = readonly [event: number, ...path: (string | number)[]];

/** The places of the arguments of one call in the events of an answer. */
export interface ArgumentPlaces {
  /** Texts that together form the arguments as JSON; empty when the arguments cannot be rewritten. */
  readonly fragments: readonly Place[];
  /** Texts that repeat the whole arguments. */
  readonly repeats: readonly Place[];
}

/** One call of an answer that came as events. */
export interface StreamedCall extends Pick<ModelCall, "tool" | "args">, ArgumentPlaces {}

/** Joins calls with the places that they were assembled from, both in the same order. */
export function placeCalls(
  calls: Result<readonly ModelCall[]>,
  places: readonly ArgumentPlaces[],
): Result<readonly StreamedCall[]> {
  if (!calls.ok) return calls;
  if (calls.value.length !== places.length) {
    return denied("internal_error", "The events of the answer do not match its calls.");
  }
  return ok(
    calls.value.map(({ tool, args, form }, index) => {
      const { fragments = [], repeats = [] } = form === "none" ? {} : (places[index] ?? {});
      return { tool, args, fragments, repeats };
    }),
  );
}

/**
 * The canonical bytes of an answer that came as events.
 * @param shaped the rewritten arguments of each call, null where they stay
 */
export function renderWithCalls(
  { values, isDone }: AnswerEvents,
  calls: readonly StreamedCall[],
  shaped: readonly (JsonObject | null)[],
): Result<Uint8Array> {
  const rewritten = rewriteCalls(values, calls, shaped);
  return rewritten.ok ? ok(renderAnswerEvents(rewritten.value, isDone)) : rewritten;
}

/**
 * Writes the new arguments into the first fragment, so that every reader that concatenates the
 * fragments gets them.
 */
function rewriteCalls(
  values: readonly JsonObject[],
  calls: readonly StreamedCall[],
  shaped: readonly (JsonObject | null)[],
): Result<readonly JsonObject[]> {
  const texts = new Map<Place, string>();
  for (const [index, { fragments, repeats }] of calls.entries()) {
    const args = shaped[index] ?? null;
    if (args === null) continue;
    if (fragments.length === 0) {
      return denied("shaping_unsupported", "The arguments of this call cannot be rewritten in its events.");
    }
    const whole = strictText(args);
    for (const [position, place] of fragments.entries()) texts.set(place, position === 0 ? whole : "");
    for (const place of repeats) texts.set(place, whole);
  }
  return ok(putTexts(values, texts));
}

/** Copies each changed event once, however many of its places change. */
function putTexts(values: readonly JsonObject[], texts: ReadonlyMap<Place, string>): readonly JsonObject[] {
  const changed = new Map<number, Members>();
  for (const [[event, ...path], text] of texts) {
    const copy = changed.get(event) ?? (structuredClone(values[event]) as Members);
    changed.set(event, copy);
    const owner = path.slice(0, -1).reduce((value, step) => value[step] as Members, copy);
    owner[path.at(-1) ?? ""] = text;
  }
  return values.map((value, index) => changed.get(index) ?? value);
}

/** An object or a list, by name or place. */
interface Members {
  [step: string | number]: JsonValue | Members;
}
