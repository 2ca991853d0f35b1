import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { GatewayApi } from "../api/gateway-api.ts";
import { findLeader } from "./find-leader.ts";

const SWITCH = { kill_switch_id: "ks_1", enforced: true, gateways: [], status: "inactive" };

async function apiThatAnswers(audit: readonly (readonly [status: number, body: object])[]) {
  const left = [...audit];
  const listener: RequestListener = (request, response) => {
    const isAudit = request.url?.startsWith("/api/v1/audit?") ?? false;
    const [status, body] = (isAudit ? left.shift() : [200, SWITCH]) ?? [500, {}];
    request.resume().on("end", () => response.writeHead(status).end(JSON.stringify(body)));
  };
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return new GatewayApi(new URL(`http://127.0.0.1:${String(port)}`), null);
}

const rowOf = (id: string) => ({ log_id: "gw-2", row: { action: "expired", kill_switch_id: id } });
const never = new AbortController().signal;

it("waits for the log of a gateway that has just started", async () => {
  const api = await apiThatAnswers([
    [503, { detail: "The index may be starting" }],
    [200, { rows: [rowOf("ks_0")] }],
    [200, { rows: [rowOf("ks_0"), rowOf("ks_1")] }],
  ]);
  expect(await findLeader(api, never)).toBe("gw-2");
});

it("does not wait where the key is refused", async () => {
  const api = await apiThatAnswers([[403, { detail: "no" }]]);
  await expect(findLeader(api, never)).rejects.toThrow("was answered 403: no");
});
