import { expect, it } from "vitest";
import { type AcknowledgedHead, ForeignHeadError, HeadGuard } from "./head-guard.ts";

const head = (size: number, fill = size): AcknowledgedHead => ({ size, hash: new Uint8Array(32).fill(fill) });

it.each([
  { name: "the same", found: head(5), allowed: true, refused: true },
  { name: "shorter", found: head(4), allowed: false, refused: false },
  { name: "empty", found: head(0), allowed: false, refused: false },
  { name: "as long, with another hash", found: head(5, 9), allowed: false, refused: false },
  { name: "longer", found: head(6), allowed: true, refused: false },
])("L2: a log that is found $name", ({ found, ...passes }) => {
  for (const growth of ["allowed", "refused"] as const) {
    const guard = new HeadGuard({ logId: "log", growth, acknowledged: head(5) });
    if (passes[growth]) guard.require(found);
    else expect(() => guard.require(found)).toThrow(ForeignHeadError);
  }
});

it("L2: a longer log must still hold the acknowledged row", () => {
  const guard = new HeadGuard({ logId: "log", growth: "allowed", acknowledged: head(5) });
  expect(guard.require(head(5))).toBeNull();
  expect(guard.require(head(6))).toEqual(head(5));
  guard.requireRow(head(5), head(5).hash);
  for (const found of [null, head(4).hash])
    expect(() => guard.requireRow(head(5), found)).toThrow(/acknowledged row log\.4 was replaced/);
});

it("L3: a log that only its own process makes longer may be found where a commit in doubt left it", () => {
  const guard = new HeadGuard({ logId: "log", growth: "own", acknowledged: head(5) });
  for (const expected of [head(6), head(7), head(7, 1)]) guard.expect(expected);
  for (const found of [head(6), head(7), head(7, 1)]) expect(guard.require(found)).toEqual(head(5));
  for (const foreign of [head(6, 9), head(7, 9), head(8)])
    expect(() => guard.require(foreign)).toThrow(/left at 5 rows .*somebody else has written/);
  guard.acknowledge(head(6));
  expect(guard.require(head(7, 1))).toEqual(head(6));
  guard.acknowledge(head(8));
  expect(guard.require(head(8))).toBeNull();
  expect(() => guard.require(head(9))).toThrow(ForeignHeadError);
});

it("takes the first head for its mark, then only longer ones", () => {
  const guard = new HeadGuard({ logId: "log", growth: "allowed", acknowledged: null });
  guard.require(head(0));
  for (const size of [3, 7, 5, 6]) guard.acknowledge(head(size));
  expect(guard.acknowledged).toEqual(head(7));
  expect(() => guard.require(head(6))).toThrow(/left at 7 rows .* now at 6 rows/);
});

it("L3: is certain of its head only while no other connection may be appending", () => {
  const guard = new HeadGuard({ logId: "log", growth: "own", acknowledged: head(5) });
  expect(guard.certain).toEqual(head(5));
  guard.expect(head(6));
  expect(guard.certain).toBeNull();
  guard.acknowledge(head(6));
  expect(guard.certain).toEqual(head(6));
  const shared = new HeadGuard({ logId: "log", growth: "allowed", acknowledged: head(5) });
  expect(shared.certain).toBeNull();
});
