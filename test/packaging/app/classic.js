/** An app that hosts worker and assets in places of its own choice. */
import { remember, report } from "./remember.js";

report(
  remember({
    assetBase: "./files/of/keepsake",
    createWorker: () => new Worker("./workers/keepsake.js", { type: "module" }),
  }),
);
