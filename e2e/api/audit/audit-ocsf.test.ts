import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import { createPolicy, execute, send } from "../../support/server/api.ts";
import { fetchWithKey } from "../../support/server/role-keys.ts";
import { serverOfTest } from "../../support/server/server-process.ts";

interface OcsfEvent {
  readonly class_uid: number;
  readonly activity_id: number;
  readonly metadata: { readonly event_code: string };
}

async function validatorOf(name: string): Promise<(event: unknown) => readonly unknown[]> {
  const path = join(import.meta.dirname, "..", "..", "testdata", "ocsf", `${name}-1.5.0.json`);
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  const validate = ajv.compile(JSON.parse(await readFile(path, "utf8")) as object);
  return (event) => (validate(event) ? [] : (validate.errors ?? []));
}

// proves AUD-45
it("an export in the form of OCSF is valid by its published schema, for every kind of row", async () => {
  const { url } = await serverOfTest();
  expect((await createPolicy(url)).status).toBe(201);
  const allowed = await execute(url, { session_id: "s-1" });
  await execute(url, { tool: "unknown.tool" });
  const report = { decision_id: allowed.body["decision_id"], status: "succeeded" };
  await send("POST", `${url}/v1/gateway/outcome`, { body: report });
  const stop = { scope: "agent", target_id: "a", reason: "test", activated_by: "me" };
  const stopped = await send("POST", `${url}/v1/kill-switch`, { body: stop });
  await send("POST", `${url}/v1/kill-switch`, { body: { ...stop, dry_run: true } });
  await send("DELETE", `${url}/v1/kill-switch/${String(stopped.body["kill_switch_id"])}`, {
    body: { reason: "over", deactivated_by: "me" },
  });
  await send("POST", `${url}/v1/legal-holds`, { body: { reason: "case" } });
  await send("POST", `${url}/v1/namespaces`, { body: { id: "prod" } });
  const answer = await fetchWithKey(`${url}/v1/audit/export?format=ocsf`);
  expect(answer.headers.get("content-type")).toContain("application/x-ndjson");
  const lines = (await answer.text()).trimEnd().split("\n");
  const events = lines.map((line) => JSON.parse(line) as OcsfEvent);
  const validators = {
    6003: await validatorOf("api_activity"),
    2004: await validatorOf("detection_finding"),
  };
  for (const event of events) {
    const faults = validators[event.class_uid as keyof typeof validators](event);
    expect({ event, faults }).toEqual({ event, faults: [] });
  }
  const seen = events.map(({ class_uid, metadata }) => `${String(class_uid)} ${metadata.event_code}`);
  expect(new Set(seen)).toEqual(
    new Set([
      "6003 policy.created",
      "6003 policy.assigned",
      "6003 decision",
      "6003 outcome",
      "2004 kill_switch.activated",
      "2004 kill_switch.deactivated",
      "6003 kill_switch.dry_run",
      "6003 legal_hold.placed",
      "6003 namespace.created",
      "6003 key.created",
    ]),
  );
  const decisions = await (await fetchWithKey(`${url}/v1/audit/export?format=ocsf&kind=decision`)).text();
  expect(decisions.trimEnd().split("\n")).toHaveLength(2);
  const refused = await send("GET", `${url}/v1/audit/export?format=cef`);
  expect(refused).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining("ndjson, ocsf") as string },
  });
});
