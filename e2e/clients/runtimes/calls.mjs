// What every runtime runs: each way in which a gateway answers, or does not.
import { governCall, SvcClient } from "@svc/client";

export async function calls({ url, away, tools }) {
  const ran = [];
  const tried = async (baseUrl, tool) => {
    try {
      const client = new SvcClient({ baseUrl, timeoutMs: 2_000, onFault: () => {} });
      const fn = () => ran.push(tool);
      await governCall(tool, { amount: 1 }, { agentId: "agent-1", client, fn });
      return "ran";
    } catch (error) {
      return error.reason_code ?? error.message;
    }
  };
  const ends = {};
  for (const tool of tools) ends[tool] = await tried(url, tool);
  ends.away = await tried(away, "away");
  return { ends, ran };
}
