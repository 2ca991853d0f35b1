import { atLeast, atMost } from "../figure.ts";
import { findOpa } from "../peers/find-opa.ts";
import type { Scenario } from "../scenario.ts";
import { compareExecute } from "./compare-execute.ts";

export const executeSqlite: Scenario = {
  name: "execute-sqlite",
  title: "Execute with durable audit, embedded store, beside bare node:http and OPA, which keep nothing",
  run: async (bench) => {
    const opa = await findOpa(bench.say);
    const plain = await compareExecute(bench, {
      name: "20 rules",
      ceilings: false,
      env: {},
      targets: { rate: atLeast(0.8), p99: atMost(2) },
      opa: opa.program,
    });
    const ceilings = await compareExecute(bench, {
      name: "20 rules, ceilings, 1,000 sessions",
      ceilings: true,
      env: {},
      targets: { rate: atLeast(0.6), p99: atMost(3) },
      opa: null,
    });
    const missing = opa.program === null ? [opa.reason] : ["OPA uses every core, Node mostly one"];
    return { kind: "measured", figures: [...plain, ...ceilings], notes: missing };
  },
};
