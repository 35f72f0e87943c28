import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findSecrets, SECRET_MARK, withoutSecrets } from "../../src/write/secrets.js";

describe("what grants access", () => {
  it.each([
    ["My wifi password is Tr0ub4dor&3, the guest one is open.", "Tr0ub4dor&3"],
    ["The password for the router is 'correct horse battery'.", "correct horse battery"],
    ["my password is bluebird.", "bluebird"],
    ["Passwort: geheim!42", "geheim!42"],
    ["Das Passwort vom Drucker lautet Sonne99.", "Sonne99"],
    ["La contraseña es girasol7", "girasol7"],
    ["我的密码是abc12345。", "abc12345"],
    ["My PIN is 4417.", "4417"],
    ["the PIN for the Visa card is 0093", "0093"],
    ["CVV 123", "123"],
    ["Your verification code is 884213.", "884213"],
    ["export OPENAI_API_KEY=sk-proj-abcdEFGH1234ijklMNOP5678", "sk-proj-abcdEFGH1234ijklMNOP5678"],
    ["use ghp_abcdefghijklmnopqrstuvwxyz0123456789 to clone", "ghp_abcdefghijklmnopqrstuvwxyz0123456789"],
    ["AKIAIOSFODNN7EXAMPLE is the key id", "AKIAIOSFODNN7EXAMPLE"],
    ["Authorization: Bearer abcdef0123456789ABCDEF", "abcdef0123456789ABCDEF"],
    ["psql postgres://ana:s3cr3tpw@db.example.org/app", "s3cr3tpw"],
    ["https://example.org/file?token=abc123def456&x=1", "abc123def456"],
    ['{"api_key": "f00dfeedbeef", "name": "x"}', "f00dfeedbeef"],
    [
      "token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.SflKxwRJSMeKKF2QT4",
      "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.SflKxwRJSMeKKF2QT4",
    ],
    [
      "My seed phrase is apple banana cherry delta eagle fable grape house igloo jelly koala lemon",
      "apple banana cherry delta eagle fable grape house igloo jelly koala lemon",
    ],
  ])("is found in %j", (text, secret) => {
    expect(findSecrets(text)).toContain(secret);
    expect(withoutSecrets(text)).not.toContain(secret);
    expect(withoutSecrets(text)).toContain(SECRET_MARK);
  });

  it("is a private key, whole or cut off", () => {
    const key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\nabc\n-----END RSA PRIVATE KEY-----";
    expect(withoutSecrets(`Here: ${key} done`)).toBe(`Here: ${SECRET_MARK} done`);
    expect(withoutSecrets(key.slice(0, 50))).toBe(SECRET_MARK);
  });

  it("is masked where a reply repeats it without a word", () => {
    const known = findSecrets("The password is hunter22!");
    expect(withoutSecrets("Good, hunter22 it is.", known)).toBe(`Good, ${SECRET_MARK} it is.`);
  });
});

describe("what only names something", () => {
  it.each([
    "My booking code is KX-40718.",
    "My locker code is 4417-B.",
    "The door code is 2290.",
    "Order 884213 arrived; tracking 1Z999AA10123456784.",
    "My password is too long to type.",
    "I forgot my password and the reset is slow.",
    "The password is always the same as yours.",
    "Is the password wrong?",
    "The secret is in the sauce.",
    "Keep it secret: I like durian.",
    "Her secret to long life is tea and naps.",
    "I put a pin in 2019 on the map.",
    "The key is under the mat.",
    "password = process.env.DB_PASSWORD",
    "IBAN DE89 3704 0044 0532 0130 00, BIC COBADEFFXXX",
    "The token count was 128000 and the access was slow.",
    "Commit 9fceb02d0ae598e95dc970b74767f19372d61af8 broke it.",
  ])("is left in %j", (text) => {
    expect(findSecrets(text)).toEqual([]);
    expect(withoutSecrets(text)).toBe(text);
  });
});

it("masks once and for all, whatever the text", { timeout: 60_000 }, () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.constantFrom(
      "password is ",
      "PIN 1234 ",
      "token=abcdef123 ",
      "eyJ",
      "-----BEGIN PRIVATE KEY-----",
      ": ",
      "secret",
      SECRET_MARK,
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const once = withoutSecrets(pieces.join(""));
      expect(withoutSecrets(once)).toBe(once);
    }),
    { numRuns: 1_000, examples: [[["password is ", "\u0000", "-----BEGIN PRIVATE KEY-----", "PIN 1234 "]]] },
  );
});

it("looks through a megabyte", { timeout: 60_000 }, () => {
  for (const unit of ["a", "password is ", "token=", "a:", "//", "12 ", "-----BEGIN PRIVATE KEY-----"])
    expect(typeof withoutSecrets(unit.repeat(Math.ceil(1_000_000 / unit.length)))).toBe("string");
});
