import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { policyRoutes } from "@svc/api/policy-routes";
import { problem } from "@svc/contract/problem";
import { describe, expect, it, onTestFinished } from "vitest";
import { ControlClient } from "../connection/control-client.ts";
import { storeVersion, type VersionDraft } from "./store-version.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function clientOf(answer: Answer): Promise<ControlClient> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = new URL(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
  return new ControlClient({ url, apiKey: null, orgId: null, source: "--url" });
}

const { document, ...POLICY } = policyRoutes.getPolicy.answers[200].example;
const DRAFT: VersionDraft = {
  id: "demo",
  base: 1,
  value: document,
  from: { kind: "document", document: { source: "id: demo\n", mediaType: "application/yaml" } },
  why: "a test",
};

const send = (response: ServerResponse, status: number, body: unknown) =>
  void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

/** The answer to the change is lost; then the policy says this. */
const lost =
  (version: number, found: unknown): Answer =>
  ({ method }, response) =>
    method === "PUT" ? void response.destroy() : send(response, 200, { ...POLICY, version, document: found });

describe("storeVersion", () => {
  // proves CLI-43
  it("sends the version that it follows, and the text as it is", async () => {
    const seen: unknown[] = [];
    const client = await clientOf((request, response) => {
      const { url, headers } = request;
      seen.push([url, headers["if-match"], headers["content-type"]]);
      send(response, 200, policyRoutes.updatePolicy.answers[200].example);
    });
    expect(await storeVersion(client, DRAFT)).toMatchObject({ version: 2 });
    expect(seen).toEqual([["/api/v1/policies/demo?why=a+test", '"1"', "application/yaml"]]);
  });

  // proves CLI-43
  it("finds out that the version is stored when the answer was lost", async () => {
    const stored = await storeVersion(await clientOf(lost(2, document)), DRAFT);
    expect(stored).toMatchObject({ version: 2, gateways: [] });
  });

  // proves CLI-43
  it.each([
    ["is not stored so far", lost(1, document), 3, "Version 2 of policy demo is not stored so far"],
    ["is of another author", lost(2, { id: "demo" }), 1, "has version 2 of another author now"],
    ["was overtaken", lost(3, document), 1, "has version 3 of another author now"],
  ])("says plainly that the version %s", async (_name, answer, exitCode, text) => {
    await expect(storeVersion(await clientOf(answer), DRAFT)).rejects.toMatchObject({
      exitCode,
      message: expect.stringContaining(text) as string,
    });
  });

  // proves CLI-43
  it.each([
    ["version_moved", 1],
    ["conflict", 1],
    ["forbidden", 4],
    ["body_too_large", 2],
  ] as const)("ends with the refusal %s, and says that nothing was changed", async (code, exitCode) => {
    const refusal = problem(code, "the detail");
    const client = await clientOf((_, response) => send(response, refusal.status, refusal));
    await expect(storeVersion(client, DRAFT)).rejects.toMatchObject({
      exitCode,
      message: expect.stringMatching(/the detail[\s\S]*Policy demo was not changed\.$/) as string,
    });
  });

  // proves CLI-43
  it("says that nothing was changed when no server is there", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const url = new URL(`http://127.0.0.1:${String((closed.address() as AddressInfo).port)}`);
    closed.close();
    const client = new ControlClient({ url, apiKey: null, orgId: null, source: "--url" });
    await expect(storeVersion(client, DRAFT)).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining("Policy demo was not changed.") as string,
    });
  });
});
