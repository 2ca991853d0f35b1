import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parseStrictJson } from "@svc/text/strict-json";

/** Bytes of the heap that `work` leaves behind when garbage is collected. */
export function keptBytes(work: () => void): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  const before = process.memoryUsage().heapUsed;
  work();
  collect();
  return process.memoryUsage().heapUsed - before;
}

/** These names as a request has them: read out of a body of 15 KB, whose escape makes them pieces of it. */
export function namesInBody<Names extends Readonly<Record<string, string>>>(names: Names): Names {
  const rest = `\n${"x".repeat(15_000)}`;
  const read = parseStrictJson(Buffer.from(JSON.stringify({ ...names, rest })));
  if (!read.ok) throw new Error("expected a body");
  return read.value as unknown as Names;
}
