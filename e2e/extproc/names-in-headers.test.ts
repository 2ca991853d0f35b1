// peers: envoy
import { loadVectors } from "@svc/text/testing/vectors-suite";
import { headerOfName } from "@svc/tool-calls/name-in-header";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ExtprocStage, startStage } from "../support/adapters/extproc-stage.ts";
import { ALLOW, verdict } from "../support/adapters/gateway-verdicts.ts";
import { toolsCall } from "../support/adapters/tools-call.ts";
import { missing } from "../support/processes/missing-peers.ts";
import type { ConfigurationChange } from "../support/proxies/envoy-process.ts";
import { sendBytes } from "../support/requests/raw-http.ts";

const SPELLINGS = loadVectors<{ readonly text: string }>("spellings").map(({ text }) => text);

/** Another proxy in front of this Envoy names the caller. */
const TRUSTS_HEADERS: readonly ConfigurationChange[] = [
  ["- remove_on_match: { key_matcher: { prefix: x-svc-, ignore_case: true } }", "- remove: x-svc-decision"],
  [/ +- append:\n +header: \{ key: x-svc-agent-id, value: refund-agent \}\n +append_action: \w+\n/, ""],
];

const NAMES = ["x-svc-agent-id", "x-svc-session-id", "x-svc-namespace"] as const;

// skip: a machine without Envoy; the runner says why there is none
describe.skipIf(missing.envoy)("names in headers behind a real Envoy", () => {
  let stage: ExtprocStage;
  beforeAll(async () => {
    stage = await startStage({ changes: TRUSTS_HEADERS });
  });
  afterAll(() => stage?.close());
  beforeEach(() => {
    stage.reset();
    stage.gateway.respondWith(verdict(ALLOW));
  });

  /** One call whose headers hold these characters, each as one byte. */
  async function callWith(headers: Readonly<Record<string, string>>, tool = "orders.read") {
    const body = Buffer.from(toolsCall({}, tool));
    const head = [
      "POST /mcp HTTP/1.1",
      "host: 127.0.0.1",
      "connection: close",
      "content-type: application/json",
      `content-length: ${String(body.length)}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ];
    const bytes = Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"), body]);
    return sendBytes(stage.envoy.port, bytes);
  }

  const namedAlike = (value: string) => Object.fromEntries(NAMES.map((name) => [name, value]));

  // proves NAME-03, NAME-07
  it("47 spellings reach the gateway as they are, decoded once", async () => {
    const answers = SPELLINGS.map(async (text) => {
      const answer = await callWith(namedAlike(headerOfName(text)), text);
      return [text, answer.status];
    });
    expect(await Promise.all(answers)).toEqual(SPELLINGS.map((text) => [text, 200]));
    const wanted = SPELLINGS.map((text) => ({
      agent_id: text,
      session_id: text,
      namespace: text,
      tool: text,
    }));
    // They were asked about side by side, in any order.
    expect(stage.asked()).toHaveLength(wanted.length);
    expect(stage.asked()).toEqual(
      expect.arrayContaining(wanted.map((each) => expect.objectContaining(each) as object)),
    );
    expect(stage.backend.seen).toHaveLength(SPELLINGS.length);
  });

  // proves NAME-07
  it.each([
    ["100%25", "100%"],
    ["a%2541", "a%41"],
    ["caf%c3%a9", "caf\u00e9"],
    ["Sales%2C EMEA", "Sales, EMEA"],
  ])("%s is %s", async (header, name) => {
    expect((await callWith(namedAlike(header))).status).toBe(200);
    expect(stage.asked()).toMatchObject([{ agent_id: name, session_id: name, namespace: name }]);
  });

  // proves NAME-08
  it.each(NAMES)("%s is refused with what is not a name, and nothing is asked", async (name) => {
    const answers = [
      ["bytes of UTF-8", "caf\u00c3\u00a9"],
      ["a byte of Latin-1", "caf\u00e9"],
      ["a byte that no text has", "a\u00ff"],
      ["a percent sign alone", "100%"],
      ["half an escape", "a%4"],
      ["an escape without digits", "a%zz"],
      ["half a character", "a%C3"],
      ["a comma", "a, b"],
    ].map(async ([what = "", value = ""]) => {
      const { status, body } = await callWith({ "x-svc-agent-id": "agent-1", [name]: value });
      expect([what, status, JSON.parse(body)]).toMatchObject([what, 403, { decision: "deny" }]);
    });
    await Promise.all(answers);
    expect([stage.asked(), stage.backend.seen]).toEqual([[], []]);
  });
});
