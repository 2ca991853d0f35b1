import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A server of one test that answers as the test says. @returns its address */
export async function scriptedServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

/** An address where nobody listens any more. */
export async function addressWithoutServer(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return `http://127.0.0.1:${String(port)}`;
}

/** Answers by path without the prefix of the API. A path that is not named is a 404 without a body. */
export function answersByPath(answers: Readonly<Record<string, unknown>>): RequestListener {
  return (request, response) => {
    const path = new URL(request.url ?? "", "http://any").pathname.replace("/api/v1", "");
    const answer = answers[path];
    const status = answer === undefined ? 404 : 200;
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer ?? {}));
  };
}
