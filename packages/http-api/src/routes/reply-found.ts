import type { Outcome } from "@svc/control-plane/refusal";
import type { Page, PageRequest } from "@svc/store/ports/page";

/** 200 with what an operation gives, or its refusal. */
export function found<Body>(outcome: Outcome<Body>) {
  return outcome.kind === "problem" ? outcome : json(200, outcome.value);
}

/** 202 with what an operation has begun, or its refusal. */
export function accepted<Body>(outcome: Outcome<Body>) {
  return outcome.kind === "problem" ? outcome : json(202, outcome.value);
}

/** 201 with what an operation made, and where it is read. @param path of the resource, without a prefix */
export function created<Body extends { readonly id: string }>(path: string, outcome: Outcome<Body>) {
  if (outcome.kind === "problem") return outcome;
  const headers = { location: `/api/v1/${path}/${encodeURIComponent(outcome.value.id)}` };
  return { ...json(201, outcome.value), headers };
}

/** 200 with one page of a list, or the refusal. @param name of the member that holds the items */
export function listed<Name extends string, Item>(name: Name, outcome: Outcome<Page<Item>>) {
  if (outcome.kind === "problem") return outcome;
  const { items, next } = outcome.value;
  const body = { [name]: items, next_cursor: next } as Readonly<Record<Name, Item[]>> & {
    readonly next_cursor: string | null;
  };
  return json(200, body);
}

/** 200 with JSON that another thread has written, or the refusal. */
export function written(outcome: Outcome<string>) {
  if (outcome.kind === "problem") return outcome;
  return { kind: "text", status: 200, mediaType: "application/json", text: outcome.value } as const;
}

/** Which page of a list a query asks for. */
export function pageOf(query: { readonly limit: number; readonly cursor?: string | undefined }): PageRequest {
  return { limit: query.limit, after: query.cursor ?? null };
}

function json<Status extends 200 | 201 | 202, Body>(status: Status, body: Body) {
  return { kind: "json", status, body } as const;
}
