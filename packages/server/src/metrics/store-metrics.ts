import { statfs } from "node:fs/promises";
import type { Store } from "@svc/store/ports/store";
import { Gauge, type Registry } from "prom-client";

export interface StoreMetricsParts {
  readonly registry: Registry;
  readonly store: Pick<Store, "sizeBytes">;
  readonly dataDir: string;
}

/**
 * Registers the size of the store and the free space on its disk, because rows are never removed. Each scrape
 * reads both; a figure that cannot be read is absent from that answer.
 */
export function registerStoreMetrics({ registry, store, dataDir }: StoreMetricsParts): void {
  gauge(registry, "svc_store_bytes", "Bytes that the store takes on its disk", () => store.sizeBytes());
  gauge(
    registry,
    "svc_data_directory_free_bytes",
    "Bytes free on the disk of the data directory",
    async () => {
      const { bavail, bsize } = await statfs(dataDir);
      return bavail * bsize;
    },
  );
}

function gauge(registry: Registry, name: string, help: string, read: () => Promise<number>): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      try {
        this.set(await read());
      } catch {
        // A store that is down must not remove the other metrics. An alarm can watch for absent figures.
        this.reset();
        this.remove();
      }
    },
  });
}
