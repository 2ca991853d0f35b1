import { findPostgresPrograms } from "@svc/process/find-postgres-programs";
import { startPostgresServer } from "@svc/store/testing/postgres-server";
import { atLeast, atMost } from "../figure.ts";
import { findOpa } from "../peers/find-opa.ts";
import type { Scenario } from "../scenario.ts";
import { compareExecute } from "./compare-execute.ts";

export const executePostgres: Scenario = {
  name: "execute-postgres",
  title: "Execute with durable audit, PostgreSQL on the same machine, beside bare node:http and OPA",
  run: async (bench) => {
    if (findPostgresPrograms() === null)
      return { kind: "not_measured", reason: "this machine has no PostgreSQL" };
    const server = await startPostgresServer();
    bench.cleanup.defer(() => server.stop());
    const env = async (): Promise<Record<string, string>> => ({
      SVC_DATABASE_URL: await server.createDatabase(),
    });
    const opa = await findOpa(bench.say);
    const plain = await compareExecute(bench, {
      name: "20 rules",
      ceilings: false,
      env: await env(),
      targets: { rate: atLeast(0.45), p99: atMost(3) },
      opa: opa.program,
    });
    const ceilings = await compareExecute(bench, {
      name: "20 rules, ceilings, 1,000 sessions",
      ceilings: true,
      env: await env(),
      targets: { rate: atLeast(0.35), p99: atMost(3) },
      opa: null,
    });
    return {
      kind: "measured",
      figures: [...plain, ...ceilings],
      notes: ["PostgreSQL shares the machine's cores", ...(opa.program === null ? [opa.reason] : [])],
    };
  },
};
