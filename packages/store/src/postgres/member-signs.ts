import { type Cluster, MAX_CLUSTER_MEMBERS } from "../ports/cluster.ts";
import type { ClusterSession } from "./cluster-session.ts";

/** A crash of the server may take them back: they are said again within seconds. */
const SAY = {
  name: "svc-say-signs",
  text: `
    WITH relaxed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true) AS setting)
    UPDATE cluster_members SET signs = $3
      FROM relaxed WHERE id = $1 AND epoch <= $2 AND relaxed.setting IS NOT NULL`,
};

const SAID = {
  name: "svc-signs",
  text: `
    SELECT id AS member_id, signs FROM cluster_members WHERE signs IS NOT NULL
      ORDER BY id LIMIT ${String(MAX_CLUSTER_MEMBERS)}`,
};

type SignsRow = { readonly member_id: string; readonly signs: string };

interface SignsParts {
  readonly session: Pick<ClusterSession, "query">;
  /** The member that this process is, and the epoch under which it holds its log. */
  readonly logId: string;
  readonly epoch: () => Promise<number>;
}

/** What members say of their health. */
export function memberSigns({ session, logId, epoch }: SignsParts): Pick<Cluster, "saySigns" | "signs"> {
  return {
    saySigns: async (text) => {
      await session.query(SAY, [logId, await epoch(), text]);
    },
    signs: async () => {
      const rows = await session.query<SignsRow>(SAID, []);
      return rows.map(({ member_id: memberId, signs: text }) => ({ memberId, text }));
    },
  };
}
