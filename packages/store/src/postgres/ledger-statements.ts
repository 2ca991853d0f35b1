/** Locks the head: appends of one log run one after another. */
export const LOCK_HEAD = {
  name: "svc-lock-head",
  text: "SELECT size, head_hash, epoch FROM audit_logs WHERE log_id = $1 FOR UPDATE",
};

/** The rows of a batch, for a statement that has counted them. $2 is the number of the first one. */
const INSERT_ROWS = `
    INSERT INTO audit_rows (log_id, seq, prev_hash, hash, bytes)
    SELECT $1, $2::bigint + n - 1,
        substring($3::bytea FROM (32 * (n - 1) + 1)::int FOR 32),
        substring($3::bytea FROM (32 * n + 1)::int FOR 32),
        substring($4::bytea FROM start + 1 FOR length)
      FROM unnest($5::int[], $6::int[]) WITH ORDINALITY AS piece (start, length, n)`;

/** What the head becomes with them. */
const MOVE_HEAD = `
      UPDATE audit_logs
        SET size = $2::bigint + cardinality($5::int[]),
            head_hash = substring($3::bytea FROM octet_length($3::bytea) - 31)
        WHERE log_id = $1`;

/**
 * Rows, usages and head in one round trip. $3 is the hashes from the head's on, end to end; $4 the rows'
 * bytes, end to end, so that neither is quoted or written out as hexadecimal; $5 and $6 say where each row
 * starts and how long it is. Answers how many rows it inserted.
 */
export const WRITE_BATCH = {
  name: "svc-write-batch",
  text: `
    WITH head AS (${MOVE_HEAD}
    ), charged AS (
      UPDATE session_usage AS u SET steps = c.steps, cost_micro_usd = c.cost_micro_usd
        FROM unnest($7::text[], $8::text[], $9::text[], $10::bigint[], $11::bigint[])
          AS c (org, agent_id, session_id, steps, cost_micro_usd)
        WHERE u.org = c.org AND u.agent_id = c.agent_id AND u.session_id = c.session_id
    )${INSERT_ROWS}`,
};

/**
 * A whole commit in one round trip, for rows that claim nothing. The head moves only from where this process
 * left it and under its own epoch, and rows are inserted only when it moved: either all of them, or nothing.
 * Parameters and answer as above; $7 is the epoch.
 */
export const APPEND_BATCH = {
  name: "svc-append-batch",
  text: `
    WITH head AS (${MOVE_HEAD} AND size = $2::bigint AND epoch = $7::bigint
          AND head_hash = substring($3::bytea FROM 1 FOR 32)
        RETURNING 1
    )${INSERT_ROWS} WHERE EXISTS (SELECT 1 FROM head)`,
};
