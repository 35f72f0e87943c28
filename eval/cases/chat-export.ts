/** The files of a case's set-up, as a person would hand them to `import`. */

import type { ImportFormat } from "keepsake/node";
import type { Case } from "./case.js";

/** What a case's files are imported with. */
export interface CaseExport {
  readonly file: Blob;
  readonly format: ImportFormat | undefined;
}

/** @param name a path of the set-up; its only file by default */
export function exportOf({ setup }: Case, name: string | undefined): CaseExport | undefined {
  const { files, format } = setup as { readonly files?: Readonly<Record<string, unknown>>; readonly format?: ImportFormat };
  const paths = Object.keys(files ?? {});
  const path = name ?? (paths.length === 1 ? paths[0] : undefined);
  const content = path === undefined ? undefined : files?.[path];
  if (path === undefined || content === undefined) return undefined;
  // JSON lines are given as they are, everything else as its value.
  return { file: new File([typeof content === "string" ? content : JSON.stringify(content)], path), format };
}
