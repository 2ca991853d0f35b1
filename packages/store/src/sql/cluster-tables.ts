/**
 * PostgreSQL only, because the embedded store has one process. Rows of `cluster_members` change twice a
 * second, so pages keep room for the next version of a row. Answers are of no use after a crash.
 */
export const CLUSTER_TABLES: readonly string[] = [
  `CREATE TABLE cluster_members (
    id TEXT COLLATE "C" PRIMARY KEY,
    epoch BIGINT NOT NULL,
    host TEXT NOT NULL,
    version TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('all', 'gateway', 'control')),
    started_at TEXT NOT NULL,
    applied_revision BIGINT NOT NULL,
    control_age_ms BIGINT,
    decisions_per_second DOUBLE PRECISION NOT NULL,
    beat BIGINT NOT NULL,
    last_seen_ms BIGINT NOT NULL
  ) WITH (fillfactor = 40)`,
  `CREATE UNLOGGED TABLE cluster_answers (
    question_id TEXT NOT NULL,
    member_id TEXT NOT NULL,
    answer TEXT NOT NULL,
    answered_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (question_id, member_id)
  )`,
];

/** PostgreSQL only. */
export const MEMBER_SIGNS = "ALTER TABLE cluster_members ADD COLUMN signs TEXT";
