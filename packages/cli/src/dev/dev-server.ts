import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { isJsonObject, type JsonObject } from "@svc/text/json-value";
import { parseStrictJsonText } from "@svc/text/strict-json-text";
import { z } from "zod";
import { CommandFailure } from "../frame/exit-code.ts";
import { type DevSettings, devEnvironment } from "./dev-environment.ts";

/** Milliseconds that the server may take to start on a busy machine. */
const START_MS = 60_000;

/** Milliseconds that it has to end before it is killed: longer than requests in flight have. */
const STOP_MS = 12_000;

/** Lines of output that are kept for a message. The end says why. */
const KEPT_LINES = 5;

const WARNING_LEVEL = 40;

const addressesSchema = z.object({
  msg: z.literal("started for dev"),
  url: z.string(),
  checkgw_url: z.string(),
  extproc_address: z.string(),
  mcp_proxy_url: z.string().nullable(),
  data_dir: z.string(),
  api_key_file: z.string(),
});
export type DevAddresses = Readonly<Omit<z.output<typeof addressesSchema>, "msg">>;

export interface DevServer extends DevAddresses {
  /** Resolves to its last lines when it has ended, for any reason. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

interface DevServerOptions extends DevSettings {
  /** The file that is run. */
  readonly program: string;
  readonly workingDirectory: string;
  readonly signal: AbortSignal;
  readonly onWarning: (line: string) => void;
  /** Shorter, for tests. */
  readonly stopMs?: number;
}

/**
 * Starts the server and the adapters as one process, which ends with this one at the latest: it reads a pipe
 * that closes then. @throws CommandFailure `usage` with its last lines when it does not start
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  const { program, workingDirectory, signal } = options;
  const child = spawn(process.execPath, [program], {
    cwd: workingDirectory,
    // Only this process passes a Ctrl-C on.
    detached: true,
    env: devEnvironment(options),
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.on("error", () => child.stdin.destroy());
  const started = Promise.withResolvers<DevAddresses>();
  const last: string[] = [];
  let isStarted = false;
  const onLine = (line: string): void => {
    const read = readLine(line);
    if (read.addresses !== null) started.resolve(read.addresses);
    if (read.warning === null) return;
    if (last.push(read.warning) > KEPT_LINES) last.shift();
    if (isStarted) options.onWarning(read.warning);
  };
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on("line", onLine);
  const ended = once(child, "close").then(
    () => last.join("\n"),
    (error: unknown) => String(error),
  );
  const stop = (): Promise<void> => stopChild(child, ended, options.stopMs ?? STOP_MS);
  const decided = new AbortController();
  const late = delay(START_MS, null, { signal: AbortSignal.any([signal, decided.signal]) });
  const addresses = await Promise.race([started.promise, ended.then(() => null), late.catch(() => null)]);
  decided.abort();
  isStarted = addresses !== null;
  if (addresses !== null) {
    for (const line of last) options.onWarning(line);
    return { ...addresses, ended, stop: () => stop().then(() => removeTemporary(addresses, options)) };
  }
  await stop();
  if (signal.aborted) throw new CommandFailure("interrupted", "interrupted before the server had started");
  throw new CommandFailure("usage", `the server does not start: ${startHint(last)}`);
}

/** The server removes its temporary folder itself, unless it was killed. */
async function removeTemporary(
  { data_dir }: DevAddresses,
  { dataDir }: Pick<DevServerOptions, "dataDir">,
): Promise<void> {
  if (dataDir === null) await rm(data_dir, { recursive: true, force: true });
}

async function stopChild(child: ChildProcess, ended: Promise<unknown>, stopMs: number): Promise<void> {
  child.stdin?.end();
  child.kill("SIGTERM");
  const killer = setTimeout(() => child.kill("SIGKILL"), stopMs);
  await ended;
  clearTimeout(killer);
}

const OWN_PREFIX = "svc-server-dev does not start: ";

/** Names the options that set what the message is about. */
function startHint(lines: readonly string[]): string {
  const text = lines.join("\n").replaceAll(OWN_PREFIX, "") || "it ended without a message";
  if (/SVC_LISTEN/.test(text)) return `${text}\nChoose another port with --port; 0 picks free ones.`;
  if (/SVC_(?:MCP|EXTPROC|CHECKGW)_LISTEN/.test(text))
    return `${text}\nChoose other ports with --adapter-port; 0 picks free ones.`;
  if (/data directory|SVC_DATA_DIR/.test(text)) return `${text}\nChoose another folder with --data.`;
  return text;
}

interface ReadLine {
  readonly addresses: DevAddresses | null;
  readonly warning: string | null;
}

/** A line of the server's log. Another text is a message for people. */
function readLine(line: string): ReadLine {
  const parsed = parseStrictJsonText(line);
  if (!parsed.ok || !isJsonObject(parsed.value)) return { addresses: null, warning: line };
  const addresses = addressesSchema.safeParse(parsed.value);
  if (addresses.success) return { addresses: addresses.data, warning: null };
  return { addresses: null, warning: warningOf(parsed.value) };
}

function warningOf({ level, msg, err, ...facts }: JsonObject): string | null {
  if (typeof level !== "number" || level < WARNING_LEVEL || typeof msg !== "string") return null;
  const why = err !== undefined && isJsonObject(err) ? err["message"] : requestText(facts);
  return typeof why === "string" ? `${msg}: ${why}` : msg;
}

/** Which request a line is about, and the code of its refusal. */
function requestText({ method, path, code }: JsonObject): string | undefined {
  const words = [method, path, code].filter((word) => typeof word === "string");
  return words.length === 0 ? undefined : words.join(" ");
}
