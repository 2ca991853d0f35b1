import { type LookupAddress, promises } from "node:dns";
import { callbackify } from "node:util";
import { FairQueue } from "@svc/process/fair-queue";
import { LOCAL_NAME } from "./judge-url.ts";
import type { Resolve } from "./judging-lookup.ts";

/** Milliseconds for the addresses of one name, so that a connection to the first of them still has time. */
const NAME_MS = 8_000;

/** Milliseconds until a name server is asked again or the next one is, and rounds as count. */
const QUESTION = { timeout: 2_000, tries: 2 };

/**
 * Lookups of the operating system at once, as count. Each holds one of the four threads of the process until
 * it ends, and two must stay for others: for the name of the database and for files.
 */
const MAX_SYSTEM_LOOKUPS = 2;

/** The name servers have no address for the name, or none listens. The system may have one. */
const ABSENT: ReadonlySet<string> = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED"]);

/** Name servers that are asked without a thread. */
interface NameServers {
  resolve4(host: string): Promise<string[]>;
  resolve6(host: string): Promise<string[]>;
  /** Ends the questions that are open. */
  cancel(): void;
}

interface NameSources {
  /** New for each name, so that one which is never answered changes nothing for the next. */
  readonly servers: () => NameServers;
  /** Knows the file of hosts and search domains as well, and takes a thread. */
  readonly system: (host: string) => Promise<LookupAddress[]>;
}

/**
 * Finds addresses by asking the name servers, so that a name which nobody answers delays no other. Only a
 * name that does not exist there is looked up by the operating system.
 */
export function resolveNames({ servers, system }: NameSources): Resolve {
  const turns = new FairQueue({ turns: MAX_SYSTEM_LOOKUPS, turnsPerLane: 1, waitMs: NAME_MS });
  async function bySystem(host: string, signal: AbortSignal): Promise<LookupAddress[]> {
    const turn = await turns.enter(host, signal);
    if (turn.kind !== "turn") throw lateName(host);
    try {
      return await system(host);
    } finally {
      turn.end();
    }
  }
  async function find(host: string): Promise<LookupAddress[]> {
    const asked = servers();
    const ended = new AbortController();
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(lateName(host)), NAME_MS);
    const known = LOCAL_NAME.test(host) ? Promise.resolve([]) : byServers(asked, host);
    const found = known.then((all) => (all.length > 0 ? all : bySystem(host, ended.signal)));
    try {
      return await Promise.race([found, late]);
    } catch (error) {
      throw explained(host, error);
    } finally {
      clearTimeout(timer);
      ended.abort();
      asked.cancel();
    }
  }
  const findLater = callbackify(find);
  return (host, _, done) => findLater(host, done);
}

/** That of the whole process, which bounds the threads that lookups take. */
export const systemResolve: Resolve = resolveNames({
  servers: () => new promises.Resolver(QUESTION),
  system: (host) => promises.lookup(host, { all: true }),
});

/** @returns addresses of both families in turn; none when the name does not exist @throws no answer */
async function byServers(servers: NameServers, host: string): Promise<LookupAddress[]> {
  const answers = await Promise.allSettled([servers.resolve4(host), servers.resolve6(host)]);
  const [v4 = [], v6 = []] = answers.map((answer) => (answer.status === "fulfilled" ? answer.value : []));
  const pairs = Array.from({ length: Math.max(v4.length, v6.length) }, (_, index) => [
    { address: v4[index], family: 4 },
    { address: v6[index], family: 6 },
  ]);
  const found = pairs.flat().flatMap(({ address, family }) => (address ? [{ address, family }] : []));
  if (found.length > 0) return found;
  for (const answer of answers)
    if (answer.status === "rejected" && !ABSENT.has(codeOf(answer.reason))) throw answer.reason;
  return [];
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function lateName(host: string): Error {
  return new Error(`no name server gave an address of ${host} within ${String(NAME_MS)} ms`);
}

function explained(host: string, cause: unknown): Error {
  const code = codeOf(cause);
  switch (code) {
    case "":
      return cause instanceof Error ? cause : new Error(String(cause));
    case "ENOTFOUND":
    case "ENODATA":
      return new Error(`the name ${host} does not exist, or it has no address`, { cause });
    default:
      return new Error(`the name servers gave no address of ${host} (${code})`, { cause });
  }
}
