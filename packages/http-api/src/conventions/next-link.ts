import { splitTarget } from "./split-target.ts";

/** The header Link to the next page of a list (RFC 8288); null at the end of the list. */
export function nextLink(target: string, body: unknown): string | null {
  const next = nextCursor(body);
  if (next === null) return null;
  const { path, query } = splitTarget(target);
  const parameters = new URLSearchParams(query ?? "");
  parameters.set("cursor", next);
  return `<${path.replaceAll(/[<>"]/g, encodeURIComponent)}?${parameters.toString()}>; rel="next"`;
}

function nextCursor(body: unknown): string | null {
  if (typeof body !== "object" || body === null || !("next_cursor" in body)) return null;
  return typeof body.next_cursor === "string" ? body.next_cursor : null;
}
