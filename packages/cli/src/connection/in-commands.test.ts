import { expect, it } from "vitest";
import { inCommands } from "./in-commands.ts";

// proves CLI-28
it.each([
  ["No API key was sent. Send the header Authorization: Bearer <API key>.", "svc-cli context list"],
  [
    "The header Authorization does not hold an API key. Send Authorization: Bearer svc_<id>_<secret>.",
    "one has the form svc_<id>_<secret>. Look at",
  ],
  ["This organization has no policy p. GET policies lists them.", "svc-cli policies list"],
  ["Policy p has no version 9. GET policies/p/versions lists its versions.", "svc-cli policies versions p"],
  [
    "There is no kill switch 9. GET kill-switch lists them: send the kill_switch_id, which begins with ks_.",
    "svc-cli kill list",
  ],
  ["There is no approval apr_1. GET approvals lists yours.", "svc-cli approvals list"],
  ["This organization has no audit row 7. GET audit lists the rows.", "svc-cli audit tail"],
  ["Policy p is archived. Bring it back first: POST policies/p/enable.", "svc-cli policies enable p"],
  [
    "An agent that has called is registered with POST agents/a/adopt, any other one with POST agents.",
    "registered with svc-cli agents register a, any",
  ],
  ["An operator ends that with POST agents/a/reregister.", "svc-cli agents reregister a"],
  [
    "An operator ends that with POST agents/it's%20%24(me)/reregister.",
    "svc-cli agents reregister 'it'\\''s $(me)' --reason",
  ],
  [
    "It is registered with POST agents/auth0%7C5f%26/adopt, any other one with POST agents.",
    "svc-cli agents register 'auth0|5f&', any other one with svc-cli agents register 'auth0|5f&' --namespace",
  ],
])("says %s in commands", (told, command) => {
  const said = inCommands(told);
  expect(said).toContain(command);
  expect(said).not.toMatch(/\b(?:GET|POST|DELETE) [a-z]|header/);
});

it("leaves other sentences as they are", () => {
  expect(inCommands("The rows are gone.")).toBe("The rows are gone.");
});
