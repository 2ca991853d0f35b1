import { workerData } from "node:worker_threads";
import { serveCalls } from "@svc/process/serve-calls";
import { SnapshotReader } from "./snapshot-reader.ts";
import { Writer } from "./writer.ts";
import type { WriterJob, WriterSettings } from "./writer-protocol.ts";

/** Entry of the writer's thread, which also reads the snapshot of a start. */
const settings = workerData as WriterSettings;
const writer = new Writer(settings);
const snapshot = new SnapshotReader(settings);

/** Reads of a snapshot go between the other jobs, page by page. */
const service = {
  run: (job: WriterJob) => writer.run(job),
  begin: snapshot.begin.bind(snapshot),
  page: snapshot.page.bind(snapshot),
  end: snapshot.end.bind(snapshot),
  close: async () => {
    // The writer's connection must be the last that closes.
    await snapshot.end();
    return writer.run({ kind: "close" });
  },
};
serveCalls(service, { last: "close" });
