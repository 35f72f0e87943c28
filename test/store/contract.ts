/** What every store must do, whatever it is built on: run over SQLite in Node and over IndexedDB in Chromium. */
import { describe } from "vitest";
import { describeDamage } from "./contract/damage.js";
import { describeDoors } from "./contract/doors.js";
import { describeGraph } from "./contract/graph.js";
import { describeIsolation } from "./contract/isolation.js";
import { describeModel } from "./contract/model.js";
import { describeReads } from "./contract/reads.js";
import { describeRepair } from "./contract/repair.js";
import { describeScan } from "./contract/scan.js";
import { describeUpkeep } from "./contract/upkeep.js";
import { describeVectors } from "./contract/vectors.js";
import { describeWrites } from "./contract/writes.js";
import type { StoreHarness } from "./harness.js";

export function describeStore(title: string, harness: StoreHarness): void {
  describe(title, () => {
    describeWrites(harness);
    describeReads(harness);
    describeVectors(harness);
    describeIsolation(harness);
    describeDoors(harness);
    describeGraph(harness);
    describeModel(harness);
    describeUpkeep(harness);
    describeScan(harness);
    if (harness.disk) {
      describeDamage(harness, harness.disk);
      describeRepair(harness, harness.disk);
    }
  });
}
