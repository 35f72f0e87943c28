import { openStaticEmbedder } from "../../src/embed/static.js";
import { embeddingsUrl } from "../../workers/assets.js";
import { embedderContract } from "./contract.js";

embedderContract("the static embedder, fetched by the browser,", async () => {
  const response = await fetch(embeddingsUrl());
  return openStaticEmbedder(await response.arrayBuffer());
});
