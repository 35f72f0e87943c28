/** Whether a model can run on a device, in words, and which one can instead: WebLLM itself finds out in the middle of a load. */

/** What of a WebLLM model record counts. */
export interface ModelNeeds {
  readonly model_id: string;
  readonly vram_required_MB?: number;
  readonly buffer_size_required_bytes?: number;
  readonly required_features?: readonly string[];
}

export interface GraphicsDevice {
  readonly features: ReadonlySet<string>;
  /** Bytes. */
  readonly maxBufferSize: number;
  readonly maxStorageBufferBindingSize: number;
  /** Gigabytes of the whole machine, as far as the browser tells (8 at most); absent where it does not. */
  readonly memoryGB?: number;
  /** Maker and architecture. */
  readonly name: string;
}

/** What WebLLM's runtime asks every device for, in bytes. */
const LEAST_BUFFER = 128 * 1024 * 1024;
/** Share of a machine's memory that a model may take: the page and the rest of the machine need theirs. */
const MEMORY_SHARE = 0.5;

/** Builds with "f16" in their name compute in half precision, whether they say so or not. */
const needsHalf = ({ model_id, required_features = [] }: ModelNeeds): boolean =>
  required_features.includes("shader-f16") || /q\d+f16/.test(model_id);

/** @returns why it cannot, or undefined where nothing speaks against it */
export function misfitOf(model: ModelNeeds, device: GraphicsDevice): string | undefined {
  const { model_id, vram_required_MB: memory = 0, buffer_size_required_bytes: buffer = LEAST_BUFFER } = model;
  if (needsHalf(model) && !device.features.has("shader-f16"))
    return `${model_id} computes in half precision (shader-f16), which ${device.name} does not offer`;
  const missing = (model.required_features ?? []).filter((feature) => !device.features.has(feature));
  if (missing.length > 0) return `${model_id} needs ${missing.join(", ")}, which ${device.name} does not offer`;
  const largest = Math.min(device.maxBufferSize, device.maxStorageBufferBindingSize);
  if (buffer > largest)
    return `${model_id} needs buffers of ${megabytes(buffer)}, and ${device.name} gives ${megabytes(largest)} at most`;
  if (device.memoryGB !== undefined && memory > device.memoryGB * 1_024 * MEMORY_SHARE)
    return `${model_id} needs about ${Math.round(memory)} MB of graphics memory, too much for a machine of ${device.memoryGB} GB`;
  return undefined;
}

/** The model to propose: the same in another precision, else the largest that needs less and fits; the smallest, where nobody knows
 * what the wanted one needs. */
export function nextBest(wanted: ModelNeeds, models: readonly ModelNeeds[], device: GraphicsDevice): string | undefined {
  const fitting = models.filter((model) => model.model_id !== wanted.model_id && misfitOf(model, device) === undefined);
  const distance = (model: ModelNeeds): number => Math.abs(memoryOf(model) - memoryOf(wanted));
  const same = fitting.filter(({ model_id }) => familyOf(model_id) === familyOf(wanted.model_id));
  const [nearest] = same.sort((a, b) => distance(a) - distance(b));
  if (nearest) return nearest.model_id;
  const chat = fitting.filter(({ model_id }) => /instruct|chat|it-/i.test(model_id) && !/coder|math/i.test(model_id));
  const bySize = chat.filter((model) => memoryOf(model) > 0).sort((a, b) => memoryOf(a) - memoryOf(b));
  if (memoryOf(wanted) === 0) return bySize[0]?.model_id;
  return bySize.findLast((model) => memoryOf(model) < memoryOf(wanted))?.model_id;
}

/** As {@link nextBest}, of what asks for less than the wanted model, and for `mostMB` at most.
 * @returns undefined also where nobody knows what the wanted one needs */
export function nextSmaller(
  wanted: ModelNeeds,
  models: readonly ModelNeeds[],
  device: GraphicsDevice,
  mostMB = Number.POSITIVE_INFINITY,
): string | undefined {
  if (memoryOf(wanted) === 0) return undefined;
  const isSmaller = (model: ModelNeeds): boolean =>
    memoryOf(model) > 0 && memoryOf(model) < memoryOf(wanted) && memoryOf(model) <= mostMB;
  return nextBest(wanted, models.filter(isSmaller), device);
}

const memoryOf = ({ vram_required_MB = 0 }: ModelNeeds): number => vram_required_MB;
const familyOf = (id: string): string => id.replace(/-q\d+f\d+.*$/, "");
const megabytes = (bytes: number): string => `${Math.round(bytes / (1024 * 1024))} MiB`;
