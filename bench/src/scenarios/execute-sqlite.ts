import type { Scenario } from "../scenario.ts";
import { compareExecute } from "./compare-execute.ts";

export const executeSqlite: Scenario = {
  name: "execute-sqlite",
  title: "Execute with durable audit, embedded store, beside bare node:http",
  run: async (bench) => {
    const plain = await compareExecute(bench, { name: "20 rules", ceilings: false, env: {} });
    const ceilings = await compareExecute(bench, {
      name: "20 rules, ceilings, 1,000 sessions",
      ceilings: true,
      env: {},
    });
    return { kind: "measured", figures: [...plain, ...ceilings], notes: [] };
  },
};
