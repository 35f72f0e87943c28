import { describe, expect, it } from "vitest";
import { isMemoryError } from "../../src/errors.js";
import { featuresOf } from "../../src/lre/extractor.js";
import { decodeModel, encodeModel, type Profile } from "../../src/lre/model.js";
import { shippedBytes, shippedModel } from "../../src/lre/shipped.js";

const PROFILES: readonly Profile[] = ["people", "assistant", "agent"];

function codeOf(bytes: Uint8Array): string {
  try {
    decodeModel(bytes, featuresOf);
    return "read";
  } catch (error) {
    return isMemoryError(error) ? error.code : String(error);
  }
}

describe.each(PROFILES)("the shipped model for %s", (profile) => {
  it("fits the size it promises and names its features and where it was learned", () => {
    expect(shippedBytes(profile).length).toBeLessThanOrEqual(profile === "agent" ? 3_072 : 2_048);
    const model = shippedModel(profile);
    expect(model.profile).toBe(profile);
    expect(model.provenance).toMatch(profile === "agent" ? /tau-bench/ : /LongMemEval/);
    expect(model.provenance).not.toMatch(/locomo/i);
    for (const { features } of model.parts) for (const name of features) expect(featuresOf(profile)).toContain(name);
  });

  it("comes through its file byte for byte", () => {
    expect(encodeModel(shippedModel(profile))).toEqual(shippedBytes(profile));
  });

  it("is refused when any byte is changed or the end is cut off", () => {
    const bytes = shippedBytes(profile);
    for (let at = 0; at < bytes.length; at += 7) {
      const broken = Uint8Array.from(bytes);
      broken[at] = (broken[at] as number) ^ 0x10;
      expect(["asset-unavailable", "unsupported"]).toContain(codeOf(broken));
    }
    expect(codeOf(bytes.slice(0, -3))).toBe("asset-unavailable");
  });
});

describe("a file that is no model of ours", () => {
  it("is refused with a code", () => {
    expect(codeOf(new Uint8Array(0))).toBe("asset-unavailable");
    expect(codeOf(new TextEncoder().encode("GGUF and then some more bytes"))).toBe("asset-unavailable");
  });

  it("is told apart when only its version is newer", () => {
    const bytes = shippedBytes("people");
    bytes[4] = 9;
    expect(codeOf(bytes)).toBe("unsupported");
  });

  it("is refused when it uses a feature that this build does not have", () => {
    const model = shippedModel("people");
    const [part] = model.parts;
    if (!part) throw new Error("the model has no parts");
    const foreign = encodeModel({
      ...model,
      parts: [{ ...part, features: part.features.map((name, i) => (i === 0 ? "moonPhase" : name)) }],
    });
    expect(codeOf(foreign)).toBe("unsupported");
  });

  it.each([
    ["a bias that is no number", { bias: Number.NaN }],
    ["an endless spread", { spread: Number.POSITIVE_INFINITY }],
    ["a spread of nothing", { spread: 0 }],
    ["an endless weight", { weights: [Number.POSITIVE_INFINITY] }],
    ["a mean that is no number", { mean: [Number.NaN] }],
    ["a deviation of nothing", { deviation: [0] }],
  ] as const)("is refused for %s, though its checksum is right", (_what, change) => {
    const model = shippedModel("people");
    const [part] = model.parts;
    if (!part) throw new Error("the model has no parts");
    const all = (list: readonly number[]) => new Float64Array(part.features.length).fill(list[0] as number);
    const changed = Object.fromEntries(
      Object.entries(change).map(([name, value]) => [name, typeof value === "number" ? value : all(value)]),
    );
    expect(codeOf(encodeModel({ ...model, parts: [{ ...part, ...changed }] }))).toBe("asset-unavailable");
  });
});
