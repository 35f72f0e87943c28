/** Small models that the page offers, by WebLLM's names, and under which terms their makers give them. */

export interface OfferedModel {
  readonly model: string;
  readonly name: string;
  readonly licence: string;
  /** Of the download, in megabytes, about. */
  readonly downloadMB: number;
}

export const OFFERED: readonly OfferedModel[] = [
  { model: "SmolLM2-360M-Instruct-q4f16_1-MLC", name: "SmolLM2 360M", licence: "Apache-2.0", downloadMB: 210 },
  { model: "SmolLM2-360M-Instruct-q4f32_1-MLC", name: "SmolLM2 360M, full precision", licence: "Apache-2.0", downloadMB: 210 },
  { model: "Qwen2.5-0.5B-Instruct-q4f16_1-MLC", name: "Qwen2.5 0.5B", licence: "Apache-2.0", downloadMB: 290 },
  { model: "Llama-3.2-1B-Instruct-q4f16_1-MLC", name: "Llama 3.2 1B", licence: "Llama 3.2 Community", downloadMB: 710 },
  {
    model: "Llama-3.2-1B-Instruct-q4f32_1-MLC",
    name: "Llama 3.2 1B, full precision",
    licence: "Llama 3.2 Community",
    downloadMB: 710,
  },
  { model: "Qwen2.5-1.5B-Instruct-q4f16_1-MLC", name: "Qwen2.5 1.5B", licence: "Apache-2.0", downloadMB: 880 },
];
