/** What TypeScript must be able to follow in an app that has no library of ours but the package. */
import * as page from "keepsake";
import * as aiSdkModel from "keepsake/ai-sdk-model";
import * as minilm from "keepsake/minilm";
import * as node from "keepsake/node";
import * as nodeLlama from "keepsake/node-llama";
import * as openAiCompatible from "keepsake/openai-compatible";

export async function recallText(): Promise<string> {
  const memory = await page.openMemory({ name: "types", userId: "me" });
  const { text, items } = await memory.recall("What do I eat?");
  const first: string | undefined = items[0]?.text;
  // @ts-expect-error a recall's text is a string: if this compiled, the types would have fallen back to any
  const wrong: number = text;
  await memory.close();
  return first ?? String(wrong);
}

export const entries = { aiSdkModel, minilm, node, nodeLlama, openAiCompatible };
