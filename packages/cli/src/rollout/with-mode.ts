import { isDeepStrictEqual } from "node:util";
import type { GovernanceMode } from "@svc/contract/verdict";
import { isMap, parseDocument, type Scalar, type YAMLMap } from "yaml";
import { CommandFailure } from "../frame/exit-code.ts";
import type { PolicyFile } from "../policy-files/read-policy-file.ts";

const KEY = "governance_mode";

/**
 * The policy with another mode. Everything else of a YAML text stays as it is, comments and form included.
 * @throws CommandFailure `failed` for a text that is not one mapping
 */
export function withMode(file: PolicyFile, mode: GovernanceMode): PolicyFile {
  const document = parseDocument(file.source, { schema: "core", merge: false, logLevel: "silent" });
  const { contents } = document;
  if (document.errors.length > 0 || !isMap(contents))
    throw new CommandFailure("failed", `${file.name}: expected one policy. See svc-cli validate`);
  const source =
    file.mediaType === "application/json"
      ? jsonWith(document.toJS(), mode)
      : yamlWith(file.source, contents, mode);
  requireSame(file, source, mode);
  return { ...file, source };
}

function jsonWith(value: unknown, mode: GovernanceMode): string {
  return `${JSON.stringify({ ...(value as object), [KEY]: mode }, null, 2)}\n`;
}

function yamlWith(source: string, map: YAMLMap, mode: GovernanceMode): string {
  const pair = map.items.find(({ key }) => (key as Scalar | null)?.value === KEY);
  const range = (pair?.value as Scalar | null | undefined)?.range;
  if (range !== null && range !== undefined) return splice(source, range[0], range[1], mode);
  const [first] = map.items;
  const at = (first?.key as Scalar | null | undefined)?.range?.[0] ?? map.range?.[0] ?? 0;
  const isFlow = map.flow === true;
  return splice(
    source,
    at,
    at,
    isFlow ? `${KEY}: ${mode}, ` : `${KEY}: ${mode}\n${" ".repeat(columnOf(source, at))}`,
  );
}

function splice(source: string, from: number, to: number, text: string): string {
  return source.slice(0, from) + text + source.slice(to);
}

function columnOf(source: string, offset: number): number {
  return offset - (source.lastIndexOf("\n", offset - 1) + 1);
}

function requireSame(file: PolicyFile, source: string, mode: GovernanceMode): void {
  const wanted = { ...(valueOf(file.source) as object), [KEY]: mode };
  if (!isDeepStrictEqual(valueOf(source), wanted))
    throw new CommandFailure(
      "failed",
      `${file.name}: write ${KEY}: ${mode} into the policy, because svc-cli cannot`,
    );
}

function valueOf(source: string): unknown {
  return parseDocument(source, { schema: "core", merge: false, logLevel: "silent" }).toJS({
    maxAliasCount: 0,
  });
}
