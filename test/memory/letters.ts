/** A small embedder of another space than the package's. */

import type { Embedder } from "../../src/ports.js";

/** Shares of letters: no semantics, but another space. */
export const letterEmbedder: Embedder = {
  id: "letters",
  dimension: 26,
  async embed(texts: readonly string[]) {
    const rows = new Float32Array(texts.length * 26);
    texts.forEach((text, row) => {
      for (const letter of text.toLowerCase()) {
        const column = letter.charCodeAt(0) - 97;
        if (column >= 0 && column < 26) rows[row * 26 + column] = (rows[row * 26 + column] ?? 0) + 1;
      }
      const norm = Math.hypot(...rows.subarray(row * 26, row * 26 + 26)) || 1;
      for (let column = 0; column < 26; column++) rows[row * 26 + column] = (rows[row * 26 + column] ?? 0) / norm;
    });
    return rows;
  },
  close: async () => undefined,
};
