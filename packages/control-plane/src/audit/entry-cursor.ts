import type { EntryOrder } from "@svc/audit-index/audit-answers";

const PREFIX = "audit:";

const ENTRY = /^(-?[0-9]{1,16}):([0-9]{1,16})$/;

/** The place in a list of rows as a text that clients pass back unread. */
export function entryCursor({ at, place }: EntryOrder): string {
  return Buffer.from(`${PREFIX}${String(at)}:${String(place)}`, "utf8").toString("base64url");
}

/** Null for a text that is not a cursor of a list of rows. */
export function parseEntryCursor(text: string): EntryOrder | null {
  const decoded = Buffer.from(text, "base64url").toString("utf8");
  if (!decoded.startsWith(PREFIX)) return null;
  const [, at, place] = ENTRY.exec(decoded.slice(PREFIX.length)) ?? [];
  const entry = { at: Number(at), place: Number(place) };
  const isExact = Number.isSafeInteger(entry.at) && Number.isSafeInteger(entry.place);
  return isExact && entryCursor(entry) === text ? entry : null;
}
