import { DrillFault } from "../drill-fault.ts";
import { type ClusterOptions, type LocalCluster, startLocalCluster } from "../local/local-cluster.ts";
import type { DrillName, DrillReport } from "../report/drill-report.ts";
import { makeReport, startReport } from "../report/make-report.ts";
import type { DrillContext } from "./drill-context.ts";
import { drillCrash } from "./drill-crash.ts";
import { drillKill } from "./drill-kill.ts";
import { drillPartition } from "./drill-partition.ts";
import { drillSlowDatabase } from "./drill-slow-database.ts";
import { reasonToEnd } from "./reason-to-end.ts";

export interface LocalDrillOptions extends ClusterOptions {
  readonly drill: DrillName;
  readonly targetMs: number;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

type Drill = (cluster: LocalCluster, context: DrillContext) => Promise<void>;

const DRILLS: Readonly<Record<DrillName, Drill>> = {
  kill: drillKill,
  partition: drillPartition,
  crash: drillCrash,
  "slow-database": drillSlowDatabase,
};

/** Fewest gateways: one is broken while another one is asked. */
const FEWEST_GATEWAYS: Readonly<Record<DrillName, number>> = {
  kill: 1,
  partition: 2,
  crash: 2,
  "slow-database": 2,
};

/**
 * Starts a cluster, breaks it, and says what was measured. A drill that is ended early reports what it found
 * until then. @throws DrillFault when the cluster does not start, so that nothing could be measured
 */
export async function runLocalDrill(options: LocalDrillOptions): Promise<DrillReport> {
  const { drill, targetMs, signal, onProgress } = options;
  if (options.gateways < FEWEST_GATEWAYS[drill])
    throw new DrillFault("usage", `--gateways: drill ${drill} needs at least ${FEWEST_GATEWAYS[drill]}`);
  const started = startReport();
  const cluster = await startLocalCluster(options, { signal, onProgress });
  const context: DrillContext = { signal, onProgress, checks: [], targetMs };
  let endedEarly: string | null = null;
  let versions: Readonly<Record<string, string | null>> = {};
  try {
    versions = await versionsOf(cluster);
    await DRILLS[drill](cluster, context);
  } catch (error) {
    endedEarly = reasonToEnd(error, signal);
  } finally {
    onProgress("ending the cluster");
    await cluster.close();
  }
  const description = `${options.gateways} gateways on ${cluster.database}`;
  return makeReport({
    ...started,
    drill,
    subject: { kind: "local", description, versions },
    settings: { gateways: options.gateways, target_ms: targetMs },
    endedEarly,
    checks: context.checks,
  });
}

async function versionsOf({ gateways }: LocalCluster): Promise<Readonly<Record<string, string | null>>> {
  const named = gateways.map(async ({ id, api }) => {
    const { version } = await api.request("GET", "/version");
    return [id, typeof version === "string" ? version : null] as const;
  });
  return Object.fromEntries(await Promise.all(named));
}
