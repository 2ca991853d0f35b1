import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { parseJson } from "@svc/text/parse-json";

/**
 * Receivers of webhooks, each on a port of its own: `<healthy> <sick of each kind>`. Sick ones hang, answer
 * 500 or take 2 s. `GET /` of the address that it prints says what the healthy ones got, and forgets it.
 */
const [healthy = "", sick = ""] = process.argv.slice(2);

const SLOW_MS = 2_000;

/** Milliseconds from an event to its arrival, since the last question. */
let latenciesMs: number[] = [];

const ANSWERS = {
  healthy: (response: ServerResponse) => response.writeHead(204).end(),
  hanging: () => undefined,
  failing: (response: ServerResponse) => response.writeHead(500).end(),
  slow: (response: ServerResponse) => delay(SLOW_MS).then(() => response.writeHead(204).end()),
};

const kinds = Object.keys(ANSWERS) as (keyof typeof ANSWERS)[];
const urls: Record<string, string[]> = {};
for (const kind of kinds)
  urls[kind] = await Promise.all(
    Array.from({ length: Number(kind === "healthy" ? healthy : sick) }, async () => startReceiver(kind)),
  );

const control = createServer((_, response) => {
  response.end(JSON.stringify({ urls, latenciesMs }));
  latenciesMs = [];
});
process.stdout.write(`listening ${await listen(control)}\n`);

function startReceiver(kind: keyof typeof ANSWERS): Promise<string> {
  return listen(
    createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on("data", (piece: Buffer) => pieces.push(piece));
      request.on("end", () => {
        if (kind === "healthy") {
          const { timestamp } = parseJson(Buffer.concat(pieces).toString()) as { readonly timestamp: string };
          latenciesMs.push(Date.now() - Date.parse(timestamp));
        }
        void ANSWERS[kind](response);
      });
    }),
  );
}

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
}
