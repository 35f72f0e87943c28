import { describe, expect, it } from "vitest";
import { type GraphicsDevice, misfitOf, nextBest, nextSmaller } from "../../src/slm/engines/webllm-fit.js";

const MIB = 1024 * 1024;
const device: GraphicsDevice = {
  features: new Set(["shader-f16"]),
  maxBufferSize: 1024 * MIB,
  maxStorageBufferBindingSize: 1024 * MIB,
  name: "apple metal-3",
};
const plain = { ...device, features: new Set<string>(), name: "google swiftshader" };
const MODELS = [
  { model_id: "Llama-3.2-1B-Instruct-q4f16_1-MLC", vram_required_MB: 879 },
  { model_id: "Llama-3.2-1B-Instruct-q4f32_1-MLC", vram_required_MB: 1_129 },
  { model_id: "Llama-3.2-1B-Instruct-q0f32-MLC", vram_required_MB: 5_106 },
  { model_id: "SmolLM2-360M-Instruct-q4f16_1-MLC", vram_required_MB: 376 },
  { model_id: "Qwen2.5-Coder-0.5B-Instruct-q4f32_1-MLC", vram_required_MB: 700 },
] as const;

describe("whether a model can run on a device", () => {
  it("is so where nothing speaks against it", () => {
    expect(MODELS.map((model) => misfitOf(model, device))).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });

  it("is told by half precision, features, buffers and memory, in words", () => {
    expect(misfitOf(MODELS[0], plain)).toMatch(/half precision \(shader-f16\), which google swiftshader does not offer/);
    expect(misfitOf({ model_id: "a", required_features: ["subgroups"] }, device)).toContain("needs subgroups");
    expect(misfitOf({ model_id: "a", buffer_size_required_bytes: 2048 * MIB }, device)).toContain("2048 MiB");
    const small = { ...device, maxStorageBufferBindingSize: 64 * MIB };
    expect(misfitOf({ model_id: "a" }, small)).toMatch(/128 MiB.*64 MiB at most/);
    expect(misfitOf(MODELS[1], { ...device, memoryGB: 2 })).toContain("a machine of 2 GB");
    expect(misfitOf(MODELS[0], { ...device, memoryGB: 2 })).toBeUndefined();
  });

  it("comes with the same model in another precision, or the largest smaller one that talks", () => {
    expect(nextBest(MODELS[0], MODELS, plain)).toBe("Llama-3.2-1B-Instruct-q4f32_1-MLC");
    expect(nextBest(MODELS[1], MODELS, { ...device, memoryGB: 1 })).toBe("SmolLM2-360M-Instruct-q4f16_1-MLC");
    expect(nextBest(MODELS[3], MODELS, { ...plain, maxBufferSize: MIB })).toBeUndefined();
  });

  it("comes with the smallest that talks where nobody knows what the wanted one needs, such as a build of the app's own", () => {
    expect(nextBest({ model_id: "mine" }, MODELS, device)).toBe("SmolLM2-360M-Instruct-q4f16_1-MLC");
    expect(nextBest({ model_id: "mine" }, MODELS, plain)).toBe("Llama-3.2-1B-Instruct-q4f32_1-MLC");
    expect(nextBest({ model_id: "mine", vram_required_MB: 1_000 }, MODELS, device)).toBe("Llama-3.2-1B-Instruct-q4f16_1-MLC");
  });

  it("comes with one that needs less, where there is too little room", () => {
    expect(nextSmaller(MODELS[2], MODELS, device)).toBe("Llama-3.2-1B-Instruct-q4f32_1-MLC");
    expect(nextSmaller(MODELS[2], MODELS, device, 1_000)).toBe("Llama-3.2-1B-Instruct-q4f16_1-MLC");
    expect(nextSmaller(MODELS[2], MODELS, device, 500)).toBe("SmolLM2-360M-Instruct-q4f16_1-MLC");
    expect(nextSmaller(MODELS[2], MODELS, device, 100)).toBeUndefined();
    expect(nextSmaller({ model_id: "mine" }, MODELS, device)).toBeUndefined();
  });
});
