import fc from "fast-check";
import { Histogram, Registry } from "prom-client";
import { expect, it } from "vitest";
import { DurationHistogram } from "./duration-histogram.ts";

const options = { name: "svc_x_seconds", help: "Time of x" };
const bucketsS = [0.0005, 0.001, 0.25, 1];

it("is scraped as prom-client's own histogram, after any observations", async () => {
  const seconds = fc.oneof(fc.constantFrom(0, ...bucketsS), fc.double({ min: 0, max: 3, noNaN: true }));
  await fc.assert(
    fc.asyncProperty(fc.array(seconds), async (observations) => {
      const [ours, theirs] = [new Registry(), new Registry()];
      const own = new DurationHistogram({ ...options, bucketsS, registry: ours });
      const other = new Histogram({ ...options, buckets: bucketsS, registers: [theirs] });
      for (const each of observations) {
        own.observe(each);
        other.observe(each);
      }
      expect(await ours.metrics()).toBe(await theirs.metrics());
    }),
  );
});
