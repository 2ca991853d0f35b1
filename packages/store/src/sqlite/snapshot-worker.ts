import { workerData } from "node:worker_threads";
import { serveCalls } from "@svc/process/serve-calls";
import { SnapshotReader, type SnapshotSettings } from "./snapshot-reader.ts";

/** Entry of the thread that reads snapshots. */
serveCalls(new SnapshotReader(workerData as SnapshotSettings));
