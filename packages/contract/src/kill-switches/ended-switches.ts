/** Ended switches in an answer to an adapter that lists all active ones, as count. */
export const ENDED_SWITCHES = 50;
