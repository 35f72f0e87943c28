import { expect, it, vi } from "vitest";
import { sqliteStores } from "../../../src/store/sqlite/stores.js";
import { userId } from "../samples.js";

vi.mock("better-sqlite3", () => {
  throw new Error("Cannot find package 'better-sqlite3'");
});

it("says what to install where better-sqlite3 is missing", async () => {
  const opening = sqliteStores({ directory: ":memory:" }).open("assistant", userId("me"));
  await expect(opening).rejects.toMatchObject({
    code: "peer-missing",
    message: expect.stringContaining("npm install better-sqlite3"),
  });
});
