import { expect, it } from "vitest";
import { SeenIds, showsAnswer } from "./document-commands.ts";

it.each([
  [{ a: 1 }, { a: 1, b: 2 }, true],
  [{ a: "gw_..." }, { a: "gw_1" }, true],
  [{ a: "gw_..." }, { a: "ks_1" }, false],
  [{ a: [1] }, { a: [1, 2] }, false],
  [{ a: null }, {}, false],
  [{ a: { b: 1 } }, { a: 1 }, false],
])("a page shows %j, the answer is %j: %s", (shown, found, same) => {
  expect(showsAnswer(shown, found)).toBe(same);
});

it("a page names the approval of the newest pause as apr_...", () => {
  const ids = new SeenIds();
  ids.note('{"approval_url":"http://localhost:8080/approvals/apr_-1_a","status":"pending"}');
  expect(ids.fill("$SVC/approvals/apr_.../approve")).toBe("$SVC/approvals/apr_-1_a/approve");
});

it("a page names the switch of svc-cli as ks_...", () => {
  const ids = new SeenIds();
  ids.note("stopped   every call of agent a\nswitch    ks_4c2a\n");
  expect(ids.fill("svc-cli unkill ks_...")).toBe("svc-cli unkill ks_4c2a");
});

it("a page names the newest key as svc_..., and its id as keys/...", () => {
  const ids = new SeenIds();
  ids.note('{"key":"svc_9d41_Zx9","id":"9d41"}');
  expect(ids.fill("-H 'Bearer svc_...' $SVC/keys/.../rotate")).toBe(
    "-H 'Bearer svc_9d41_Zx9' $SVC/keys/9d41/rotate",
  );
  ids.note('{"keys":[{"id":"77aa","origin":"managed"},{"id":"00ff","origin":"bootstrap"}]}');
  expect(ids.fill("$SVC/keys/...")).toBe("$SVC/keys/77aa");
});
