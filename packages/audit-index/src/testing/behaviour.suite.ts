import { DEFAULT_BEHAVIOUR } from "@svc/contract/default-behaviour";
import { entry } from "@svc/store/testing/records";
import { describe, expect, it, onTestFinished } from "vitest";
import { AnomalyBuffer, type AnomalyThresholds } from "../behaviour/anomaly-buffer.ts";
import type { ObservedAnomaly } from "../behaviour/observed-anomaly.ts";
import type { ProjectorSession } from "../fill/index-loop.ts";
import { openProjectorSession, removeIndex } from "../fill/open-projector-session.ts";
import type { IndexPlace } from "../index-place.ts";
import type { IndexSubject } from "./index-bench.suite.ts";
import { decisionText } from "./make-row.ts";

const MINUTE_MS = 60_000;

const DEFAULTS: AnomalyThresholds = { generation: 1, namespaces: [] };

interface Watching {
  readonly session: ProjectorSession;
  /** Indexes what is committed. @returns what was found and not taken before */
  readonly look: () => Promise<readonly ObservedAnomaly[]>;
}

/** A process that writes the index and watches calls. */
async function watching(place: IndexPlace, book: AnomalyThresholds | null = DEFAULTS): Promise<Watching> {
  const buffer = new AnomalyBuffer();
  buffer.take(book);
  const session = await openProjectorSession(place, buffer);
  if (session === null) throw new Error("another projector holds the lock");
  const look = async (): Promise<readonly ObservedAnomaly[]> => {
    while (await session.projector.step());
    return buffer.take(null).anomalies;
  };
  return { session, look };
}

const range = (count: number): number[] => [...Array(count).keys()];

/** The same call, every 100 ms, the last one `agoMs` ago. */
function same(count: number, agoMs: number, digest = "same"): readonly string[] {
  const first = Date.now() - agoMs - (count - 1) * 100;
  return range(count).map((index) =>
    decisionText({ time: new Date(first + index * 100).toISOString(), call_digest: digest }),
  );
}

export function behaviourContract(open: () => Promise<IndexSubject>): void {
  const begin = async () => {
    const { store, place } = await open();
    onTestFinished(async () => store.close());
    const add = async (rows: readonly string[]): Promise<void> =>
      void (await store.ledger.commit(rows.map((row) => entry(row))));
    return { place, add };
  };

  describe("the watch of calls", () => {
    // proves ANOM-01
    it("finds an anomaly once, when its rows are indexed", async () => {
      const { place, add } = await begin();
      const { session, look } = await watching(place);
      await add(same(19, 1_000));
      expect(await look()).toEqual([]);
      await add(same(11, 0));
      expect(await look()).toEqual([
        expect.objectContaining({
          org: "org-1",
          agentId: "agent-1",
          anomaly: "identical_call_repeated",
          explanation: "called payments.refund with the same arguments 20 times within a minute",
        }),
      ]);
      await add(same(10, 0));
      expect(await look()).toEqual([]);
      await session.close();
    });

    it("finds nothing before it has thresholds, and then what is in the last ten minutes", async () => {
      const { place, add } = await begin();
      await add(same(30, 1_000));
      const without = await watching(place, null);
      expect(await without.look()).toEqual([]);
      await without.session.close();
      const { session, look } = await watching(place);
      expect((await look()).map(({ anomaly }) => anomaly)).toEqual(["identical_call_repeated"]);
      await session.close();
    });

    it("goes on after a restart where the watch before it was, and finds the same anomaly", async () => {
      const { place, add } = await begin();
      const first = await watching(place);
      await add(same(30, 2_000));
      const found = await first.look();
      expect(found).toHaveLength(1);
      await first.session.close();
      const second = await watching(place);
      expect(await second.look()).toEqual(found);
      await add(same(15, 0));
      expect(await second.look()).toEqual([]);
      await second.session.close();
      const third = await watching(place);
      await add(same(1, 0, "other"));
      expect(await third.look()).toEqual(found);
      await third.session.close();
    });

    it("counts calls across a restart", async () => {
      const { place, add } = await begin();
      const first = await watching(place);
      await add(same(12, 2_000));
      expect(await first.look()).toEqual([]);
      await first.session.close();
      const second = await watching(place);
      expect(await second.look()).toEqual([]);
      await add(same(8, 0));
      expect(await second.look()).toHaveLength(1);
      await second.session.close();
    });

    it("finds nothing in older rows, also when the index is built again", async () => {
      const { place, add } = await begin();
      await add(same(60, 11 * MINUTE_MS));
      await add(same(60, 60 * MINUTE_MS, "earlier"));
      const { session, look } = await watching(place);
      expect(await look()).toEqual([]);
      await session.close();
      await removeIndex(place);
      const again = await watching(place);
      expect(await again.look()).toEqual([]);
      await add(same(20, 0, "now"));
      expect(await again.look()).toHaveLength(1);
      await again.session.close();
    });

    // proves ANOM-03
    it("knows the tools of an agent from the index, in every order of restarts", async () => {
      const { place, add } = await begin();
      const book = {
        generation: 1,
        namespaces: [
          {
            org: "org-1",
            namespace: "default",
            behaviour: { ...DEFAULT_BEHAVIOUR, new_tool_after_calls: 5, repeated_calls: null },
          },
        ],
      };
      const call = (tool: string, agoMs: number): string =>
        decisionText({ tool, time: new Date(Date.now() - agoMs).toISOString() });
      await add(range(5).map((index) => call("crm.read", 60 * MINUTE_MS - index)));
      const first = await watching(place, book);
      expect(await first.look()).toEqual([]);
      await add([call("crm.read", 3_000), call("payments.refund", 2_000), call("payments.refund", 1_000)]);
      const found = await first.look();
      expect(found.map(({ explanation }) => explanation)).toEqual([
        "called payments.refund, which none of its 6 known earlier calls used",
      ]);
      await first.session.close();
      const second = await watching(place, book);
      expect(await second.look()).toEqual(found);
      await add([call("payments.refund", 0)]);
      expect(await second.look()).toEqual([]);
      await second.session.close();
      await removeIndex(place);
      const third = await watching(place, book);
      expect((await third.look()).filter(({ subject }) => subject !== "payments.refund")).toEqual([]);
      await third.session.close();
    });

    // proves ANOM-04
    it("takes thresholds that change", async () => {
      const { place, add } = await begin();
      const buffer = new AnomalyBuffer();
      buffer.take(DEFAULTS);
      const session = await openProjectorSession(place, buffer);
      await add(same(10, 1_000));
      while (await session?.projector.step());
      const behaviour = { ...DEFAULT_BEHAVIOUR, repeated_calls: 12 };
      const namespaces = [{ org: "org-1", namespace: "default", behaviour }];
      expect(buffer.take({ generation: 2, namespaces })).toEqual({
        anomalies: [],
        dropped: 0,
        generation: 2,
      });
      await add(same(2, 0));
      while (await session?.projector.step());
      expect(buffer.take(null).anomalies).toHaveLength(1);
      await session?.close();
    });
  });
}
