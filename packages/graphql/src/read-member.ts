import type { QueryContext } from "./query-context.ts";

type Source = Readonly<Record<string, unknown>>;

/** Reads a member of what a route answered. */
export function readMember(member: string) {
  return (source: Source): unknown => source[member];
}

/** Reads a member that can be long, and counts what it adds to the answer. */
export function readCounted(member: string) {
  return (source: Source, _args: unknown, { size }: QueryContext): unknown => size.count(source[member]);
}

/** Reads a member of the row that an event or a decision holds. Rows of other kinds do not have it. */
export function readRowMember(member: string) {
  return ({ row }: Source, _args: unknown, { size }: QueryContext): unknown =>
    size.count((row as Source)[member]);
}
