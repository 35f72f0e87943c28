import { gunzipSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { isBackup } from "../../src/backup/frames.js";
import { fromJson, toJson } from "../../src/backup/values.js";
import { framesOf, joinedFrames, readBack, rowsWith, written } from "./files.js";

vi.setConfig({ testTimeout: 60_000 });

const PASSWORD = "correct horse, battery";
const TEXTS = Array.from(
  { length: 900 },
  (_, index) => `I labelled jar number ${index} of the plum jam, ${"again ".repeat(index % 60)}`,
);
const HOSTILE = [
  "../../etc/passwd",
  "<script>alert(1)</script>",
  "\u0000\ud800 lone",
  '{"end":{"frames":1}}',
  "line\nbreak",
  "🦊",
  "",
];

describe("a backup", () => {
  it("gives back what was written, in pieces of any size", async () => {
    const rows = rowsWith([...TEXTS, ...HOSTILE]);
    const bytes = await written(rows);
    expect(framesOf(bytes).length).toBeGreaterThan(5);
    for (const pieceBytes of [1_000_000, 4_096, 777]) expect(await readBack(bytes, undefined, pieceBytes)).toEqual({ rows });
    expect(await readBack(await written(rows, PASSWORD), PASSWORD)).toEqual({ rows });
  });

  it("is read by any gunzip as JSON lines, and is smaller than they are", async () => {
    const rows = rowsWith(TEXTS);
    const bytes = await written(rows);
    const text = gunzipSync(bytes).toString("utf8");
    const lines = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines[0]).toEqual({ keepsake: "backup", version: 1 });
    expect(lines.slice(1, -1)).toEqual(rows);
    expect(lines.at(-1).end.frames).toBe(framesOf(bytes).length - 1);
    expect(bytes.length).toBeLessThan(text.length / 4);
  });

  it("is known by its first bytes, and nothing else is", async () => {
    expect(isBackup((await written([])).subarray(0, 16))).toBe(true);
    expect(isBackup((await written([], PASSWORD)).subarray(0, 16))).toBe(true);
    for (const other of [[], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3, 4, 5, 6], [0x50, 0x4b, 3, 4], [0x5b, 0x7b]])
      expect(isBackup(Uint8Array.from(other))).toBe(false);
  });

  it("shows nothing of its words or of whose it is under a password", async () => {
    const bytes = await written(rowsWith(["My safe word is marzipan."]), PASSWORD);
    const text = Buffer.from(bytes).toString("latin1");
    expect(text).not.toContain("marzipan");
    expect(gunzipSync(framesOf(bytes)[0] as Uint8Array).toString()).toMatch(/^\{"keepsake":"backup","version":1,"encryption":\{/);
  });

  it("is of another key and other bytes each time it is written", async () => {
    const rows = rowsWith(["the same"]);
    const [one, two] = [framesOf(await written(rows, PASSWORD)), framesOf(await written(rows, PASSWORD))];
    expect(Buffer.from(one[1] as Uint8Array).equals(Buffer.from(two[1] as Uint8Array))).toBe(false);
  });

  it("keeps meta values that JSON has no form for", async () => {
    const value = {
      bytes: Uint8Array.of(1, 2, 255),
      marks: BigUint64Array.of(1n, 2n ** 63n),
      floats: Float32Array.of(1.5, -0),
      date: new Date(7),
      map: new Map<unknown, unknown>([["a", [undefined, null]]]),
      set: new Set([1n]),
      nan: Number.NaN,
      dollar: { $: "date", at: 1 },
    };
    expect(fromJson(JSON.parse(JSON.stringify(toJson(value))))).toEqual(value);
    expect((await readBack(await written([{ meta: "key", value }]))).rows).toEqual([{ meta: "key", value }]);
    expect(() => toJson(() => 1)).toThrow(TypeError);
    expect(() => fromJson({ $: "Function" })).toThrow(TypeError);
  });
});

describe("a damaged backup", () => {
  it.each([
    ["plain", undefined],
    ["encrypted", PASSWORD],
  ])("is noticed wherever one byte of it changed (%s)", async (_, password) => {
    const bytes = await written(rowsWith(["one", "two"]), password);
    // The key takes a moment to derive, so an encrypted one is tried at fewer places.
    const step = password === undefined ? 1 : 37;
    const unnoticed: number[] = [];
    for (let at = 0; at < bytes.length; at += step) {
      const changed = bytes.slice();
      changed[at] = (changed[at] as number) ^ 0x10;
      const outcome = await readBack(changed, password).catch((error: unknown) => ({ error, damage: undefined }));
      if (!("error" in outcome) && outcome.damage === undefined) unnoticed.push(at);
    }
    expect(unnoticed).toEqual([]);
  });

  it("tells from which byte on, and gives what comes before", async () => {
    const rows = rowsWith(TEXTS);
    for (const password of [undefined, PASSWORD]) {
      const frames = framesOf(await written(rows, password));
      const byte = frames.slice(0, 3).reduce((sum, { length }) => sum + length, 0);
      const bytes = joinedFrames(frames);
      bytes[byte + 100] = (bytes[byte + 100] as number) ^ 1;
      const found = await readBack(bytes, password);
      expect(found.damage).toMatchObject({ frame: 3, byte, reason: expect.stringContaining("checksum") });
      expect(found.rows.length).toBeGreaterThan(100);
      expect(found.rows).toEqual(rows.slice(0, found.rows.length));
    }
  });

  it("is one that was cut, at any place", async () => {
    const bytes = await written(rowsWith(["one", "two"]));
    for (let length = 0; length < bytes.length; length += 7) {
      const { damage } = await readBack(bytes.subarray(0, length));
      expect(damage?.reason).toContain("ends");
      expect(damage?.byte).toBeLessThanOrEqual(length);
    }
    expect((await readBack(joinedFrames([bytes, Uint8Array.of(0)]))).damage).toMatchObject({
      byte: bytes.length,
      reason: expect.stringContaining("goes on"),
    });
  });

  it("is one whose frames were left out, moved, repeated or taken from another", async () => {
    const [mine, other] = [await written(rowsWith(TEXTS), PASSWORD), await written(rowsWith(TEXTS), PASSWORD)].map(framesOf);
    const frames = mine as Uint8Array[];
    const renumbered = (frame: Uint8Array, index: number) => {
      const copy = frame.slice();
      new DataView(copy.buffer).setUint32(20, index, true);
      return copy;
    };
    const last = frames.length - 1;
    const forged: Record<string, readonly Uint8Array[]> = {
      "left out": [...frames.slice(0, 2), ...frames.slice(3)],
      "left out and renumbered": [...frames.slice(0, 2), ...frames.slice(3).map((frame, at) => renumbered(frame, 2 + at))],
      moved: [
        ...frames.slice(0, 2),
        renumbered(frames[3] as Uint8Array, 2),
        renumbered(frames[2] as Uint8Array, 3),
        ...frames.slice(4),
      ],
      repeated: [...frames.slice(0, 3), renumbered(frames[2] as Uint8Array, 3), ...frames.slice(4)],
      "of another": [...frames.slice(0, 2), (other as Uint8Array[])[2] as Uint8Array, ...frames.slice(3)],
      "cut, with its end": [...frames.slice(0, 2), renumbered(frames[last] as Uint8Array, 2)],
    };
    for (const [what, forgery] of Object.entries(forged)) {
      const { damage } = await readBack(joinedFrames(forgery), PASSWORD);
      expect([what, damage?.frame]).toEqual([what, what === "repeated" ? 3 : 2]);
    }
  });

  it("is one with a row of another shape, which is not taken", async () => {
    const { entry } = rowsWith(["one"])[1] as { entry: object };
    for (const row of [
      { turn: { id: 7 } },
      { entry: { ...entry, sources: [{ quote: 1 }] } },
      { entry: { ...entry, kind: "joke" } },
      { entry: { ...entry, revision: -1 } },
      { removed: { entries: "all", turns: [] } },
      { meta: "", value: 1 },
      { memory: null },
      { turn: 7, entry },
      { entry: { ...entry, later: JSON.parse("[".repeat(100) + "]".repeat(100)) } },
      { node: { id: "a b" }, idle: 0, support: [] },
    ]) {
      const { rows, damage } = await readBack(await written([row as never]));
      expect([rows, damage?.frame]).toEqual([[], 1]);
    }
    // Rows of a kind that a later version may add are left out.
    expect(await readBack(await written([{ picture: 1 } as never]))).toEqual({ rows: [] });
    // A line is of one kind, so nothing comes in beside it that nobody has looked at.
    const both = { entry, removed: 7, node: 7 } as never;
    expect(await readBack(await written([both]))).toEqual({ rows: [{ entry }] });
  });

  it("does not unpack beyond what its frame tells of", async () => {
    const frames = framesOf(await written(rowsWith(["a".repeat(100_000)])));
    const small = (frames[1] as Uint8Array).slice();
    new DataView(small.buffer).setUint32(small.length - 4, 10, true);
    expect((await readBack(joinedFrames([frames[0] as Uint8Array, small]))).damage).toMatchObject({ frame: 1 });
  });
});

describe("an encrypted backup", () => {
  it("opens with its password in either Unicode form, and with no other", async () => {
    const rows = rowsWith(["one"]);
    const bytes = await written(rows, "pässwörd");
    expect(await readBack(bytes, "pässwörd".normalize("NFD"))).toEqual({ rows });
    await expect(readBack(bytes, "passwort")).rejects.toMatchObject({ code: "wrong-password" });
    await expect(readBack(bytes)).rejects.toMatchObject({
      code: "wrong-password",
      message: expect.stringContaining("encrypted"),
    });
  });

  it("of a later version, or of fewer rounds, is refused with the reason", async () => {
    const { deflateRawSync, crc32 } = await import("node:zlib");
    const { frameOf } = await import("../../src/backup/frames.js");
    const header = (value: object) => {
      const plain = Buffer.from(`${JSON.stringify(value)}\n`);
      return frameOf(0, deflateRawSync(plain), { crc: crc32(plain), length: plain.length }, false);
    };
    await expect(readBack(header({ keepsake: "backup", version: 2 }))).rejects.toMatchObject({ code: "unsupported" });
    const { encryption } = JSON.parse(gunzipSync(framesOf(await written([], PASSWORD))[0] as Uint8Array).toString());
    const weak = header({ keepsake: "backup", version: 1, encryption: { ...encryption, iterations: 1 } });
    await expect(readBack(weak, PASSWORD)).rejects.toMatchObject({ code: "unsupported" });
    const long = header({ keepsake: "backup", version: 1, encryption: { ...encryption, nonce: "AAAA".repeat(9) } });
    await expect(readBack(long, PASSWORD)).rejects.toMatchObject({ code: "unsupported" });
    for (const field of ["kdf", "iterations", "salt", "cipher", "nonce", "check"])
      for (const wrong of [7, null, {}, ["!"], field === "salt" || field === "nonce" ? "no base64" : true]) {
        const altered = header({ keepsake: "backup", version: 1, encryption: { ...encryption, [field]: wrong } });
        if (field !== "iterations" || wrong !== 7)
          expect((await readBack(altered, PASSWORD)).damage, `${field} ${wrong}`).toMatchObject({ frame: 0, byte: 0 });
      }
    expect((await readBack(header({ keepsake: "backup", version: 1, encryption: 7 }), PASSWORD)).damage?.frame).toBe(0);
  });
});
