// The baseline: what node:http alone can do. Parses a JSON body, answers a verdict of the product's size.
// Started by its path, with the verdict to answer as its only argument.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const verdict = JSON.parse(process.argv[2] ?? "null") as Record<string, unknown>;

function answer(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const call = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { readonly tool?: unknown };
    const body = JSON.stringify({ ...verdict, decision: typeof call.tool === "string" ? "allow" : "deny" });
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    });
    response.end(body);
  });
}

const server = createServer(answer);
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`listening http://127.0.0.1:${port}\n`);
});
process.once("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
});
