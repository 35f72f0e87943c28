/** Where the weights of SmolLM2-135M lie, for tests that need a real small model. */

import { join } from "node:path";
import { findModel } from "../../scripts/models.mjs";

const folder = await findModel("smollm2");

/** Path of the GGUF file; undefined where it has not been fetched. */
export const SMOLLM2 = folder && join(folder, "SmolLM2-135M-Instruct.Q4_1.gguf");
/** For the names of tests that are skipped then. */
export const WITHOUT_SMOLLM2 = SMOLLM2 ? "" : " (skipped: the weights are not there, see `npm run models smollm2`)";
