// peers: openssl
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { problem } from "@svc/contract/problem";
import { unknownRouteProblem } from "@svc/contract/unknown-route";
import {
  type FaultyGateway,
  listenOnLoopback,
  portOf,
  startAbsentGateway,
  startHttpGateway,
  startTcpGateway,
} from "@svc/decision-client/testing/faulty-gateway";
import { issueCertificate } from "@svc/process/testing/certificates";
import { afterAll, describe, expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";

const folder = mkdtempSync(join(tmpdir(), "svc-kill-"));
afterAll(() => rmSync(folder, { recursive: true }));

const at = async (url: string): Promise<FaultyGateway> => ({ url, close: async () => {} });

const answering = (status: number, body: string, headers: Readonly<Record<string, string>> = {}) =>
  startHttpGateway((request, response) => {
    request.resume();
    response.writeHead(status, headers).end(body);
  });

const refusing = (document: object & { readonly status: number }) =>
  answering(document.status, JSON.stringify(document), { "content-type": "application/problem+json" });

async function startTls(): Promise<FaultyGateway> {
  const { certificate, key } = issueCertificate(folder, { name: "other", names: "IP:127.0.0.1" });
  const files = { cert: readFileSync(certificate), key: readFileSync(key) };
  const server = createTlsServer(files, (_, response) => response.end());
  const close = await listenOnLoopback(server);
  return { url: `https://127.0.0.1:${portOf(server)}`, close };
}

const HTML = { "content-type": "text/html" };
const NOTHING = "NOT STOPPED by this command: ";
const UNKNOWN = "UNKNOWN whether the switch is active: ";
const NOT_OURS = "is this the address of svc-server?";

type Case = readonly [
  name: string,
  start: () => Promise<FaultyGateway>,
  exitCode: number,
  begins: string,
  says: string,
];

const CASES: readonly Case[] = [
  ["a page that is not found", () => answering(404, "<html>", HTML), 3, NOTHING, NOT_OURS],
  ["a method that is not allowed", () => answering(405, ""), 3, NOTHING, NOT_OURS],
  ["a conflict of another server", () => answering(409, "{}"), 3, NOTHING, NOT_OURS],
  ["a page", () => answering(200, "<html>", HTML), 3, UNKNOWN, NOT_OURS],
  [
    "a redirect",
    () => answering(302, "", { location: "https://b.example/x" }),
    3,
    NOTHING,
    "https://b.example",
  ],
  ["a gateway that lost the answer", () => answering(504, "", HTML), 3, UNKNOWN, NOT_OURS],
  ["a login page", () => answering(401, "<html>", HTML), 4, NOTHING, NOT_OURS],
  ["another path of the service", () => refusing(unknownRouteProblem("POST /x", "")), 3, NOTHING, NOT_OURS],
  ["a path of one of its proxies", () => refusing(problem("not_found", "no")), 3, NOTHING, NOT_OURS],
  ["too much to do", () => refusing(problem("overloaded", "busy")), 3, NOTHING, "Too many requests"],
  [
    "a fault of the service",
    () => refusing(problem("internal_error", "no")),
    3,
    UNKNOWN,
    "The server failed",
  ],
  ["a body that it refuses", () => refusing(problem("invalid_request", "no")), 2, NOTHING, "expected form"],
  ["nobody", startAbsentGateway, 3, NOTHING, "ECONNREFUSED"],
  ["a name that nobody has", () => at(`http://${"x".repeat(64)}.invalid`), 3, NOTHING, "ENOTFOUND"],
  ["a port of another protocol", () => at("http://127.0.0.1:6000"), 3, NOTHING, "another protocol"],
  ["TLS by a certificate of its own", startTls, 3, NOTHING, "its certificate is not accepted"],
  [
    "HTTP where TLS is expected",
    () => startTcpGateway("https", (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")),
    3,
    NOTHING,
    "http://",
  ],
  [
    "the end of the connection where TLS is expected",
    () => startTcpGateway("https", (socket) => socket.destroy()),
    3,
    NOTHING,
    "TLS connection",
  ],
  [
    "another protocol",
    () => startTcpGateway("http", (socket) => socket.write("SSH-2.0-OpenSSH_9.2\r\n")),
    3,
    NOTHING,
    "does not speak HTTP",
  ],
  [
    "the end of the connection",
    () => startTcpGateway("http", (socket) => socket.once("data", () => socket.end())),
    3,
    UNKNOWN,
    "https://",
  ],
];

describe.concurrent("svc-cli kill at another server", () => {
  // proves CLI-41
  it.each(CASES)(
    "says what is known of %s",
    async (...[, start, code, begins, says]) => {
      const server = await start();
      const kill = ["kill", "agent", "a", "--reason", "r", "--by", "ana", "--url", server.url];
      const { exitCode, out, error } = await runCaptured(kill);
      await server.close();
      expect([exitCode, out]).toEqual([code, ""]);
      expect(error.slice(0, `error: ${begins}`.length)).toBe(`error: ${begins}`);
      expect(error).toContain(says);
    },
    30_000,
  );

  // proves CLI-41
  it("does not forget what an earlier attempt may have done", async () => {
    const answers = [504, 404];
    const server = await startHttpGateway((request, response) => {
      request.resume();
      response.writeHead(answers.shift() ?? 404).end();
    });
    const kill = ["kill", "agent", "a", "--reason", "r", "--by", "ana", "--url", server.url];
    const { exitCode, error } = await runCaptured(kill);
    await server.close();
    expect([exitCode, answers]).toEqual([3, []]);
    expect(error).toContain(UNKNOWN);
  }, 30_000);

  // proves CLI-41
  it.each([
    ["a page that is not found", () => answering(404, "<html>", HTML), 3, "Nothing was changed: "],
    [
      "another path of the service",
      () => refusing(unknownRouteProblem("DELETE /x", "")),
      3,
      "Nothing was ch",
    ],
    ["no such switch", () => refusing(problem("not_found", "no")), 1, "Nothing was changed: "],
    ["a lost answer", () => answering(502, ""), 3, "It is not known whether the switch has ended: "],
  ])("ends a switch, and says what is known of %s", async (_name, start, code, begins) => {
    const server = await start();
    const unkill = ["unkill", "ks_1", "--yes", "--reason", "r", "--by", "ana", "--url", server.url];
    const { exitCode, error } = await runCaptured(unkill);
    await server.close();
    expect([exitCode, error.slice(7, 7 + begins.length)]).toEqual([code, begins]);
  });
});
