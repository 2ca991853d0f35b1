// alone: it bounds how long a revocation takes to be acknowledged
import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { callOf } from "../../support/server/api.ts";
import { clientOf, issueKey } from "../../support/server/api-keys.ts";
import { keepCalling, serverWithPolicy, untilCalled } from "../../support/server/key-calls.ts";

describe("a revocation", () => {
  // proves KEY-04
  it("refuses each call that begins after its answer, under load, and other keys go on", async () => {
    const { server, operator } = await serverWithPolicy();
    const [lost, kept] = [await issueKey(operator), await issueKey(operator)];
    const calls = keepCalling(() => clientOf(server, lost.key));
    const others = keepCalling(() => clientOf(server, kept.key));
    await untilCalled(calls, 0);
    const revoked = await operator("DELETE", `keys/${lost.id}`);
    const answeredMs = performance.now();
    expect(revoked).toMatchObject({ status: 200, body: { enforced: true, gateways: [{}] } });
    await untilCalled(calls, answeredMs);
    const after = (await calls.stop()).filter(({ beganMs }) => beganMs >= answeredMs);
    expect(new Set(after.map(({ status }) => status))).toEqual(new Set([401]));
    expect(new Set((await others.stop()).map(({ status }) => status))).toEqual(new Set([200]));
  });

  // proves KEY-04
  it("reaches a call whose body is still on its way", async () => {
    const { server, operator } = await serverWithPolicy();
    const { id, key } = await issueKey(operator);
    const body = JSON.stringify(callOf());
    const socket = connect(server.port, "127.0.0.1");
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    const lines = [
      "POST /v1/gateway/execute HTTP/1.1",
      `Host: 127.0.0.1:${String(server.port)}`,
      "Connection: close",
      "Content-Type: application/json",
      `Content-Length: ${String(body.length)}`,
      `Authorization: Bearer ${key}`,
    ];
    socket.write(`${lines.join("\r\n")}\r\n\r\n${body.slice(0, 10)}`);
    expect((await operator("DELETE", `keys/${id}`)).status).toBe(200);
    socket.write(body.slice(10));
    await once(socket, "close");
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 401 /);
  });
});
