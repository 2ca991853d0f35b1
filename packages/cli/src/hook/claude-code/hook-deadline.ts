/**
 * Milliseconds from the start of the process until it ends by itself. Claude Code lets a call run whose hook
 * takes too long, so this must stay below the time that `svc-cli hook install` gives the hook.
 */
export const HOOK_DEADLINE_MS = 20_000;
