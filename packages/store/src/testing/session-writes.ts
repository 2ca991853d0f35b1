/** What a write makes of a supervised session, for tests that keep sessions in memory. */
export { afterChange, afterHeartbeat, afterReauthentication, type Write } from "../sql/after-heartbeat.ts";
