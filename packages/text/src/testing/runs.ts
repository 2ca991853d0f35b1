/** Whether this is the long run of the tests: `npm run test:long`. */
export const isLongRun = process.env["SVC_TEST_RUNS"] === "long";

/**
 * How often a test of random or large data runs, as count.
 * @param quick in `npm test`: enough to find a fault that is not rare
 * @param long in `npm run test:long`
 */
export function runs(quick: number, long: number): number {
  return isLongRun ? long : quick;
}
