import { describe, expect, it } from "vitest";
import { openMemory } from "../../src/index.js";
import { MIGRATIONS } from "../../src/store/indexeddb/migrations.js";
import { makeVersion1 } from "../store/fixtures/indexeddb-version1.js";
import { makeVersion2 } from "../store/fixtures/indexeddb-version2.js";
import { freshName } from "../store/harness.js";
import { expectInUse } from "./old-versions.js";

/** By every version of the schema before this one. */
const FIXTURES = [makeVersion1, makeVersion2];

it("has a database of every version of the schema that there was", () => {
  expect(FIXTURES).toHaveLength(MIGRATIONS.length - 1);
});

describe.each([
  ["in a worker", true],
  ["in the page", false],
])("a memory %s", (_, worker) => {
  it.each(FIXTURES.map((make, at) => [at + 1, make] as const))(
    "uses a database of version %i as one of today",
    async (_version, make) => {
      const name = freshName();
      await make(name);
      await expectInUse(() => openMemory({ name, userId: "me", timeZone: "UTC", worker }));
    },
  );
});
