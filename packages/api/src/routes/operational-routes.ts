import { healthSchema, readinessSchema, versionSchema } from "@svc/contract/readiness";
import { answer, type RouteDefinition, route } from "../route.ts";

const OPERATIONAL = {
  method: "GET",
  prefixed: false,
  tag: "Operation",
  access: { kind: "anybody" },
  rateClass: "unlimited",
} as const satisfies Partial<RouteDefinition>;

const READY = { status: "ready", control_state: "ok", policies: "ok", store: "ok" } as const;

/** For orchestrators and monitoring. They show no secrets. */
export const operationalRoutes = {
  getHealth: route({
    ...OPERATIONAL,
    path: "/healthz",
    summary: "Whether the process answers",
    description: "For a liveness probe.",
    answers: { 200: answer("It answers.", healthSchema, { status: "ok" }) },
  }),
  getReadiness: route({
    ...OPERATIONAL,
    path: "/readyz",
    summary: "Whether the process can decide calls now",
    description: "For a readiness probe and for load balancers.",
    answers: {
      200: answer("It can.", readinessSchema, READY),
      503: answer("It cannot, and denies calls. The members say what is missing.", readinessSchema, {
        ...READY,
        status: "not_ready",
        store: "unavailable",
      }),
    },
  }),
  getMetrics: route({
    ...OPERATIONAL,
    path: "/metrics",
    summary: "Metrics of the process",
    description: "In the text format of Prometheus. docs/OPERATIONS.md lists them.",
    answers: {
      200: {
        description: "The metrics.",
        schema: null,
        texts: {
          "text/plain": {
            description: "One sample a line.",
            example: 'svc_decisions_total{decision="allow"} 7\n',
          },
        },
      },
    },
  }),
  getVersion: route({
    ...OPERATIONAL,
    path: "/version",
    summary: "Which release this is",
    description: "The version of the server.",
    answers: {
      200: answer("The version.", versionSchema, { name: "svc", version: "0.1.0", opa: "1.22.2" }),
    },
  }),
} as const;
