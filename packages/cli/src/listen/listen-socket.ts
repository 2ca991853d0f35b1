import { once } from "node:events";
import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { createConnection, createServer, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { isJsonObject } from "@svc/contract/json-value";
import { parseStrictJsonText } from "@svc/contract/strict-json-text";
import { WEBHOOK_TYPES, type WebhookEvent, type WebhookType } from "@svc/contract/webhook-event";
import { z } from "zod";
import { contextsPath } from "../connection/context-file.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Delivery } from "../webhooks/send-webhook.ts";

/** Milliseconds to wait for a delivery of another process: the 15 s of one, behind one that is under way. */
const PATIENCE_MS = 35_000;

type Surroundings = Pick<Terminal, "environment">;

const answerSchema = z.strictObject({
  id: z.string(),
  delivery_id: z.string(),
  status: z.number().nullable(),
  fault: z.string().nullable(),
  ms: z.number(),
});
export type SocketAnswer = Readonly<z.output<typeof answerSchema>>;

/** Sends a sample of this type, and says what became of it. */
export type OnTrigger = (type: WebhookType) => Promise<Delivery & Pick<WebhookEvent, "id">>;

/** Where a running `svc-cli listen` takes samples from `svc-cli trigger`. Only its user reaches it. */
function socketPath(terminal: Surroundings): string {
  return join(dirname(contextsPath(terminal)), "listen.sock");
}

/** Null: another `svc-cli listen` of this user takes samples. */
export async function openListenSocket(
  terminal: Surroundings,
  onTrigger: OnTrigger,
): Promise<{ close(): void } | null> {
  const path = socketPath(terminal);
  if ((await connected(path)) !== null) return null;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // One that was killed has left its socket.
  rmSync(path, { force: true });
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    const lines = createInterface({ input: socket });
    // It repeats each error of the socket, and one that nobody takes would end this program.
    lines.on("error", () => socket.destroy());
    lines.once("line", (line) => {
      const type = WEBHOOK_TYPES.find((one) => one === line);
      if (type === undefined) return void socket.destroy();
      onTrigger(type).then(
        (answer) => socket.end(`${JSON.stringify(answer)}\n`),
        () => socket.destroy(),
      );
    });
  });
  server.listen(path);
  await once(server, "listening");
  chmodSync(path, 0o600);
  return { close: () => void server.close() };
}

/** Null: no `svc-cli listen` runs, or it ended before it answered. */
export async function askListening(type: WebhookType, terminal: Surroundings): Promise<SocketAnswer | null> {
  const socket = await connected(socketPath(terminal));
  if (socket === null) return null;
  try {
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    socket.write(`${type}\n`);
    for await (const line of createInterface({ input: socket })) {
      const parsed = parseStrictJsonText(line);
      return parsed.ok && isJsonObject(parsed.value) ? answerSchema.parse(parsed.value) : null;
    }
    return null;
  } finally {
    socket.destroy();
  }
}

async function connected(path: string): Promise<Socket | null> {
  const socket = createConnection(path);
  try {
    await once(socket, "connect");
    return socket;
  } catch {
    socket.destroy();
    return null;
  }
}
