import { type Cluster, MAX_CLUSTER_MEMBERS, type SignOfLife } from "../ports/cluster.ts";
import type { ClusterSession } from "./cluster-session.ts";

/** A member that has given a sign of life meanwhile stays. */
const FORGET = `
  DELETE FROM cluster_members AS m
    USING unnest($1::text[], $2::bigint[], $3::bigint[]) AS silent (id, epoch, beat)
    WHERE m.id = silent.id AND m.epoch = silent.epoch AND m.beat = silent.beat`;

/** Milliseconds without a sign of life after which a member makes room, six times what others wait for it. */
const SILENT_MS = 60_000;

const FORGET_SILENT = `
  DELETE FROM cluster_members
    WHERE last_seen_ms < (extract(epoch FROM clock_timestamp()) * 1000)::bigint - ${String(SILENT_MS)}`;

/** Why a process did not become a member. */
const WHY_NOT_JOINED = `
  SELECT (SELECT count(*) FROM control_head)::int AS heads,
    (SELECT count(*) FROM cluster_members WHERE id <> $1)::int AS others`;

/** The part of a cluster that removes members. */
export function memberRemoval(session: ClusterSession): Pick<Cluster, "forget" | "forgetSilent"> {
  return {
    forget: async (silent) => {
      const column = (name: keyof SignOfLife) => silent.map((sign) => sign[name]);
      await session.query({ text: FORGET }, [column("id"), column("epoch"), column("beat")]);
    },
    forgetSilent: async () => {
      await session.query({ text: FORGET_SILENT }, []);
    },
  };
}

/** Call it when a process did not become a member. @throws when that had another reason than too many. */
export async function makeRoom(session: ClusterSession, logId: string): Promise<void> {
  const [found] = await session.query<{ readonly heads: number; readonly others: number }>(
    { text: WHY_NOT_JOINED },
    [logId],
  );
  const { heads, others } = found ?? { heads: 0, others: 0 };
  if (heads !== 1)
    throw new Error(`control_head: expected one row, found ${String(heads)}; restore a backup`);
  if (others < MAX_CLUSTER_MEMBERS) throw new Error(`another process has taken over the gateway id ${logId}`);
  await session.query({ text: FORGET_SILENT }, []);
}
