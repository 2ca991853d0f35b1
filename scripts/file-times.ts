import { relative } from "node:path";

/** What a file of tests took. */
export interface FileTimes {
  /** Full path of the file. */
  readonly name: string;
  readonly ms: number;
  /** Of the file and of the processes that it started, on all processors. */
  readonly processorMs: number;
}

/** Most files that are listed, as count. */
const LISTED = 20;

/** Reads what test files recorded, a line each. */
export function parseTimes(text: string): readonly FileTimes[] {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as FileTimes);
}

/** A table of the slowest files. One with far less processor time than time waits for something. */
export function renderSlowest(times: readonly FileTimes[], root: string): string {
  const slowest = times.toSorted((one, other) => other.ms - one.ms).slice(0, LISTED);
  const rows = slowest.map(
    ({ name, ms, processorMs }) => `${inSeconds(ms)}${inSeconds(processorMs)}  ${relative(root, name)}`,
  );
  const sum = (key: "ms" | "processorMs") => inSeconds(times.reduce((total, file) => total + file[key], 0));
  return [
    "Seconds  Processor  File",
    ...rows,
    `${sum("ms")}${sum("processorMs")}  all ${times.length} files`,
  ].join("\n");
}

function inSeconds(ms: number): string {
  return (ms / 1_000).toFixed(1).padStart(9);
}
