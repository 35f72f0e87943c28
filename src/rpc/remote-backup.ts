/** What goes in and out of a memory in a worker as a whole: an export's bytes, and the source of an import, with their progress. */

import type { CallOptions } from "../ports.js";
import type { ExportOptions, ImportOptions, ImportReport, ImportSource } from "../types.js";
import { transfer } from "./endpoint.js";
import { takeChunks } from "./export-stream.js";
import { progressPort, sendSource } from "./import-source.js";
import type { MemoryApi } from "./memory-api.js";
import { plain } from "./plain.js";
import type { WorkerLink } from "./worker-link.js";

export async function* exportFrom(
  link: WorkerLink<MemoryApi>,
  { onProgress, ...options }: Omit<ExportOptions, "signal">,
  call?: CallOptions,
): AsyncGenerator<Uint8Array, void> {
  const { port1, port2 } = new MessageChannel();
  const served = link.call(
    (remote, cancel) => remote.export(plain(options), transfer(port2, [port2]), cancel && transfer(cancel, [cancel])),
    call?.signal,
  ) as Promise<void>;
  yield* takeChunks(port1, served, onProgress);
}

export async function importInto(
  link: WorkerLink<MemoryApi>,
  source: ImportSource,
  { onProgress, ...options }: Omit<ImportOptions, "signal">,
  call?: CallOptions,
): Promise<ImportReport> {
  const { wire, stop } = sendSource(source);
  const progress = progressPort((told) => onProgress?.(told));
  try {
    const report = (await link.call(
      (remote, cancel) =>
        remote.import(
          wire instanceof Blob ? wire : transfer(wire, [wire]),
          plain(options),
          transfer(progress.port, [progress.port]),
          cancel && transfer(cancel, [cancel]),
        ),
      call?.signal,
      "by-answer",
    )) as ImportReport;
    await progress.ended;
    return report;
  } finally {
    stop();
    progress.stop();
  }
}
