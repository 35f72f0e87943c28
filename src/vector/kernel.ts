/** Opens the WASM scan kernel; where it cannot run, says why, so that the plain scan serves instead. */

/** Exports of one kernel instance; kernel.as documents them. `end` is the first slot that is not looked at, `masked` 0 or 1. */
export interface KernelExports {
  readonly memory: WebAssembly.Memory;
  quantise(row: number): void;
  search(k: number, end: number, masked: number): number;
  scoreAll(end: number, masked: number): void;
  scoreAllQuantised(lead: number, end: number, masked: number): void;
}

/** A compiled kernel; every index makes an instance with a memory of its own. */
export interface Kernel {
  instantiate(): KernelExports;
}

/** A kernel, or in words why there is none. */
export type OpenedKernel = { readonly kernel: Kernel } | { readonly kernel?: never; readonly reason: string };

/** The version of exports and layout that this code is written for; `version()` of kernel.as. */
const KERNEL_VERSION = 1;

/** Compiles a kernel from its bytes.
 * @returns a reason instead of a kernel where WebAssembly is absent or refused by a content security policy
 * (it needs 'wasm-unsafe-eval'), SIMD is missing, or the bytes are not our kernel; it never rejects */
export async function openKernel(bytes: BufferSource): Promise<OpenedKernel> {
  if (typeof WebAssembly === "undefined") return { reason: "this platform has no WebAssembly" };
  try {
    const module = await WebAssembly.compile(bytes);
    const instantiate = () => new WebAssembly.Instance(module).exports as unknown as KernelExports & { version?: () => number };
    const version = instantiate().version?.();
    if (version !== KERNEL_VERSION) {
      return {
        reason: `the kernel file has version ${version ?? "none"}, this code needs ${KERNEL_VERSION}; serve the file of the same release`,
      };
    }
    return { kernel: { instantiate } };
  } catch (error) {
    return {
      reason: `the kernel cannot run here (no SIMD, a policy without 'wasm-unsafe-eval', or a damaged file): ${String(error)}`,
    };
  }
}

/** Fetches and opens a kernel. The MIME type does not matter: a few kilobytes gain nothing from streaming.
 * @returns a reason instead of a kernel where it cannot be fetched or opened
 * @throws the signal's reason when aborted */
export async function loadKernel(
  url: URL | string,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<OpenedKernel> {
  const { signal } = options;
  signal?.throwIfAborted();
  let bytes: ArrayBuffer;
  try {
    const response = await fetch(url, signal === undefined ? {} : { signal });
    if (!response.ok) return { reason: `the kernel file ${String(url)} answers ${response.status}` };
    bytes = await response.arrayBuffer();
  } catch (error) {
    signal?.throwIfAborted();
    return { reason: `the kernel file ${String(url)} cannot be fetched: ${String(error)}` };
  }
  return openKernel(bytes);
}
