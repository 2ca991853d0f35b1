import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { CONDITION_MS } from "@svc/contract/testing/condition-limit";
import { expect, it } from "vitest";
import type { ModuleResult } from "./evaluation.ts";
import { evaluatorFactory } from "./evaluator-factory.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as (options: { readonly execution: "async" }) => Promise<void>;

it("keeps a module while its last call waits, and forgets it afterwards", async () => {
  const said = Promise.withResolvers<ModuleResult>();
  const closed: string[] = [];
  const make = evaluatorFactory({
    prepare: async (_, { policyId }) => ({
      evaluate: () => said.promise,
      close: () => void closed.push(policyId),
    }),
    explain: () => Promise.reject(new Error("nothing is explained here")),
  });
  const module = { text: "", data: null, workflow: null };
  const ask = async (policyId: string) => {
    const evaluator = await make(module, { organization: "o", policyId, version: 1 });
    return policyId === "asked" ? evaluator.evaluate("{}") : null;
  };
  const waiting = ask("asked");
  await ask("unasked");
  const collected = async () => {
    await collect({ execution: "async" });
    return closed;
  };
  await expect.poll(collected, { timeout: CONDITION_MS }).toEqual(["unasked"]);
  said.resolve({ kind: "messages", deny: [], requireApproval: [] });
  expect(await waiting).toMatchObject({ decision: "allow" });
  await expect.poll(collected, { timeout: CONDITION_MS }).toEqual(["unasked", "asked"]);
});
