/** Whether this process does what one process of a database does at a time. */
export interface Leadership {
  /**
   * True only while no other process of the database leads. Ask before each step of the work: a process that
   * was paused has lost the lead when it goes on.
   */
  readonly isLeader: boolean;
  close(): Promise<void>;
}
