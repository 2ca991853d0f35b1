import { once } from "node:events";
import { chmodSync, rmSync } from "node:fs";
import { createConnection, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { WEBHOOK_TYPES, type WebhookEvent, type WebhookType } from "@svc/contract/webhook-event";
import { isJsonObject } from "@svc/text/json-value";
import { parseStrictJsonText } from "@svc/text/strict-json-text";
import { z } from "zod";
import { requireConfigFolder } from "../connection/config-folder.ts";
import { makeConfigFolder } from "../connection/context-file.ts";
import { CommandFailure } from "../frame/exit-code.ts";
import { readFault } from "../frame/files.ts";
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
type OnTrigger = (type: WebhookType) => Promise<Delivery & Pick<WebhookEvent, "id">>;

/** Longest path of a socket in bytes, on the system that allows least. */
const MAX_SOCKET_PATH_BYTES = 103;

const SOCKET = "listen.sock";

/**
 * Where a running `svc-cli listen` takes samples from `svc-cli trigger`. Only its user reaches it.
 * @throws CommandFailure `usage`
 */
function socketPath(terminal: Surroundings): string {
  const path = join(requireConfigFolder(terminal), SOCKET);
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES) return path;
  throw new CommandFailure(
    "usage",
    `${path}: a socket needs a path of at most ${String(MAX_SOCKET_PATH_BYTES)} bytes: set XDG_CONFIG_HOME ` +
      "to a folder with a shorter path",
  );
}

/** Null: another `svc-cli listen` of this user takes samples. @throws CommandFailure `usage` */
export async function openListenSocket(
  terminal: Surroundings,
  onTrigger: OnTrigger,
): Promise<{ close(): void } | null> {
  const path = socketPath(terminal);
  const other = await connected(path);
  other?.destroy();
  if (other !== null) return null;
  makeConfigFolder(terminal);
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
  try {
    // One that was killed has left its socket.
    rmSync(path, { force: true });
    server.listen(path);
    await once(server, "listening");
    chmodSync(path, 0o600);
  } catch (error) {
    server.close();
    throw new CommandFailure("usage", `${path} cannot be made: ${readFault(error)}`, error);
  }
  return { close: () => void server.close() };
}

/**
 * Null: no `svc-cli listen` runs. @throws CommandFailure `unreachable` when one runs and does not answer
 * @param patienceMs how long it may take
 */
export async function askListening(
  type: WebhookType,
  terminal: Surroundings,
  patienceMs = PATIENCE_MS,
): Promise<SocketAnswer | null> {
  const socket = await connected(socketPath(terminal));
  if (socket === null) return null;
  try {
    socket.write(`${type}\n`);
    const line = await firstLine(socket, patienceMs);
    const parsed = line === null ? null : parseStrictJsonText(line);
    if (parsed?.ok === true && isJsonObject(parsed.value)) return answerSchema.parse(parsed.value);
    throw new CommandFailure(
      "unreachable",
      "svc-cli listen runs, and does not say what became of the sample: look at its output",
    );
  } finally {
    socket.destroy();
  }
}

/** Null: none came in time, or the connection ended before. */
async function firstLine(socket: Socket, patienceMs: number): Promise<string | null> {
  const lines = createInterface({ input: socket });
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const late = setTimeout(() => resolve(null), patienceMs);
  lines.once("line", resolve);
  lines.once("close", () => resolve(null));
  for (const input of [lines, socket]) input.on("error", () => resolve(null));
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    lines.close();
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
