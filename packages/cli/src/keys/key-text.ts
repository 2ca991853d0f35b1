import type { KeyRecord } from "@svc/contract/key";
import type { Member } from "../frame/render-members.ts";

/** What a key may do, and how long. */
export function keyMembers({
  name,
  role,
  org_id: org,
  agents,
  namespaces,
  expires_at: end,
}: KeyRecord): Member[] {
  return [
    ["name", name],
    ["role", `${role}, organization ${org}`],
    ["agents", agents?.join(", ") ?? "every agent"],
    ["namespaces", namespaces?.join(", ") ?? "every namespace"],
    ["expires", end ?? "never"],
  ];
}

/** Whether a key works now, and until when. */
export function keyState({ revoked_at: revoked, expires_at: end }: KeyRecord, nowMs: number): string {
  if (revoked !== null) return `revoked ${revoked}`;
  if (end === null) return "active";
  return Date.parse(end) <= nowMs ? `expired ${end}` : `active until ${end}`;
}
