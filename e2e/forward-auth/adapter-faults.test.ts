// waits: until proxies give up
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type RunningCheckgw, startCheckgw } from "../support/adapters/checkgw-process.ts";
import {
  type RecordingServer,
  type Responder,
  startRecordingServer,
} from "../support/adapters/recording-server.ts";
import { sendRaw } from "../support/requests/raw-http.ts";

/** Short, because several cases wait for it. */
const TIMEOUT_MS = 500;
const ALLOW = JSON.stringify({ decision: "allow", decision_id: "g.1", args_constrained: false });

function answering(body: string, status = 200): Responder {
  return (_, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  };
}

/** The call, asked in both ways; neither may find an allow. */
const questions: Readonly<Record<string, (url: string) => Promise<Response>>> = {
  "/check": (url) => fetch(`${url}/check`, { headers: { "x-svc-agent-id": "a-1", "x-svc-tool": "t.x" } }),
  "/verdict": (url) =>
    fetch(`${url}/verdict`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ agent_id: "a-1", tool: "t.x" }),
    }),
};

const faults: readonly { name: string; code: string; respond: Responder }[] = [
  { name: "closes", code: "gateway_unreachable", respond: (_, response) => void response.destroy() },
  { name: "answers 503 with an allow", code: "gateway_refused", respond: answering(ALLOW, 503) },
  { name: "redirects", code: "gateway_refused", respond: answering(ALLOW, 302) },
  { name: "answers no verdict", code: "verdict_unreadable", respond: answering('{"allowed":true}') },
  { name: "answers half a verdict", code: "gateway_unreachable", respond: answeringHalf },
  { name: "is silent", code: "decision_timeout", respond: () => {} },
];

function answeringHalf(_: unknown, response: Parameters<Responder>[1]): void {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write(ALLOW, () => response.destroy());
}

describe("svc-checkgw when the gateway fails", () => {
  let gateway: RecordingServer;
  let checkgw: RunningCheckgw;
  const url = (): string => `http://127.0.0.1:${String(checkgw.port)}`;

  beforeAll(async () => {
    gateway = await startRecordingServer(answering(ALLOW));
    const env = { SVC_DECISION_TIMEOUT_MS: String(TIMEOUT_MS) };
    checkgw = await startCheckgw(`http://127.0.0.1:${String(gateway.port)}`, env);
  });
  afterAll(async () => {
    await checkgw?.stop();
    await gateway?.close();
  });
  beforeEach(() => gateway.respondWith(answering(ALLOW)));

  async function expectDenied(answer: Response, path: string, code: string): Promise<void> {
    expect(answer.status).toBe(path === "/verdict" ? 200 : 403);
    expect(answer.headers.get("x-svc-decision")).toBe("deny");
    expect(await answer.json()).toMatchObject({ decision: "deny", fail_closed: true, reason_code: code });
  }

  const cases = Object.entries(questions).flatMap(([path, ask]) =>
    faults.map((fault) => ({ ...fault, path, ask })),
  );
  // proves CHK-11
  it.each(cases)("I10: it $name: $path denies", async ({ respond, path, ask, code }) => {
    gateway.respondWith(respond);
    await expectDenied(await ask(url()), path, code);
  });

  it.each(Object.entries(questions))(
    "I10: it is down: %s denies, and allows again after",
    async (path, ask) => {
      await gateway.close();
      try {
        await expectDenied(await ask(url()), path, "gateway_unreachable");
      } finally {
        await gateway.reopen();
      }
      expect((await ask(url())).headers.get("x-svc-decision")).toBe("allow");
    },
  );

  it.each(["/check", "/verdict"])("I10: a body that never comes whole: %s denies in time", async (target) => {
    const headers = ["X-Svc-Agent-Id: a-1", "Content-Type: application/json", "Content-Length: 100"];
    const answer = await sendRaw(checkgw.port, { method: "POST", target, headers });
    expect(answer.headers.get("x-svc-decision")).toBe("deny");
    expect(JSON.parse(answer.body)).toMatchObject({ reason_code: "decision_timeout", fail_closed: true });
  });
});

describe("svc-checkgw when it is ended in the middle of a question", () => {
  async function endWith(signal: NodeJS.Signals, ask: (url: string) => Promise<Response>): Promise<string> {
    const asked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const gateway = await startRecordingServer((request, response) => {
      asked.resolve();
      void release.promise.then(() => answering(ALLOW)(request, response));
    });
    const checkgw = await startCheckgw(`http://127.0.0.1:${String(gateway.port)}`);
    const url = `http://127.0.0.1:${String(checkgw.port)}`;
    try {
      const answer = ask(url).then(
        (response) => `${String(response.status)} ${String(response.headers.get("x-svc-decision"))}`,
        () => "no answer",
      );
      await asked.promise;
      checkgw.signal(signal);
      const asking = (): Promise<unknown> => fetch(`${url}/healthz`).catch(() => "refused");
      await expect.poll(asking, { timeout: 5_000 }).toBe("refused");
      release.resolve();
      return await answer;
    } finally {
      await checkgw.stop("SIGKILL");
      await gateway.close();
    }
  }

  it.each(Object.entries(questions))(
    "SIGTERM: %s still gets its verdict, and new questions are refused",
    async (_, ask) => {
      expect(await endWith("SIGTERM", ask)).toBe("200 allow");
    },
  );

  it.each(Object.entries(questions))("SIGKILL: %s gets no answer", async (_, ask) => {
    expect(await endWith("SIGKILL", ask)).toBe("no answer");
  });
});
