// What node:http alone can do as a reverse proxy: it passes everything on by pipes, and reads nothing.
// Started by its path, with the server behind it as its first argument. With a gateway as the second argument
// it also makes the requests of a judged call: it asks before it sends the message on, and reports when its
// answer arrived.
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { postJson } from "./post-json.ts";

const { hostname, port } = new URL(process.argv[2] ?? "");
const gateway = process.argv[3] ?? null;
const agent = new Agent({ keepAlive: true });
const askingAgent = new Agent({ keepAlive: true });

function serve(incoming: IncomingMessage, response: ServerResponse): void {
  if (gateway === null) {
    const outgoing = send(incoming, response);
    incoming.pipe(outgoing);
    return;
  }
  const chunks: Buffer[] = [];
  incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
  incoming.on("end", () => {
    const body = Buffer.concat(chunks);
    postJson(`${gateway}/api/v1/gateway/execute`, body, askingAgent, () => {
      const outgoing = send(incoming, response);
      outgoing.end(body);
    });
  });
  response.on("finish", () => {
    const report = Buffer.from('{"decision_id":"gateway-01.123456","status":"succeeded","duration_ms":1}');
    postJson(`${gateway}/api/v1/gateway/outcome`, report, askingAgent, () => {});
  });
}

function send({ method, url: path, headers }: IncomingMessage, response: ServerResponse) {
  const outgoing = request({ agent, hostname, port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  return outgoing.on("error", () => response.destroy());
}

const server = createServer({ keepAliveTimeout: 60_000 }, serve);
server.listen(0, "127.0.0.1", () => {
  const address = server.address() as AddressInfo;
  process.stdout.write(`listening http://127.0.0.1:${address.port}\n`);
});
process.once("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
  for (const one of [agent, askingAgent]) one.destroy();
});
