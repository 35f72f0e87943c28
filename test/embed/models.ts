/** The real weights for tests in Node: those of `models/`, else fetched; a test that skips says why. */
import { ensureModel, MODELS_FOLDER } from "../../scripts/models.mjs";

/** The folder that holds `Xenova/all-MiniLM-L6-v2`. */
export const models: string = MODELS_FOLDER;

export const model: { readonly folder?: string; readonly why: string } = await ensureModel("minilm").then(
  ({ folder }: { folder: string }) => ({ folder, why: "" }),
  (error: Error) => ({ why: ` (skipped: ${error.message})` }),
);
