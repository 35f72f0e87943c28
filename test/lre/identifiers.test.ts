import { describe, expect, it } from "vitest";
import { findIdentifiers } from "../../src/lre/identifiers.js";

const KEY = `sk_live_${"a1B2c3D4e5".repeat(15)}`;
const JWT = `eyJhbGciOiJIUzI1NiJ9.${"eyJzdWIiOiI0MiJ9Zm9v".repeat(6)}.${"Q2hlY2tTdW0x".repeat(4)}`;

const FOUND: readonly (readonly [string, string, string])[] = [
  ["a URL without the sentence's full stop", "See https://example.org/a/b?x=1#top.", "https://example.org/a/b?x=1#top"],
  ["an e-mail address", "write to ines.roca+shop@mail.example.com!", "ines.roca+shop@mail.example.com"],
  ["a path", 'opened "/srv/app/config/main.yaml" now', "/srv/app/config/main.yaml"],
  ["a uuid", "job 5f0c9d8e-7b1a-4f57-9a3d-2f6b8c1e0d94 ran", "5f0c9d8e-7b1a-4f57-9a3d-2f6b8c1e0d94"],
  ["a user id", "user mia_li_3668 logged in", "mia_li_3668"],
  ["a booking code", "reservation HX48QR is yours", "HX48QR"],
  ["a long number", "ticket 84252722", "84252722"],
  ["an amount", "that is $1,204.50 in all", "$1,204.50"],
  ["an order number", "order #W2378156 shipped", "#W2378156"],
  ["a host with its port", "bind to 127.0.0.1:7431, please", "127.0.0.1:7431"],
  ["a file", "never touch ledger_2019.csv, ever", "ledger_2019.csv"],
  ["a relative path", "edit src/app/main.ts first", "src/app/main.ts"],
  ["a key of 150 characters and more", `use ${KEY} for it`, KEY],
  ["a web token", `{"token":"${JWT}"}`, JWT],
];

describe("finding identifiers", () => {
  it.each(FOUND)("finds %s byte for byte", (_what, text, value) => {
    expect(findIdentifiers(text).map((found) => found.value)).toContain(value);
  });

  it("names the JSON field a value stood in, in lists too", () => {
    const found = findIdentifiers('{"user_id": "mia_li_3668", "reservations": ["HX48QR", "ZZ91TK"], "pin": "blue-fish"}');
    expect(Object.fromEntries(found.map(({ value, field }) => [value, field]))).toEqual({
      mia_li_3668: "user_id",
      HX48QR: "reservations",
      ZZ91TK: "reservations",
      "blue-fish": "pin",
    });
  });

  it("takes no dates, plain words or small numbers for identifiers", () => {
    expect(findIdentifiers("On 2024-05-15 we ate 3 apples and called Grandma.")).toEqual([]);
  });

  it("reads a megabyte in linear time and keeps a bounded number", () => {
    for (const text of [
      "a".repeat(1_000_000),
      "_1".repeat(500_000),
      "AB12CD ".repeat(140_000),
      '"'.repeat(1_000_000),
      "x@".repeat(400_000),
    ]) {
      expect(findIdentifiers(text).length).toBeLessThanOrEqual(400);
    }
  }, 60_000);
});
