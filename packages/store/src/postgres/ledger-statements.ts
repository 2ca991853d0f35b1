/** Locks the head: appends of one log run one after another. */
export const LOCK_HEAD = {
  name: "svc-lock-head",
  text: "SELECT size, head_hash, epoch FROM audit_logs WHERE log_id = $1 FOR UPDATE",
};

/**
 * Rows, usages and head in one round trip. $3 is the hashes from the head's on, end to end; $4 the rows'
 * bytes, end to end, so that neither is quoted or written out as hexadecimal; $5 and $6 say where each row
 * starts and how long it is.
 */
export const WRITE_BATCH = {
  name: "svc-write-batch",
  text: `
    WITH appended AS (
      INSERT INTO audit_rows (log_id, seq, prev_hash, hash, bytes)
      SELECT $1, $2::bigint + n - 1,
          substring($3::bytea FROM (32 * (n - 1) + 1)::int FOR 32),
          substring($3::bytea FROM (32 * n + 1)::int FOR 32),
          substring($4::bytea FROM start + 1 FOR length)
        FROM unnest($5::int[], $6::int[]) WITH ORDINALITY AS piece (start, length, n)
    ), charged AS (
      UPDATE session_usage AS u SET steps = c.steps, cost_micro_usd = c.cost_micro_usd
        FROM unnest($7::text[], $8::text[], $9::text[], $10::bigint[], $11::bigint[])
          AS c (org, agent_id, session_id, steps, cost_micro_usd)
        WHERE u.org = c.org AND u.agent_id = c.agent_id AND u.session_id = c.session_id
    )
    UPDATE audit_logs
      SET size = $2::bigint + cardinality($5::int[]),
          head_hash = substring($3::bytea FROM octet_length($3::bytea) - 31)
      WHERE log_id = $1`,
};
