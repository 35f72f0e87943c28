import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findIdentifiers } from "../../src/text/identifiers.js";

const JWT = `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.${"eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IktlZXBzYWtlIiwiaWF0IjoxNTE2MjM5MDIyLCJhdWQiOiJ0ZXN0cyJ9"}.${"SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c-0123456789"}`;

describe("identifiers of a text", () => {
  it.each<[string, string[]]>([
    ["Ferry booking KX-40718 leaves on 5 November at 07:40.", ["KX-40718"]],
    [
      "The backup volume is d90f3a17-62b8, the disk sits in locker 0042 and the passphrase hint is iLl0-O0o.",
      ["d90f3a17-62b8", "0042", "iLl0-O0o"],
    ],
    ["Release v3.17 of our Puffin app, and node 20.19.1.", ["v3.17", "20.19.1"]],
    ["My confirmation code is QXJTRW, flight HX3042.", ["QXJTRW", "HX3042"]],
    ["See https://example.org/a(b)?q=1&r=2. It is long.", ["https://example.org/a(b)?q=1&r=2"]],
    ["Write to ines.o+tea@mail.example.co.uk, please.", ["ines.o+tea@mail.example.co.uk"]],
    ["Call +49 170 1234567 or (030) 901820 today.", ["+49 170 1234567", "(030) 901820"]],
    ["Call 555-867-5309.", ["555-867-5309"]],
    ["I paid $1,250.50, she paid 300 euros and 45€.", ["$1,250.50", "300 euros", "45€"]],
    [
      "Config lives in ~/.config/app.toml and /etc/hosts.d/x, not C:\\Temp\\a.txt.",
      ["~/.config/app.toml", "/etc/hosts.d/x", "C:\\Temp\\a.txt"],
    ],
    ["Commit 3f786850e387550fdab836ed7e6dc881de23001b broke it.", ["3f786850e387550fdab836ed7e6dc881de23001b"]],
    ["Ticket 5f0c9d8e-7b1a-4f57-9a3d-2f6b8c1e0d94 and issue #4711.", ["5f0c9d8e-7b1a-4f57-9a3d-2f6b8c1e0d94", "#4711"]],
    ["IBAN DE89 3704 0044 0532 0130 00, thanks.", ["DE89 3704 0044 0532 0130 00"]],
    ["Set max_retry_count and API_KEY_NAME.", ["max_retry_count", "API_KEY_NAME"]],
    ["订单号KX-40718已发货，一共300元。", ["KX-40718", "300元"]],
    ["Server 192.168.17.4 listens on port 53.", ["192.168.17.4", "53"]],
    ["Zimmer 214, Buchung Nr. 88120.", ["214", "88120"]],
    [`Token: ${JWT}`, [JWT]],
  ])("of %j are %j", (text, expected) => {
    expect(findIdentifiers(text)).toEqual(expected);
  });

  it("keeps a token of more than 150 characters byte for byte", () => {
    expect(JWT.length).toBeGreaterThan(150);
    expect(findIdentifiers(`It is ${JWT}, keep it.`)).toContain(JWT);
  });

  it.each([
    "I ran 5km on the 3rd, at 10am, in 24 minutes.",
    "On 2023-05-07 or 14.03.2023 at 9:15 we met.",
    "My 10-year-old loves the 1980s and/or the mid-90s.",
    "She has 3 cats, 12 books and 2 sons.",
    "In 2019 I read 40 pages a day, WOW.",
    "A second-hand kayak, no less.",
  ])("are none in %j", (text) => {
    expect(findIdentifiers(text)).toEqual([]);
  });

  it("tells two codes apart that differ in one place", () => {
    expect(findIdentifiers("KX-40718 and KX-40781")).toEqual(["KX-40718", "KX-40781"]);
  });

  it("names each once, as a slice of the text, whatever the text", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary", maxLength: 10 }),
      fc.constantFrom(
        "KX-1",
        "a@b.co",
        " https://x.y/z?",
        "#1",
        "0042",
        "$5",
        "\ud800",
        "+49 170 1234567",
        "v1.2",
        "eyJ",
        "/a/b",
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const text = pieces.join("");
        const found = findIdentifiers(text);
        expect(new Set(found).size).toBe(found.length);
        for (const one of found) expect(text).toContain(one);
      }),
    );
  });

  it("finishes texts of a million characters that punish a careless pattern", { timeout: 60_000 }, () => {
    for (const unit of ["a", "1", "a.", "1-", "@", "a@", "/a", "(1", "+", "http://", "1 ", "eyJa.", "A1B2 "]) {
      expect(findIdentifiers(unit.repeat(1_000_000 / unit.length)).length).toBeLessThanOrEqual(200);
    }
  });
});
