import type { RogueDetectionSettings } from "@svc/contract/rogue-detection";

/** The settings in force. Ask for them anew each time: they change while sessions are watched. */
export interface SettingsSource {
  /** The same object as long as the settings of the namespace stay the same. */
  of(org: string, namespace: string): RogueDetectionSettings;
  /**
   * Milliseconds in which no severity of a session rises that has been silent for so long, watched or not:
   * an agent was told its interval at a moment, no matter who watched then.
   */
  graceMs(org: string, namespace: string, silenceMs: number): number;
  /** Another number after some settings changed. */
  readonly generation: number;
}

/** Which agents have an allowed call of a sensitive tool of which no outcome came. */
export interface RiskSource {
  /** The tool of such a call; null: the agent has none. */
  sensitiveTool(org: string, agentId: string): string | null;
  /** The agents that have one now and had none at the last question, or the other way round. */
  takeChanged(): Iterable<{ readonly org: string; readonly agentId: string }>;
}
