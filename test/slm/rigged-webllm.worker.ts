/** The WebLLM worker on a machine that lacks something: its name says what. */

import { hostEngine } from "../../src/slm/engines/engine-host.js";
import { webLlmHost } from "../../src/slm/engines/webllm-host.js";

interface Adapter {
  requestDevice(descriptor?: object): Promise<{ destroy(): void }>;
}
interface Gpu {
  requestAdapter(options?: object): Promise<Adapter | null>;
}

const fault = self.name;
const { gpu } = navigator as unknown as { readonly gpu: Gpu };

if (fault === "no WebGPU") Object.defineProperty(navigator, "gpu", { value: undefined });
if (fault === "little room") navigator.storage.estimate = async () => ({ usage: 50 * 1024 * 1024, quota: 800 * 1024 * 1024 });
if (fault === "no adapter") gpu.requestAdapter = async () => null;
if (fault === "device is lost") {
  const requestAdapter = gpu.requestAdapter.bind(gpu);
  gpu.requestAdapter = async (options) => {
    const adapter = await requestAdapter(options);
    const requestDevice = adapter?.requestDevice.bind(adapter);
    if (adapter && requestDevice)
      adapter.requestDevice = async (descriptor) => {
        const device = await requestDevice(descriptor);
        new BroadcastChannel("rigged").onmessage = () => device.destroy();
        return device;
      };
    return adapter;
  };
}
if (fault === "gets stuck") {
  const never = () => new Promise(() => undefined);
  new BroadcastChannel("rigged").onmessage = () => {
    const { GPUBuffer, GPUQueue } = self as unknown as Readonly<Record<string, { readonly prototype: object }>>;
    Object.assign(GPUBuffer?.prototype ?? {}, { mapAsync: never });
    Object.assign(GPUQueue?.prototype ?? {}, { onWorkSubmittedDone: never });
  };
}
/** What comes in the place of the weights, from the network or from the disk. */
async function spoiled(answer: Response): Promise<Response> {
  if (fault === "disk is full") throw new DOMException("there is no room", "QuotaExceededError");
  if (fault === "page in its place")
    return new Response("<!doctype html><title>My app</title>", { headers: { "content-type": "text/html" } });
  const bytes = await answer.arrayBuffer();
  return new Response(bytes.slice(0, bytes.byteLength / 2), { headers: { "content-type": "application/octet-stream" } });
}
if (["disk is full", "page in its place", "shard is cut"].includes(fault)) {
  const { add } = Cache.prototype;
  Cache.prototype.add = async function (request) {
    const url = request instanceof Request ? request.url : String(request);
    if (!url.includes("params_shard")) return add.call(this, request);
    return this.put(request, await spoiled(await fetch(request)));
  };
}

hostEngine(webLlmHost(() => import("@mlc-ai/web-llm")));
