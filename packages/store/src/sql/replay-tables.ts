import type { Wording } from "./wording.ts";

/** `active`: 1 while the replay is queued or running. `record` is JSON. */
export interface ReplaysTable {
  org: string;
  id: string;
  number: number;
  owner: string;
  active: number;
  updated_at_ms: number;
  record: string;
  work: string | null;
  starts: number;
}

/** `number` counts the replays of an organization. `record` is the replay as JSON, with its result. */
export function replayTables({ integer, text }: Wording): readonly string[] {
  return [
    `CREATE TABLE replays (
      org ${text} NOT NULL,
      id ${text} NOT NULL,
      number ${integer} NOT NULL,
      owner ${text} NOT NULL,
      active ${integer} NOT NULL CHECK (active IN (0, 1)),
      updated_at_ms ${integer} NOT NULL,
      record ${text} NOT NULL,
      PRIMARY KEY (org, id)
    )`,
    "CREATE UNIQUE INDEX replays_newest ON replays (org, number)",
    "CREATE INDEX replays_active ON replays (owner) WHERE active = 1",
  ];
}

/** `work`: what a process needs to begin an active replay again. `starts`: how often it was begun. */
export function replayWorkColumns({ integer, text }: Wording): readonly string[] {
  return [
    `ALTER TABLE replays ADD COLUMN work ${text}`,
    `ALTER TABLE replays ADD COLUMN starts ${integer} NOT NULL DEFAULT 1`,
  ];
}
