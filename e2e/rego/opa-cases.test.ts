// peers: go
// long: OPA's own cases
import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { openReactor } from "@svc/rego/testing/open-reactor";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { missing } from "../support/processes/missing-peers.ts";

/** One of the cases that OPA publishes beside its sources. */
interface OpaCase {
  readonly note: string;
  readonly query: string;
  readonly modules?: readonly string[];
  readonly data?: unknown;
  readonly input?: unknown;
  readonly input_term?: string;
  readonly want_result?: readonly Record<string, unknown>[];
  readonly want_error_code?: string;
  readonly want_error?: string;
  readonly sort_bindings?: boolean;
  readonly ignore_generated_vars?: boolean;
  readonly strict_error?: boolean;
}

interface CaseResult {
  readonly bindings?: readonly Record<string, unknown>[] | null;
  readonly code?: string;
  readonly message?: string;
}

/** What OPA says when `with` replaces a function that modules may not call. */
const REPLACED = "with keyword target must reference existing input, data, or a function";
const REPLACEABLE = /http\.send|opa\.runtime|time\.now_ns|rand\.intn|uuid\.rfc4122/;

/** Cases whose result depends on the time at which they run. A module here has the time of the call. */
const PRESENT = new Set(["jwtdecodeverify/rs256-exp-now-expired", "jwtdecodeverify/rs256-nbf-now-ok"]);

const FORBIDDEN = /undefined function (\S+)/;

/** Milliseconds to fetch the module of OPA and to run its cases on a busy machine. */
const CASES_TIMEOUT_MS = 600_000;

async function casesFolder(version: string): Promise<string> {
  const module = `github.com/open-policy-agent/opa@v${version}`;
  const env = { ...process.env, GOTOOLCHAIN: "local" };
  const { stdout } = await promisify(execFile)("go", ["mod", "download", "-json", module], { cwd: "/", env });
  return join((JSON.parse(stdout) as { Dir: string }).Dir, "v1/test/cases/testdata/v1");
}

function readCases(folder: string): OpaCase[] {
  return globSync("**/*.yaml", { cwd: folder })
    .toSorted()
    .flatMap((file) => {
      // Numbers with more digits than JavaScript keeps stay as they are written.
      const text = readFileSync(join(folder, file), "utf8");
      return (parse(text, { intAsBigInt: true }) as { cases: OpaCase[] }).cases;
    });
}

/** What the libraries of types do not know yet. */
const rawJson = (JSON as unknown as { readonly rawJSON: (text: string) => unknown }).rawJSON;

/** JSON, in which a large integer keeps its digits. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === "bigint" ? rawJson(String(member)) : member,
  );
}

/** The same text for values that OPA counts as equal. */
function comparable(value: unknown): string {
  if (typeof value === "bigint" || typeof value === "number") return String(Number(value));
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(comparable).join()}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${comparable(member)}`,
  );
  return `{${members.toSorted().join()}}`;
}

function comparableResults(results: readonly Record<string, unknown>[], wanted: OpaCase): string[] {
  const texts = results.map((bindings) => {
    const members = Object.entries(bindings)
      .filter(([name]) => wanted.ignore_generated_vars !== true || !name.startsWith("__localq"))
      .map(([name, value]) => {
        const isSorted = wanted.sort_bindings === true && Array.isArray(value);
        return `${name}:${isSorted ? value.map(comparable).toSorted().join() : comparable(value)}`;
      });
    return members.toSorted().join(" ");
  });
  return [...new Set(texts)].toSorted();
}

/** Why a case can not give OPA's result here; null: it can. */
function whyLeftOut({ modules = [], note }: OpaCase, message: string): string | null {
  const forbidden = FORBIDDEN.exec(message)?.[1];
  if (forbidden !== undefined) return forbidden;
  if (message.includes(REPLACED)) return `replaces ${REPLACEABLE.exec(modules.join("\n"))?.[0] ?? "?"}`;
  if (message.includes("`rego.v2` is not supported")) return "import rego.v2";
  return PRESENT.has(note) ? "compares with the time of day" : null;
}

/** Null: OPA's own result. */
function differenceOf(wanted: OpaCase, result: CaseResult): string | null {
  const message = (result.message ?? "").replaceAll(/\s+/g, " ");
  if (wanted.want_error_code !== undefined && result.code !== wanted.want_error_code) {
    return `expected ${wanted.want_error_code}, found ${result.code ?? "no code"} ${message}`;
  }
  const text = wanted.want_error?.replaceAll(/\s+/g, " ");
  if (text !== undefined && !message.includes(text)) return `expected "${text}", found "${message}"`;
  if (wanted.want_result === undefined || wanted.want_error_code !== undefined || text !== undefined)
    return null;
  if (message !== "") return message;
  const expected = comparableResults(wanted.want_result, wanted);
  const found = comparableResults(result.bindings ?? [], wanted);
  return comparable(expected) === comparable(found)
    ? null
    : `expected ${String(expected)}, found ${String(found)}`;
}

// skip: Go fetches the sources of OPA
test.skipIf(missing.go)(
  "OPA's own cases give OPA's results",
  async () => {
    const { reactor, version } = await openReactor();
    const leftOut = new Map<string, number>();
    const differences: string[] = [];
    let ran = 0;
    for (const opaCase of readCases(await casesFolder(version))) {
      const { modules, data, query, input, input_term, strict_error, note } = opaCase;
      const asked = { modules, data, query, input, input_term, strict_error };
      const answer = reactor.call(textOf({ op: "query", query: asked }));
      const { result } = JSON.parse(answer.text) as { result: CaseResult };
      const why = whyLeftOut(opaCase, result.message ?? "");
      if (why !== null) {
        leftOut.set(why, (leftOut.get(why) ?? 0) + 1);
        continue;
      }
      ran += 1;
      const difference = differenceOf(opaCase, result);
      if (difference !== null) differences.push(`${note}: ${difference}`);
    }
    process.stderr.write(`OPA's cases: ${String(ran)} ran; left out: ${JSON.stringify([...leftOut])}\n`);
    expect(differences).toEqual([]);
    expect(ran).toBeGreaterThanOrEqual(2_300);
  },
  CASES_TIMEOUT_MS,
);
