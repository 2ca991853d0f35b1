import type { Wording } from "./wording.ts";

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
