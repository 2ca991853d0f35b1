import { foldHeaderName } from "@svc/text/fold-header-name";
import { type HeaderList, isOurHeader } from "../wire/header-list.ts";
import type { IdentitySources } from "./route-table.ts";

/** Headers that say how to read the body, or which host the request is for. */
const SINGLE: ReadonlySet<string> = new Set([
  "content-type",
  "content-encoding",
  "content-length",
  "transfer-encoding",
  ":authority",
  "host",
]);

/**
 * Headers that ask for another protocol. The bytes that follow on such a connection would never be judged.
 */
const UPGRADES: ReadonlySet<string> = new Set(["upgrade", "http2-settings", "-protocol"]);

const FAMILIES = ["mcp-", "content-"];

/**
 * Finds a header that may affect what is judged or executed, and that two readers could understand
 * differently: a repeated one, one that asks for another protocol, or one that a server reads as a governed
 * header because it treats all separators alike (`x_svc_agent_id`). @returns its name, or null
 */
export function strayHeader(headers: HeaderList, identity: IdentitySources): string | null {
  const sources = headerSources(identity);
  const readings = new Set([...sources].map(foldHeaderName));
  for (const [name, values] of headers) {
    const folded = foldHeaderName(name);
    if (UPGRADES.has(folded)) return name;
    const isSource = sources.has(name);
    if (!isSource && (readings.has(folded) || (folded !== name && isGoverned(folded)))) return name;
    if (values.length > 1 && (isSource || SINGLE.has(name) || isOurHeader(name) || name.startsWith("mcp-"))) {
      return name;
    }
  }
  return null;
}

function headerSources({ agent, session, namespace }: IdentitySources): ReadonlySet<string> {
  const all = [...agent, ...session, ...namespace];
  return new Set(all.flatMap((source) => (source.kind === "header" ? [source.name] : [])));
}

function isGoverned(folded: string): boolean {
  return isOurHeader(folded) || SINGLE.has(folded) || FAMILIES.some((family) => folded.startsWith(family));
}
