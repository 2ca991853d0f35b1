import type { JsonObject, JsonValue } from "@svc/text/json-value";

/** Bytes of arguments that fit into one question beside the names. */
const LARGEST_BYTES = 255 * 1024;

const fill = (unit: string): string =>
  unit.repeat(LARGEST_BYTES / Buffer.byteLength(JSON.stringify(unit).slice(1, -1)));
const ones = (): number[] => Array.from({ length: LARGEST_BYTES / 2 }, () => 1);
const nested = (levels: number): JsonValue => (levels === 0 ? ones() : [nested(levels - 1)]);

/** Arguments as large as they may be, and whether even one line of them is too long for a form. */
export const LARGEST: readonly (readonly [name: string, args: JsonObject, isTooLong: boolean])[] = [
  [
    "rows of numbers",
    { rows: Array.from({ length: 13_000 }, () => Array.from({ length: 9 }, () => 1)) },
    false,
  ],
  ["numbers in the deepest list", { deep: nested(60) }, false],
  ["members", Object.fromEntries(Array.from({ length: 24_000 }, (_, at) => [`k${at}`, 1])), false],
  ["plain text", { text: fill("a") }, false],
  ["quotes", { text: fill('"') }, false],
  ["letters of two bytes", { text: fill("é") }, false],
  ["hidden characters", { text: fill("\u200b") }, false],
  ["hidden characters of one byte", { text: fill("\u007f") }, true],
];
