import { relative } from "node:path";
import { afterAll, expect } from "vitest";
import { takePlace } from "./file-places.ts";

// A file that mostly waits needs no place: it runs beside those that keep a processor busy.
const { SVC_TEST_PLACES: places, SVC_TEST_PLACE_COUNT: count, SVC_TEST_WAITING: waiting = "" } = process.env;
const path = relative(process.cwd(), expect.getState().testPath ?? "");
if (places !== undefined && !waiting.split(":").includes(path)) {
  const give = await takePlace(places, Number(count));
  // The hooks of the test file are declared later and run earlier.
  afterAll(give);
}
