import { parseJson } from "@svc/text/parse-json";
import type { Selectable } from "kysely";
import type {
  BegunRequest,
  RequestAttempt,
  RequestClaim,
  RequestKey,
  RequestKeyStore,
} from "../ports/request-key-store.ts";
import { inTransaction, type StoreContext, type TransactionContext } from "./store-context.ts";
import type { Tables } from "./tables.ts";

export function createRequestKeyStore(context: StoreContext): RequestKeyStore {
  return {
    begin: async (claim) => inTransaction(context, async (inside) => begin(inside, claim)),
    finish: async ({ answer, ...attempt }) => {
      const { status, headers, body } = answer;
      await heldBy(context, attempt)
        .update.set({ status, headers: JSON.stringify(headers), body })
        .execute();
    },
    release: async (attempt) => void (await heldBy(context, attempt).remove.execute()),
    removeExpired: async (atMs, limit) => removeExpired(context, atMs, limit),
  };
}

async function begin(inside: TransactionContext, claim: RequestClaim): Promise<BegunRequest> {
  const found = await findKey(inside, claim);
  const isFree = found === null || found.expires_at_ms <= claim.atMs;
  if (isFree && (await countKeys(inside, claim)) >= inside.limits.requestKeys) return { kind: "too_many" };
  if (isFree) return take(inside, claim, found?.attempt ?? null);
  if (found.request_digest !== claim.requestDigest) {
    return { kind: "other_request", operation: found.operation };
  }
  if (found.status !== null) return { kind: "answered", answer: answerOf(found) };
  if (found.attempt === claim.replaces) return take(inside, claim, found.attempt);
  return { kind: "unanswered", attempt: found.attempt, startedAtMs: found.started_at_ms };
}

/**
 * Takes the key from the attempt that has it, or as a new one.
 * A race is decided by the row: who finds it changed judges the request anew.
 */
async function take(
  inside: TransactionContext,
  claim: RequestClaim,
  holder: string | null,
): Promise<BegunRequest> {
  const { org, principal, keyDigest, operation, requestDigest, attempt, atMs, expiresAtMs } = claim;
  const columns = {
    operation,
    request_digest: requestDigest,
    attempt,
    started_at_ms: atMs,
    expires_at_ms: expiresAtMs,
    status: null,
    headers: null,
    body: null,
  };
  const taken = await inside.trx
    .insertInto("request_keys")
    .values({ org, principal, key_digest: keyDigest, ...columns })
    .onConflict((conflict) =>
      conflict
        .columns(["org", "principal", "key_digest"])
        .doUpdateSet(columns)
        .where("request_keys.attempt", "=", holder ?? ""),
    )
    .returning("attempt")
    .executeTakeFirst();
  return taken === undefined ? begin(inside, claim) : { kind: "begun" };
}

async function findKey(
  { trx }: TransactionContext,
  key: RequestKey,
): Promise<Selectable<Tables["request_keys"]> | null> {
  const row = await trx
    .selectFrom("request_keys")
    .selectAll()
    .where("org", "=", key.org)
    .where("principal", "=", key.principal)
    .where("key_digest", "=", key.keyDigest)
    .executeTakeFirst();
  return row ?? null;
}

async function countKeys({ trx }: TransactionContext, claim: RequestClaim): Promise<number> {
  const { total } = await trx
    .selectFrom("request_keys")
    .select((query) => query.fn.countAll<number>().as("total"))
    .where("org", "=", claim.org)
    .where("principal", "=", claim.principal)
    .where("expires_at_ms", ">", claim.atMs)
    .executeTakeFirstOrThrow();
  return total;
}

function answerOf({ status, headers, body }: Selectable<Tables["request_keys"]>) {
  return {
    status: status ?? 0,
    headers: parseJson(headers ?? "{}") as Readonly<Record<string, string>>,
    body: body === null ? null : new Uint8Array(body),
  };
}

/** Statements on the row of a key while this attempt has it. */
function heldBy({ db }: StoreContext, { org, principal, keyDigest, attempt }: RequestAttempt) {
  return {
    update: db
      .updateTable("request_keys")
      .where("org", "=", org)
      .where("principal", "=", principal)
      .where("key_digest", "=", keyDigest)
      .where("attempt", "=", attempt),
    remove: db
      .deleteFrom("request_keys")
      .where("org", "=", org)
      .where("principal", "=", principal)
      .where("key_digest", "=", keyDigest)
      .where("attempt", "=", attempt)
      .where("status", "is", null),
  };
}

async function removeExpired(context: StoreContext, atMs: number, limit: number): Promise<number> {
  return inTransaction(context, async ({ trx, dialect }) => {
    const expired = trx
      .selectFrom("request_keys")
      .select(["org", "principal", "key_digest"])
      .where("expires_at_ms", "<=", atMs)
      .orderBy("expires_at_ms")
      .limit(limit)
      // A key that a request is taking at this moment does not block the others.
      .$if(dialect === "postgres", (query) => query.forUpdate().skipLocked());
    const removed = await trx
      .deleteFrom("request_keys")
      .where((eb) =>
        eb(
          eb.refTuple("org", "principal", "key_digest"),
          "in",
          expired.$asTuple("org", "principal", "key_digest"),
        ),
      )
      .executeTakeFirst();
    return Number(removed.numDeletedRows);
  });
}
