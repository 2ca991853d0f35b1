import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { parseUsd, USD_EXPECTATION } from "@svc/text/usd";
import { z } from "zod";
import type { ExecuteRequest } from "../execute/execute-request.ts";
import { parseExecuteRequest } from "../execute/parse-execute-request.ts";
import { identifierSchema } from "../fields/identifier-schema.ts";
import { nearestField, parseWith } from "../fields/parse-with.ts";
import { type Parsed, refused } from "../fields/parsed.ts";
import { MAX_SIMULATED_CALLS } from "../limits.ts";
import type { ProblemEntry } from "../problems/problem.ts";
import { explanationSchema, simulatedVerdictSchema } from "./policy-explanation.ts";

/** A call to be tried, and what its session has used before it. */
export interface CallToSimulate {
  readonly request: ExecuteRequest;
  readonly usage: { readonly steps: number; readonly costMicroUsd: number };
  /** Epoch milliseconds; null: when the request is received. */
  readonly timeMs: number | null;
}

/** Which policy decides: a document of the request, or a stored version. */
export type PolicyToSimulate =
  | { readonly kind: "document"; readonly source: string; readonly isJson: boolean }
  /** A null version is the latest. */
  | { readonly kind: "stored"; readonly id: string; readonly version: number | null };

export interface SimulationRequest {
  readonly policy: PolicyToSimulate;
  readonly calls: readonly CallToSimulate[];
}

const CALLS_EXPECTATION = `expected a list of 1 to ${String(MAX_SIMULATED_CALLS)} calls`;

const STEPS_EXPECTATION = "expected a whole number of steps from 0";

const TIME_EXPECTATION = "expected a time in RFC 3339, such as 2026-06-01T09:00:00Z";

const POLICY_EXPECTATION = "expected exactly one of document and policy_id";

const usedSchema = z
  .strictObject({
    steps: z.int({ error: STEPS_EXPECTATION }).min(0, { error: STEPS_EXPECTATION }).default(0),
    cost_usd: z
      .unknown()
      .optional()
      .refine((usd) => usd === undefined || parseUsd(usd) !== null, { error: `expected ${USD_EXPECTATION}` })
      .meta({ jsonSchema: { type: "string" } }),
  })
  .meta({ id: "UsedRequest", description: "What a session has used." });

const callSchema = z
  .looseObject({
    session: usedSchema.optional().describe("What the session has used before the call."),
    time: z.iso
      .datetime({ offset: true, error: TIME_EXPECTATION })
      .optional()
      .describe("When the gateway receives the call, for policies that read the time. Absent: now."),
  })
  .meta({ id: "SimulatedCallRequest", description: "The body of an execute request, `session` and `time`." });

/** Body of a simulation. */
export const simulationRequestSchema = z
  .strictObject({
    document: z
      .union([z.string(), z.custom<JsonObject>((value) => isJsonObject(value as JsonValue))], {
        error: "expected a policy document: a text of YAML or JSON, or the same fields as an object",
      })
      .optional()
      .describe("A policy document: a text of YAML or JSON, or the same fields as an object.")
      .meta({ jsonSchema: { type: ["string", "object"] } }),
    policy_id: identifierSchema
      .optional()
      .describe("A stored policy. Exactly one of it and `document` is set."),
    version: z.int({ error: "expected a version number" }).min(1).optional().describe("Absent: the latest."),
    calls: z
      .array(callSchema, { error: CALLS_EXPECTATION })
      .min(1, { error: CALLS_EXPECTATION })
      .max(MAX_SIMULATED_CALLS, { error: CALLS_EXPECTATION })
      .describe(
        "Each is the body of `gateway/execute`, and may have `session`, what it has used before, and `time`.",
      ),
  })
  .refine(({ document, policy_id }) => (document === undefined) !== (policy_id === undefined), {
    path: ["document"],
    error: POLICY_EXPECTATION,
  })
  .refine(({ version, policy_id }) => version === undefined || policy_id !== undefined, {
    path: ["version"],
    error: "expected no version without policy_id",
  })
  .meta({ id: "PolicySimulationRequest", description: "Calls, and the policy that decides them." });

export function parseSimulation(value: JsonValue): Parsed<SimulationRequest> {
  const parsed = parseWith(
    simulationRequestSchema,
    value,
    nearestField(["document", "policy_id", "version", "calls"]),
  );
  if (!parsed.ok) return parsed;
  const { document, policy_id: id, version = null, calls } = parsed.value;
  const errors: ProblemEntry[] = [];
  const requests = calls.flatMap((call, at) => {
    const { session, time, ...body } = call;
    const request = parseExecuteRequest(body as JsonObject);
    if (!request.ok) {
      errors.push(...request.errors.map((entry) => within(entry, at)));
      return [];
    }
    const usage = { steps: session?.steps ?? 0, costMicroUsd: parseUsd(session?.cost_usd ?? 0) ?? 0 };
    return [{ request: request.value, usage, timeMs: time === undefined ? null : Date.parse(time) }];
  });
  if (errors.length > 0) return refused(errors);
  if (id !== undefined)
    return { ok: true, value: { policy: { kind: "stored", id, version }, calls: requests } };
  const isJson = typeof document !== "string";
  const source = typeof document === "string" ? document : JSON.stringify(document);
  return { ok: true, value: { policy: { kind: "document", source, isJson }, calls: requests } };
}

function within(entry: ProblemEntry, at: number): ProblemEntry {
  return { ...entry, pointer: `/calls/${String(at)}${entry.pointer}` };
}

const resultSchema = z
  .strictObject({ verdict: simulatedVerdictSchema, explanation: explanationSchema })
  .meta({ id: "SimulatedCall", description: "What a gateway would answer to one call, and why." });

/** The answer to a simulation. */
export const simulationSchema = z
  .strictObject({
    policy_id: z.string(),
    policy_version: z.int().nullable().describe("Null: the document of the request decided."),
    results: z.array(resultSchema).readonly().describe("One for each call, in the same order."),
  })
  .meta({ id: "PolicySimulation", description: "What a gateway would answer. Nothing was written." });
