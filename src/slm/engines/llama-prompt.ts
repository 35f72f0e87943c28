/** A prompt as a model of llama.cpp reads it: by the chat template that comes with the model. */

import type * as Llama from "node-llama-cpp";
import type { EngineMessage } from "../../ports.js";

export type LlamaPeer = typeof Llama;

/** The model's own template, word for word, so that one model gives the same answers in every engine: what the peer takes for an
 * equivalent has been seen to begin twice and to leave out the model's own system message. */
export function chatWrapperOf(peer: LlamaPeer, model: Llama.LlamaModel): Llama.ChatWrapper {
  const template = model.fileInfo.metadata.tokenizer?.chat_template;
  if (template !== undefined)
    try {
      return new peer.JinjaTemplateChatWrapper({
        template,
        tokenizer: model.tokenizer,
        trimLeadingWhitespaceInResponses: false,
      });
    } catch {
      // A template that the peer cannot run: what it knows of the model's kind is the next best.
    }
  return peer.resolveChatWrapper(model);
}

/** @returns the tokens up to where the assistant speaks; what looks like one of the template's marks inside a message is text */
export function promptTokens(
  chat: Llama.ChatWrapper,
  model: Llama.LlamaModel,
  messages: readonly EngineMessage[],
): Llama.Token[] {
  const { contextText } = chat.generateContextState({ chatHistory: [...messages.map(itemOf), { type: "model", response: [] }] });
  return contextText.tokenize(model.tokenizer);
}

function itemOf({ role, content }: EngineMessage): Llama.ChatHistoryItem {
  if (role === "assistant") return { type: "model", response: [content] };
  return role === "system" ? { type: "system", text: content } : { type: "user", text: content };
}
