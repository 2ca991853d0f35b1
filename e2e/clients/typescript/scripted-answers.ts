import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { BY_AMOUNT, byAmount, CASES, Fault, MISFIT } from "./frameworks/cases.ts";

/** One question, or one report, of one case. */
export interface AskedOf {
  readonly framework: string;
  readonly name: string;
  readonly path: string;
  readonly key: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A gateway that answers as the case says which the address names. */
export interface ScriptedAnswers {
  readonly url: string;
  readonly asked: readonly AskedOf[];
  close(): Promise<void>;
}

export async function startScriptedAnswers(): Promise<ScriptedAnswers> {
  const asked: AskedOf[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const [, framework = "", name = "", ...path] = (request.url ?? "").split("/");
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as AskedOf["body"];
      const key = request.headers["idempotency-key"];
      const one = {
        framework,
        name: decodeURIComponent(name),
        path: `/${path.join("/")}`,
        key: typeof key === "string" ? key : null,
        body,
      };
      const before = asked.filter((other) => isSameCase(one, other)).length;
      asked.push(one);
      answer(response, answerTo(one, before));
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    asked,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function isSameCase(left: AskedOf, right: AskedOf): boolean {
  return left.framework === right.framework && left.name === right.name && left.path === right.path;
}

function answerTo({ name, path, body }: AskedOf, before: number): object | string | null {
  if (path.endsWith("/outcome")) return {};
  // A trap is judged by the amount, as a policy would.
  const answers = CASES[name]?.answers ?? [name.startsWith(MISFIT.begins) ? MISFIT.answer : BY_AMOUNT];
  const chosen = answers[Math.min(before, answers.length - 1)] ?? null;
  return chosen === BY_AMOUNT ? byAmount((body["args"] as Record<string, unknown>)["amount"]) : chosen;
}

function answer(response: ServerResponse, text: object | string | null): void {
  if (!(text instanceof Fault)) {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(text));
    return;
  }
  switch (text.kind) {
    case "hang":
      return;
    case "500":
      response.writeHead(500).end("broken");
      return;
    case "html":
      response.writeHead(200, { "content-type": "text/html" }).end("<html>Sign in</html>");
      return;
    case "empty":
      response.writeHead(200, { "content-type": "application/json" }).end();
  }
}
