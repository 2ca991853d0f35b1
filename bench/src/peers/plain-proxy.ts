// What node:http alone can do as a reverse proxy: passes everything on by pipes, and looks at nothing.
// Started by its path, with the server behind it as its only argument.
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const { hostname, port } = new URL(process.argv[2] ?? "");
const agent = new Agent({ keepAlive: true });

function pass(incoming: IncomingMessage, response: ServerResponse): void {
  const { method, url: path, headers } = incoming;
  const outgoing = request({ agent, hostname, port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  outgoing.on("error", () => response.destroy());
  incoming.pipe(outgoing);
}

const server = createServer({ keepAliveTimeout: 60_000 }, pass);
server.listen(0, "127.0.0.1", () => {
  const address = server.address() as AddressInfo;
  process.stdout.write(`listening http://127.0.0.1:${address.port}\n`);
});
process.once("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
  agent.destroy();
});
