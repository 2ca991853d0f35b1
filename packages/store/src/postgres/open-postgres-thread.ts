import { remote, type ServiceCall } from "@svc/process/service-call";
import { threadUrl } from "@svc/process/thread-url";
import { WorkerThread } from "@svc/process/worker-thread";
import type { ControlMarkKeeper } from "../control-head-guard.ts";
import type { AcknowledgedHead } from "../head-guard.ts";
import type { StoreCall } from "../threads/call-store.ts";
import { remoteStores } from "../threads/remote-stores.ts";
import type { OpenedPostgres } from "./open-postgres-here.ts";
import { parseFault } from "./postgres-fault.ts";
import type { PostgresDone, PostgresSettings, PostgresThreadData } from "./postgres-protocol.ts";
import type { PostgresParts } from "./postgres-store.ts";

/** The database on the connections of another thread, as seen from the serving one. */
export function openPostgresThread(
  settings: PostgresSettings,
  keeper: ControlMarkKeeper | null,
): PostgresParts {
  let acknowledged: AcknowledgedHead | null = null;
  let known = keeper?.known ?? null;
  let closing: Promise<void> | null = null;
  const thread = new WorkerThread<ServiceCall>({
    name: "svc-store-postgres",
    label: "the thread of PostgreSQL",
    url: threadUrl("postgres-worker", import.meta.url),
    workerData: (): PostgresThreadData => ({
      ...settings,
      acknowledged,
      mark: known,
      howToForget: keeper?.howToForget ?? null,
    }),
    // Every statement has a deadline of its own.
    stallLimitMs: null,
  });
  const run = async (one: ServiceCall): Promise<unknown> => {
    if (closing !== null) throw new Error("the store is closed");
    const { value, fault, head, mark } = (await thread.run(one)) as PostgresDone;
    acknowledged = head ?? acknowledged;
    if (mark !== null && mark.revision > (known?.revision ?? 0)) {
      known = mark;
      keeper?.keep(mark);
    }
    if (fault !== null) throw parseFault(fault);
    return value;
  };
  const call = async (one: StoreCall): Promise<unknown> => run({ method: "call", args: [one] });
  return remote<OpenedPostgres, Pick<PostgresParts, "stores" | "close">>(run, {
    stores: remoteStores({ writer: call, reader: call, snapshot: call }),
    // Finishes what was handed over, then ends the thread.
    close: () => {
      closing ??= thread.finish({ method: "close", args: [] });
      return closing;
    },
  });
}
