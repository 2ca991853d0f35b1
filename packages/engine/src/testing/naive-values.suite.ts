import type { JsonValue } from "@svc/text/json-value";

export type Found = JsonValue | undefined | typeof BLOCKED;
export const BLOCKED: unique symbol = Symbol("blocked");

/** True and false are claims; the others are doubts. */
export type Truth = boolean | "missing" | "unsure";

export type Node = Record<string, JsonValue>;

export function some(truths: readonly Truth[]): Truth {
  if (truths.includes(true)) return true;
  return truths.find((truth) => truth !== false) ?? false;
}

export function every(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false;
  return truths.find((truth) => truth !== true) ?? true;
}

export const STAR: unique symbol = Symbol("star");

/** Names in quotes are member names, never places in lists. */
export type Name = { readonly name: string; readonly quoted: boolean };

export function namesOf(path: string): (Name | typeof STAR)[] {
  const parts = path.slice("args.".length).match(/"(?:[^"\\]|\\.)*"|[^."]+/g) ?? [];
  return parts.map((part) => {
    if (part === "*") return STAR;
    const quoted = part.startsWith('"');
    return { name: quoted ? (JSON.parse(part) as string) : part, quoted };
  });
}

export function member(value: JsonValue, { name, quoted }: Name): Found {
  if (typeof value !== "object" || value === null) return BLOCKED;
  if (!Array.isArray(value)) return Object.hasOwn(value, name) ? (value as Node)[name] : undefined;
  return !quoted && /^\d+$/.test(name) ? (value as JsonValue[])[Number(name)] : BLOCKED;
}

export function same(left: Found, right: Found): boolean {
  return left === right || (typeof left !== "symbol" && JSON.stringify(left) === JSON.stringify(right));
}

export function listOf(value: JsonValue): readonly JsonValue[] {
  return Array.isArray(value) ? (value as JsonValue[]) : [value];
}

export function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}
