import { z } from "zod";
import { NAME_EXPECTATION } from "../fields/name.ts";
import { nameSchemaFor } from "../fields/name-schema.ts";
import { MAX_KEY_BINDINGS } from "../limits.ts";
import { BINDABLE_ROLES, type Role } from "./role.ts";

const BINDINGS_EXPECTATION = `expected 1 to ${String(MAX_KEY_BINDINGS)} names in an array, or null for all`;

/** The only agents or namespaces of a key. Null: all. Never empty. */
export const keyBindingsSchema = (kind: "agent" | "namespace") =>
  z
    .array(nameSchemaFor(`an exact ${kind} name (no glob): ${NAME_EXPECTATION}`), {
      error: BINDINGS_EXPECTATION,
    })
    .min(1, { error: BINDINGS_EXPECTATION })
    .max(MAX_KEY_BINDINGS, { error: BINDINGS_EXPECTATION })
    .transform((names): readonly string[] => [...new Set(names)])
    .nullable()
    .default(null);

interface Bound {
  readonly role: Role;
  readonly agents: readonly string[] | null;
  readonly namespaces: readonly string[] | null;
}

/** Refuses bindings of a role that acts for no agent. */
export function refuseUnusedBindings(body: Bound, context: z.RefinementCtx): void {
  if (BINDABLE_ROLES.includes(body.role)) return;
  for (const field of ["agents", "namespaces"] as const) {
    if (body[field] === null) continue;
    const message = `expected none with role ${body.role}; roles ${BINDABLE_ROLES.join(", ")} take them`;
    context.addIssue({ code: "custom", path: [field], message });
  }
}
