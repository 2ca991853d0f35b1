/** Threads that programs start by their path: name of the bundle to source, from the root. */
export const THREADS = {
  "writer-worker": "packages/store/src/sqlite/writer-worker.ts",
  "reader-worker": "packages/store/src/sqlite/reader-worker.ts",
  "snapshot-worker": "packages/store/src/sqlite/snapshot-worker.ts",
  "postgres-worker": "packages/store/src/postgres/postgres-worker.ts",
  "projector-worker": "packages/audit-index/src/projector-worker.ts",
  "question-worker": "packages/audit-index/src/question-worker.ts",
  "guardrail-worker": "packages/checkgw/src/guardrail/guardrail-worker.ts",
  "large-call-worker": "gateway/src/large-calls/large-call-worker.ts",
  "outbox-worker": "packages/outbox/src/outbox-worker.ts",
  "page-worker": "packages/web/src/approval-pages/page-worker.ts",
  "document-worker": "packages/policy-threads/src/document-worker.ts",
  "replayer-worker": "packages/policy-threads/src/replayer-worker.ts",
  "simulator-worker": "packages/policy-threads/src/simulator-worker.ts",
  "graphql-worker": "packages/graphql/src/graphql-worker.ts",
  "rego-worker": "packages/rego/src/rego-worker.ts",
} as const;
