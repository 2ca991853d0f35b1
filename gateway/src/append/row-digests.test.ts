import { createHash, createHmac } from "node:crypto";
import { canonicalJson } from "@svc/text/canonical-json";
import { beforeEach, describe, expect, it } from "vitest";
import { DIGEST_KEY } from "../testing/gateway-over.ts";
import { type TestGateway, testGateway } from "../testing/test-gateway.ts";

let gateway: TestGateway;

const rowOf = async (known: Parameters<TestGateway["execute"]>[0]) => {
  await gateway.execute(known);
  return gateway.rows().at(-1) ?? {};
};

beforeEach(async () => {
  gateway = await testGateway();
});

describe("digests in a row", () => {
  // proves AUD-53
  it("are keyed: a reader of the row without the key cannot try values out", async () => {
    const args = { pin: "1234" };
    const row = await rowOf({ args });
    const text = canonicalJson(args);
    const keyed = createHmac("sha256", DIGEST_KEY).update(text).digest("hex");
    expect(row["args_digest"]).toBe(`hmac-sha256:${keyed}`);
    expect(JSON.stringify(row)).not.toContain(createHash("sha256").update(text).digest("hex"));
  });

  // proves AUD-54
  it("name the call by organization, agent, session, tool and arguments", async () => {
    const call = { agent_id: "a-1", session_id: null, tool: "db.read", args: { b: [1], a: "Zürich" } };
    const row = await rowOf(call);
    const { agent_id: agent, session_id: session, tool, args } = call;
    const text = canonicalJson({ agent, args, org: "default", session, tool });
    const keyed = createHmac("sha256", DIGEST_KEY).update(text).digest("hex");
    expect(row["call_digest"]).toBe(`hmac-sha256:${keyed}`);
  });

  // proves AUD-54
  it("tell calls apart that differ in one of them, and no others", async () => {
    const call = { agent_id: "a-1", session_id: "s-1", tool: "db.read", args: { a: 1 } };
    const others = [{ agent_id: "a-2" }, { session_id: "s-2" }, { session_id: null }, { tool: "db.write" }];
    const rows = [await rowOf(call)];
    for (const other of [...others, { args: { a: 2 } }]) rows.push(await rowOf({ ...call, ...other }));
    expect(new Set(rows.map((row) => row["call_digest"])).size).toBe(rows.length);
    const again = await rowOf({ ...call, namespace: "other", cost_micro_usd: 5 });
    expect(again["call_digest"]).toBe(rows[0]?.["call_digest"]);
  });
});
