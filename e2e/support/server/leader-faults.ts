import type { DatabaseLink } from "@svc/store/testing/database-link";
import type { ServerProcess } from "./server-process.ts";

/** A process that leads, and the link by which it reaches its database. */
export interface LinkedLeader {
  readonly server: ServerProcess;
  readonly link: DatabaseLink;
}

/** What can happen to a process that leads. */
export interface LeaderFault {
  readonly name: string;
  readonly begin: (leader: LinkedLeader) => unknown;
  /** Null: the process has ended for good. */
  readonly end: ((leader: LinkedLeader) => unknown) | null;
}

export const LEADER_FAULTS: readonly LeaderFault[] = [
  { name: "kill -9", begin: ({ server }) => server.signal("SIGKILL"), end: null },
  {
    name: "SIGSTOP",
    begin: ({ server }) => server.signal("SIGSTOP"),
    end: ({ server }) => server.signal("SIGCONT"),
  },
  {
    name: "a connection that is refused",
    begin: ({ link }) => link.cut(),
    end: ({ link }) => link.mend(),
  },
  {
    name: "a connection that is silent",
    begin: ({ link }) => link.freeze(),
    end: ({ link }) => link.mend(),
  },
  {
    name: "answers of the database that do not arrive",
    begin: ({ link }) => link.freeze(["from database"]),
    end: ({ link }) => link.mend(),
  },
];
