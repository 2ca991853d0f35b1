import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { findFreePort } from "@svc/process/free-port";

/**
 * The program `svc-server` with a planted defect in the gateway `drill-2`: a real server, and in front of it
 * one that lies about calls. `LIE` says how.
 * `deaf`: an agent that was allowed once is always allowed. `lossy`: an allow names a row that is not there.
 * `slow`: every answer comes later than adapters wait. `REAL_SERVER` is the file of the real one.
 */
const { LIE, REAL_SERVER = "" } = process.env;

/** Milliseconds: more than an adapter waits by default. */
const TOO_LATE_MS = 5_500;

const STOPPED_AGENT = "drill-agent";

let rememberedAllow: string | null = null;
let rowsInvented = 0;

async function lieAbout(request: string, answer: string): Promise<string> {
  const verdict = JSON.parse(answer) as Record<string, unknown>;
  const isAllow = verdict["decision"] === "allow";
  switch (LIE) {
    case "deaf":
      if (!request.includes(STOPPED_AGENT)) return answer;
      if (isAllow) rememberedAllow = answer;
      return rememberedAllow ?? answer;
    case "lossy":
      rowsInvented += 1;
      return isAllow
        ? JSON.stringify({ ...verdict, decision_id: `drill-2.9${String(rowsInvented)}000000` })
        : answer;
    case "slow":
      await delay(TOO_LATE_MS);
      return answer;
    default:
      throw new Error(`LIE: expected deaf, lossy or slow, found ${String(LIE)}`);
  }
}

async function pass(realUrl: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? "/";
  const { method = "GET" } = request;
  const body = await text(request);
  const init = body === "" ? {} : { body, headers: { "content-type": "application/json" } };
  const answer = await fetch(`${realUrl}${path}`, { method, ...init });
  const bytes = await answer.text();
  const isCall = path === "/api/v1/gateway/execute" && answer.status === 200;
  response.writeHead(answer.status).end(isCall ? await lieAbout(body, bytes) : bytes);
}

if (process.env["SVC_GATEWAY_ID"] === "drill-2") {
  const listen = `127.0.0.1:${String(await findFreePort())}`;
  const server = createServer((request, response) => {
    pass(`http://${listen}`, request, response).catch(() => request.socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  // The drill takes the first line of this form.
  process.stdout.write(`{"msg":"listening","url":"http://127.0.0.1:${String(port)}"}\n`);
  process.env["SVC_LISTEN"] = listen;
}
await import(REAL_SERVER);
