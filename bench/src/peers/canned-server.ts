// Answers every path and every request with the text given at start: a backend, or a gateway that
// allows at once. Started by its path, with a table of answers as its only argument. GET /counts tells how
// often each was given.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { CannedAnswers } from "./start-canned-server.ts";

const answers = JSON.parse(process.argv[2] ?? "{}") as CannedAnswers;
const counts: Record<string, number> = {};

const ready = new Map(
  Object.entries(answers).map(([path, { body, headers }]) => {
    const length = String(Buffer.byteLength(body));
    return [
      path,
      { body, headers: { "content-type": "application/json", "content-length": length, ...headers } },
    ];
  }),
);

function serve(request: IncomingMessage, response: ServerResponse): void {
  const { url = "" } = request;
  if (url === "/counts") {
    response.end(JSON.stringify(counts));
    return;
  }
  const path = ready.has(url) ? url : "*";
  request.resume();
  request.on("end", () => {
    counts[path] = (counts[path] ?? 0) + 1;
    const answer = ready.get(path);
    response.writeHead(answer === undefined ? 404 : 200, answer?.headers);
    response.end(answer?.body);
  });
}

const server = createServer({ keepAliveTimeout: 60_000 }, serve);
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`listening http://127.0.0.1:${port}\n`);
});
process.once("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
});
