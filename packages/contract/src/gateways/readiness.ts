import { z } from "zod";

/** The answer of `/healthz`. */
export const healthSchema = z
  .strictObject({ status: z.literal("ok") })
  .meta({ id: "Health", description: "The process answers." });

/** The answer of `/readyz`, ready or not. */
export const readinessSchema = z
  .strictObject({
    status: z.enum(["ready", "not_ready"]),
    control_state: z.enum(["ok", "unverified"]),
    policies: z.enum(["ok", "loading"]),
    store: z.enum(["ok", "unavailable"]),
  })
  .meta({ id: "Readiness", description: "Whether the process can decide calls now, and what is missing." });

/** The answer of `/version`. */
export const versionSchema = z
  .strictObject({
    name: z.literal("svc"),
    version: z.string(),
    opa: z.string().describe("The release of Open Policy Agent that evaluates Rego modules."),
  })
  .meta({ id: "ServerVersion", description: "Which release this is." });
