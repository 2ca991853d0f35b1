import { Client, SdkError, SdkErrorCode, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { parseHttpUrl } from "@svc/process/parsers";
import { VERSION } from "@svc/process/version";
import { CommandFailure } from "../../frame/exit-code.ts";
import type { ListedTool } from "./listed-tools.ts";

/** Milliseconds in which a server at an address has to list its tools. */
const LIST_DEADLINE_MS = 60_000;

/** The same of a command: a package runner may download the server first, and must not be ended in it. */
const COMMAND_DEADLINE_MS = 300_000;

/** Milliseconds in which a server on stdio answers a question of the newest protocol, if it knows it. */
const PROBE_MS = 5_000;

/** Most pages of one list. */
const MAX_PAGES = 64;

/** Most characters of a cause that a message shows. */
const MAX_SHOWN = 400;

/** Most characters of the begin and of the end of what a server wrote to stderr: each may have the cause. */
const MAX_SAID = 1_000;

type Transport = StdioClientTransport | StreamableHTTPClientTransport;

/**
 * What a running MCP server lists: at an address over Streamable HTTP, or of a command over stdio. The
 * program of a command gets neither keys nor addresses from the environment, and ends with this.
 * @throws CommandFailure `unreachable` when it does not answer in time, or not with a whole list
 */
export async function listTools(
  server: string,
  cwd: string,
  deadlineMs = isAddress(server) ? LIST_DEADLINE_MS : COMMAND_DEADLINE_MS,
): Promise<readonly ListedTool[]> {
  const giveUp = AbortSignal.timeout(deadlineMs);
  const transport = transportTo(server, cwd);
  const said = saidBy(transport);
  const client = new Client(
    { name: "svc-cli", version: VERSION },
    { versionNegotiation: { mode: "auto", probe: { timeoutMs: PROBE_MS } }, listMaxPages: MAX_PAGES },
  );
  const options = { signal: giveUp, timeout: deadlineMs };
  const late = new Promise<never>((_, reject) => {
    giveUp.addEventListener("abort", () => reject(giveUp.reason as Error), { once: true });
  });
  const list = async (): Promise<readonly ListedTool[]> => {
    await client.connect(transport, options);
    if (client.getServerCapabilities()?.tools === undefined)
      throw new CommandFailure("failed", `the MCP server ${shownServer(server)} offers no tools`);
    return (await client.listTools(undefined, options)).tools;
  };
  try {
    return await Promise.race([list(), late]);
  } catch (error) {
    throw explain(error, server, { isLate: giveUp.aborted, deadlineMs, said: said() });
  } finally {
    await client.close();
    await transport.close();
  }
}

function transportTo(server: string, cwd: string): Transport {
  if (isAddress(server)) {
    const url = urlOf(server);
    return new StreamableHTTPClientTransport(url, { fetch: limitedFetch(MAX_LIST_BYTES) });
  }
  const [command, ...args] = commandWords(server);
  return new StdioClientTransport({ command, args, cwd, stderr: "pipe", maxBufferSize: MAX_LIST_BYTES });
}

function urlOf(text: string): URL {
  try {
    return parseHttpUrl(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandFailure("usage", `--mcp: expected ${why}, found another text (not shown)`, error);
  }
}

/** Without query and words behind the program: they may hold keys, and messages end up in logs of builds. */
function shownServer(server: string): string {
  const url = isAddress(server) ? URL.parse(server) : null;
  return url === null ? commandWords(server)[0] : `${url.origin}${url.pathname}`;
}

function isAddress(server: string): boolean {
  return /^https?:/i.test(server);
}

/** The begin and the end of what the program of a server wrote to stderr. */
function saidBy(transport: Transport): () => string {
  let [begin, end] = ["", ""];
  if (transport instanceof StdioClientTransport)
    transport.stderr?.on("data", (chunk: Buffer) => {
      const text = chunk.toString("utf8");
      const left = MAX_SAID - begin.length;
      begin += text.slice(0, left);
      end = (end + text.slice(left)).slice(-MAX_SAID - 1);
    });
  return () => (end.length > MAX_SAID ? `${begin}\n...\n${end.slice(1)}` : begin + end).trim();
}

interface Circumstances {
  readonly isLate: boolean;
  readonly deadlineMs: number;
  readonly said: string;
}

function explain(
  error: unknown,
  server: string,
  { isLate, deadlineMs, said }: Circumstances,
): CommandFailure {
  if (error instanceof CommandFailure) return error;
  const shown = shownServer(server);
  if (statusOf(error) === 401 || statusOf(error) === 403)
    return new CommandFailure(
      "refused",
      `the MCP server ${shown} wants a key, which svc-cli does not send. Name its tools with --tools`,
      error,
    );
  const late = `no list within ${String(deadlineMs / 1_000)} s; --timeout gives it longer`;
  const why = isLate ? late : reasonOf(error);
  const wrote = said === "" ? "" : `\nIt wrote:\n${said}`;
  return new CommandFailure(
    "unreachable",
    `the MCP server ${shown} did not list its tools: ${why}. Nothing was written${wrote}`,
    error,
  );
}

function statusOf(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined;
  if ("status" in error) return error.status;
  return "code" in error ? error.code : undefined;
}

function reasonOf(error: unknown): string {
  if (error instanceof SdkError && error.code === SdkErrorCode.ListPaginationExceeded)
    return `its list has more than ${String(MAX_PAGES)} pages`;
  const causes: string[] = [];
  for (let at: unknown = error; at instanceof Error && causes.length < 3; at = at.cause)
    causes.push(at.message.split("\n")[0] ?? "");
  const text = causes.join(": ");
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}...`;
}

/** Most bytes of all answers of one server. */
const MAX_LIST_BYTES = 8 * 1024 * 1024;

/** An answer of a server, or all of them together, that is longer than the limit. */
class ListTooLarge extends Error {
  override readonly name = "ListTooLarge";
}

/** A `fetch` whose answers have a limit together, in bytes. */
function limitedFetch(maxBytes: number): typeof fetch {
  let left = maxBytes;
  return async (input, init) => {
    const response = await fetch(input, init);
    const { body, status, statusText, headers } = response;
    if (body === null) return response;
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        left -= chunk.length;
        if (left < 0) controller.error(new ListTooLarge(`more than ${String(maxBytes)} bytes`));
        else controller.enqueue(chunk);
      },
    });
    return new Response(body.pipeThrough(counting), { status, statusText, headers });
  };
}

/** What a shell would do more than split words, outside of quotes. */
const FOR_A_SHELL = /[|&;<>()$`\\\n]/;

/** What stands for itself in quotes. */
const PLAIN_QUOTES = /'[^']*'|"[^"$`\\]*"/g;
const WORD = /(?:[^\s"']|"[^"]*"|'[^']*')+/gy;

/**
 * The words of a command line, as a shell splits them at blanks and quotes. No shell is started, so what only
 * a shell can do is refused. @throws CommandFailure `usage`
 */
function commandWords(line: string): readonly [string, ...string[]] {
  const words: string[] = [];
  const text = line.trim();
  let at = 0;
  while (at < text.length) {
    WORD.lastIndex = at;
    const [word] = WORD.exec(text) ?? [];
    if (word === undefined) throw new CommandFailure("usage", "--mcp: expected closed quotes in the command");
    words.push(word.replaceAll(/"([^"]*)"|'([^']*)'/g, "$1$2"));
    at += word.length;
    while (/\s/.test(text.charAt(at))) at += 1;
  }
  const [program, ...args] = words;
  if (program === undefined)
    throw new CommandFailure("usage", "--mcp: expected an http(s) address or a command, found nothing");
  if (FOR_A_SHELL.test(text.replaceAll(PLAIN_QUOTES, "")))
    throw new CommandFailure(
      "usage",
      "--mcp: expected a program and its words, found a character that only a shell understands. " +
        "Put the line into a script and name that",
    );
  return [program, ...args];
}
