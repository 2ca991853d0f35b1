import type { RouteDefinition } from "@svc/api/route";
import { CONTROL_ROUTES, type ControlOperationId } from "@svc/api/route-table";
import { z } from "zod";

export type Shape = Readonly<Record<string, z.ZodType>>;

export function routeOf(operation: ControlOperationId): RouteDefinition {
  return CONTROL_ROUTES[operation];
}

/** The schema of what a route answers. @throws when it answers no JSON object with 200 */
export function answerOf(operation: ControlOperationId): z.ZodObject {
  const schema = routeOf(operation).answers[200]?.schema;
  if (schema instanceof z.ZodObject) return schema;
  throw new Error(`${operation}: expected an answer that is a JSON object`);
}

/** The list in a page. Null: the answer of the route is one record. */
export function pageOf(
  operation: ControlOperationId,
): { readonly member: string; readonly item: z.ZodType } | null {
  if (!operation.startsWith("list")) return null;
  const shape: Shape = answerOf(operation).shape;
  for (const [member, schema] of Object.entries(shape)) {
    const inner = schema instanceof z.ZodReadonly ? schema.unwrap() : schema;
    if (inner instanceof z.ZodArray) return { member, item: inner.element as z.ZodType };
  }
  return null;
}
