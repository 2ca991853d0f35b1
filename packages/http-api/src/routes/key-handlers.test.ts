import { ANONYMOUS } from "@svc/contract/principal";
import { expect, it } from "vitest";
import { jsonBody, startControlApi } from "../testing/control-api.suite.ts";

async function withKey() {
  const { ask: askAs, lines } = await startControlApi();
  const headers = { authorization: `Bearer ${ANONYMOUS}` };
  const ask = (method: string, path: string) => askAs(method, path, { headers });
  const made = await askAs("POST", "/v1/keys", jsonBody({ name: "a key", role: "operator" }, headers));
  expect(made.status).toBe(201);
  const key = String(made.body["key"]);
  return { ask, lines, id: String(made.body["id"]), key, secret: key.split("_")[2] ?? "" };
}

it("a rotation without a body leaves the earlier secrets the default overlap", async () => {
  const { ask, id } = await withKey();
  const { status, body } = await ask("POST", `/v1/keys/${id}/rotate`);
  expect(status).toBe(200);
  expect(body["secrets"]).toMatchObject([{ expires_at: expect.any(String) }, { expires_at: null }]);
});

it("a whole key in place of its id is answered with the id, without the secret", async () => {
  const { ask, id, key, secret, lines } = await withKey();
  const { status, text } = await ask("DELETE", `/v1/keys/${key}`);
  expect(status).toBe(404);
  expect(text).toContain(`keys/${id}`);
  expect(text).not.toContain(secret);
  expect(JSON.stringify(lines)).not.toContain(secret);
});

it("something that is neither an id nor a key, but begins like a key, is not repeated", async () => {
  const { ask } = await withKey();
  const { status, text } = await ask("GET", "/v1/keys/svc_9D41_secret");
  expect(status).toBe(404);
  expect(text).not.toContain("secret");
});
