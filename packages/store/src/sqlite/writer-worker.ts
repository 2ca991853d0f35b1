import { workerData } from "node:worker_threads";
import { runJobs } from "@svc/process/run-jobs";
import { type SnapshotJob, SnapshotReader } from "./snapshot-reader.ts";
import { Writer } from "./writer.ts";
import type { WriterJob, WriterSettings } from "./writer-protocol.ts";

/** Entry of the writer's thread, which also reads the snapshot of a start. */
const settings = workerData as WriterSettings;
const writer = new Writer(settings);
const snapshot = new SnapshotReader(settings);

async function run(job: WriterJob | SnapshotJob): Promise<unknown> {
  switch (job.kind) {
    case "begin":
    case "page":
    case "end":
      return snapshot.run(job);
    case "close":
      // The writer's connection must be the last that closes.
      await snapshot.run({ kind: "end" });
      return writer.run(job);
    case "open":
    case "commit":
    case "call":
      return writer.run(job);
  }
}

runJobs<WriterJob | SnapshotJob>(run, ({ kind }) => kind === "close");
